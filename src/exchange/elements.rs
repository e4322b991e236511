//! The elements of a JSON array, one after the other, so that a large file is never held whole.

use std::{fmt, io::BufRead};

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// Lets `each` hear every element with its number from 1, until it answers false: those of the array that the text is, or
/// that an object holds under one of `names`; any other object is one element.
pub(super) fn elements(
    reader: &mut dyn BufRead,
    names: &[&str],
    each: &mut dyn FnMut(usize, Value) -> bool,
) -> Result<(), String> {
    let mut elements = Elements { names, each, heard: 0, stopped: false };
    let mut json = serde_json::Deserializer::from_reader(reader);
    let read = json.deserialize_any(&mut elements);
    if elements.stopped {
        return Ok(());
    }
    read.and_then(|()| json.end()).map_err(|error| format!("it is no JSON array: {error}"))
}

struct Elements<'e> {
    names: &'e [&'e str],
    each: &'e mut dyn FnMut(usize, Value) -> bool,
    heard: usize,
    stopped: bool,
}

impl Elements<'_> {
    fn hear<E: Error>(&mut self, element: Value) -> Result<(), E> {
        self.heard += 1;
        self.stopped = !(self.each)(self.heard, element);
        // It is the only way to leave the parser.
        if self.stopped { Err(E::custom("that is enough")) } else { Ok(()) }
    }
}

impl<'de> Visitor<'de> for &mut Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        while let Some(element) = array.next_element()? {
            self.hear(element)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let (mut other, mut found) = (Map::new(), false);
        while let Some(name) = object.next_key::<String>()? {
            if self.names.contains(&name.as_str()) {
                found = true;
                object.next_value_seed(&mut *self)?;
            } else {
                other.insert(name, object.next_value()?);
            }
        }
        if found { Ok(()) } else { self.hear(Value::Object(other)) }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str, most: usize) -> (Vec<String>, Result<(), String>) {
        let mut all = Vec::new();
        let read = elements(&mut text.as_bytes(), &["results"], &mut |number, element| {
            all.push(format!("{number}: {element}"));
            all.len() < most
        });
        (all, read)
    }

    #[test]
    fn elements_are_heard_one_by_one() {
        assert_eq!(heard("[1, [2], {\"a\": 3}]", 9).0, ["1: 1", "2: [2]", "3: {\"a\":3}"]);
        assert_eq!(heard(r#"{"a": [1], "results": [1, 2]}"#, 9).0, ["1: 1", "2: 2"]);
        assert_eq!(heard(r#"{"a": [1]}"#, 9).0, [r#"1: {"a":[1]}"#]);
        assert_eq!(heard("[1, 2, oops", 1), (vec!["1: 1".to_owned()], Ok(())));
    }

    #[test]
    fn what_comes_before_damage_is_heard() {
        for text in ["[1, oops", "[1", "[1] x", "[1,]"] {
            let (all, read) = heard(text, 9);
            assert!(read.is_err() && all == ["1: 1"], "{text}");
        }
        for text in ["", "7", "\"a\""] {
            let (all, read) = heard(text, 9);
            assert!(read.is_err() && all.is_empty(), "{text}");
        }
    }
}
