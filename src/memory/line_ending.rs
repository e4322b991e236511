//! How the lines of a file end.

/// A line ending; new text takes the one its file uses most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnding {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`
    Cr,
}

impl LineEnding {
    /// Returns the ending that most lines of `text` have; LF where there are none or it is a draw.
    pub fn of(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        let lf = text.matches('\n').count() - crlf;
        let cr = text.matches('\r').count() - crlf;
        if crlf > lf && crlf >= cr {
            Self::CrLf
        } else if cr > lf {
            Self::Cr
        } else {
            Self::Lf
        }
    }

    /// Returns the bytes that end a line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }

    /// Returns `text`, whose lines end in LF, with its lines ended this way.
    pub fn write(self, text: &str) -> String {
        match self {
            Self::Lf => text.to_owned(),
            Self::CrLf | Self::Cr => text.replace('\n', self.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_ending_wins() {
        let cases = [
            ("", LineEnding::Lf),
            ("a", LineEnding::Lf),
            ("a\r\nb\r\nc\n", LineEnding::CrLf),
            ("a\rb", LineEnding::Cr),
            ("a\nb\r\n", LineEnding::Lf),
        ];
        for (text, expected) in cases {
            assert_eq!(LineEnding::of(text), expected, "{text:?}");
        }
    }
}
