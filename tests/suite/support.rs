//! A place of its own for each test.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A home directory that only one test uses, and the binary with a cleared environment.
pub(crate) struct Sandbox {
    root: TempDir,
}

/// What a command printed, and how it ended.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Ran {
    /// Returns standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?} {:?}", self.stdout, self.stderr))
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { root: tempfile::Builder::new().prefix("carnet-test-").tempdir().unwrap() }
    }

    /// Returns the home directory, `CARNET_HOME`.
    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Returns a path in the directory of the default profile.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home().join("profiles/default").join(name)
    }

    /// Returns a path outside the home directory.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Writes a file of the default profile.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        write(&self.path(name), content);
    }

    /// Reads a file of the default profile as text.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        read(&self.path(name))
    }

    /// Returns the names in a directory of the default profile, sorted; none where it is missing.
    pub(crate) fn names(&self, dir: &str) -> Vec<String> {
        names(&self.path(dir))
    }

    /// Returns the binary with a cleared environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carnet"));
        command
            .args(args)
            .env_clear()
            .env("CARNET_HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap());
        command.current_dir(self.root.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.pipe(args, "")
    }

    /// Runs the binary with `input` on standard input.
    pub(crate) fn pipe(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        pipe(&mut self.command(args), input)
    }

    /// Answers one call of the tool, and checks that the exit status goes with it.
    #[track_caller]
    pub(crate) fn tool(&self, request: &Value) -> Value {
        let ran = self.pipe(&["tool"], request.to_string());
        let answer = ran.json();
        assert_eq!(ran.status == 0, answer["success"] == Value::Bool(true), "{answer}");
        answer
    }

    /// Returns what the command printed, with paths, times and names of changes made the same for every run.
    pub(crate) fn shown(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        let end = if ran.status == 0 {
            String::new()
        } else {
            format!("[exit status: {}]\n", ran.status)
        };
        settle(&format!("{}{}{end}", ran.stdout, ran.stderr), self.root.path())
    }
}

/// Starts the command without input.
pub(crate) fn start(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

pub(crate) fn pipe(command: &mut Command, input: impl AsRef<[u8]>) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The process may end without reading its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    finish(child)
}

pub(crate) fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap_or(-1),
    }
}

fn settle(text: &str, root: &Path) -> String {
    let root = fs::canonicalize(root).unwrap();
    let text = text.replace(&root.display().to_string(), "[ROOT]");
    let run = regex_lite::Regex::new("r-[0-9a-f]{12}").unwrap();
    let time = regex_lite::Regex::new("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z").unwrap();
    let day = regex_lite::Regex::new("archive/[0-9]{4}/[0-9]{4}-[0-9]{2}-[0-9]{2}").unwrap();
    let text = run.replace_all(&text, "r-[RUN]");
    let text = time.replace_all(&text, "[TIME]");
    day.replace_all(&text, "archive/[DAY]").into_owned()
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[track_caller]
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn names(dir: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the text of every archived note under `dir`, sorted.
pub(crate) fn archived(dir: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for year in names(&dir.join("archive")) {
        for note in names(&dir.join("archive").join(&year)) {
            let content = read(&dir.join("archive").join(&year).join(note));
            let (_, body) = content.split_once("\n---\n").unwrap();
            texts.push(body.strip_suffix('\n').unwrap().to_owned());
        }
    }
    texts.sort();
    texts
}

/// Reads what was posted: its path, its headers, and its JSON.
pub(crate) fn posted(stream: &TcpStream) -> Option<(String, Vec<String>, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut path, mut headers) = (0, String::new(), Vec::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if path.is_empty() {
            line.split(' ').nth(1).unwrap().clone_into(&mut path);
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        headers.push(line.trim().to_owned());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, headers, serde_json::from_slice(&body).ok()?))
}

/// Answers what was posted.
pub(crate) fn respond(mut stream: &TcpStream, status: &str, body: &str) {
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}",
    );
}

/// What a model was asked, one request a time: `{path, headers, body}`.
pub(crate) type Asked = Arc<Mutex<Vec<Value>>>;

/// A model at `address`, which speaks as OpenAI's endpoint does and answers each question with the words of `answer`.
pub(crate) fn model(
    address: &str,
    answer: impl Fn(&Value) -> String + Send + 'static,
) -> (String, Asked) {
    let listener = TcpListener::bind(format!("{address}:0")).unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Asked::default();
    let heard = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Some((path, headers, request)) = posted(&stream) else { continue };
            let question = request["messages"][1]["content"].as_str().unwrap();
            let words = answer(&serde_json::from_str(question).unwrap());
            let body = json!({ "path": path, "headers": headers, "body": request });
            heard.lock().unwrap().push(body);
            let answer = json!({ "choices": [{ "message": { "content": words } }] });
            respond(&stream, "200 OK", &answer.to_string());
        }
    });
    (url, asked)
}
