//! Embedders other than the one in the binary: endpoints on this machine, and a model directory.

use std::{
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::{Value, json};

use crate::support::{Sandbox, posted, respond};

/// A server that makes vectors of three components: what a text says of cats, of ships, and of nothing.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Value>>>,
    headers: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that fails the first `failures` times with `status`.
    fn start(failures: usize, status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, headers) = (Arc::default(), Arc::default());
        let server = Self { address, asked: Arc::clone(&asked), headers: Arc::clone(&headers) };
        let left = AtomicUsize::new(failures);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let fails = left
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                answer(&stream.unwrap(), fails.is_ok().then_some(status), &asked, &headers);
            }
        });
        server
    }

    fn texts(&self) -> String {
        json!(*self.asked.lock().unwrap()).to_string()
    }
}

fn answer(
    stream: &TcpStream,
    fails: Option<&str>,
    asked: &Mutex<Vec<Value>>,
    headers: &Mutex<Vec<String>>,
) {
    let Some((path, lines, request)) = posted(stream) else { return };
    headers.lock().unwrap().extend(lines);
    asked.lock().unwrap().push(request.clone());
    let vectors = request["input"].as_array().unwrap().iter().map(|text| {
        let text = text.as_str().unwrap().to_lowercase();
        let says =
            |words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
        json!([says(&["cat", "felis"]), says(&["ship", "hull"]), 0.2])
    });
    let body = if path.ends_with("/api/embed") {
        json!({ "embeddings": vectors.collect::<Vec<_>>() })
    } else {
        // Out of order, as the index tells it.
        let mut items: Vec<_> = vectors
            .enumerate()
            .map(|(index, embedding)| json!({ "index": index, "embedding": embedding }))
            .collect();
        items.reverse();
        json!({ "data": items })
    };
    let (status, body) = match fails {
        Some(status) => (status, "{\"error\":\"the model is loading\"}".to_owned()),
        None => ("200 OK", body.to_string()),
    };
    respond(stream, status, &body);
}

fn filled(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", config);
    sandbox.write("facts/a.md", "Felis catus sleeps on the sofa");
    sandbox.write("facts/b.md", "The hull was painted in June");
    sandbox.write("facts/c.md", "Lunch is at noon");
    sandbox
}

fn recall(sandbox: &Sandbox, question: &str) -> (Value, String) {
    let ran = sandbox.run(&["recall", "--json", question]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    (ran.json(), ran.stderr)
}

fn first(answer: &Value) -> &Value {
    let hits = ["hits", "closest"].into_iter().flat_map(|key| answer[key].as_array().unwrap());
    hits.map(|hit| &hit["id"]).next().unwrap()
}

#[test]
fn endpoints_of_both_kinds_make_the_vectors() {
    for kind in ["ollama", "openai"] {
        let server = Server::start(0, "");
        let key = if kind == "openai" { ", api_key: \"env:CARNET_TEST_KEY\"" } else { "" };
        let sandbox = filled(&format!(
            "embedder: {{kind: {kind}, url: \"{}\", model: tiny{key}}}\n",
            server.address
        ));
        let ask = |question: &str| {
            let mut command = sandbox.command(&["recall", "--json", question]);
            command.env("CARNET_TEST_KEY", "sk-secret");
            crate::support::finish(crate::support::start(&mut command))
        };
        for (question, id) in [("my cats", "facts/a"), ("ships", "facts/b")] {
            let ran = ask(question);
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
            assert_eq!(first(&ran.json()), id, "{kind} {question}: {}", ran.stdout);
        }
        assert!(
            server.texts().contains("\"model\":\"tiny\"") && server.texts().contains("The hull")
        );
        let sent =
            server.headers.lock().unwrap().iter().any(|line| line.ends_with("Bearer sk-secret"));
        assert_eq!(sent, kind == "openai");
        // Many texts go in batches, and into the index.
        let many: Vec<_> =
            (0..400).map(|at| json!({"text": format!("ship number {at}")}).to_string()).collect();
        assert_eq!(sandbox.pipe(&["import", "-"], many.join("\n")).status, 0);
        let mut command = sandbox.command(&["reindex", "--json"]);
        let ran =
            crate::support::finish(crate::support::start(command.env("CARNET_TEST_KEY", "x")));
        assert_eq!(
            (ran.status, &ran.json()["vectors"]),
            (0, &json!(403)),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
        let largest = server
            .asked
            .lock()
            .unwrap()
            .iter()
            .map(|one| one["input"].as_array().unwrap().len())
            .max();
        assert_eq!(largest, Some(64));
        assert_eq!(first(&ask("my cats").json()), "facts/a");
    }
}

#[test]
fn a_dead_endpoint_leaves_the_words_and_a_warning() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let sandbox =
        filled(&format!("embedder: {{kind: ollama, url: \"http://{gone}\", model: tiny}}\n"));
    let (answer, stderr) = recall(&sandbox, "when is lunch?");
    assert_eq!(first(&answer), "facts/c");
    assert!(
        stderr.starts_with("warning: only words are compared") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert!(
        answer["warnings"][0].as_str().unwrap().contains("only words are compared"),
        "{answer}"
    );
    // The index is made all the same, and has its vectors when the endpoint is back.
    let made = sandbox.run(&["reindex"]);
    assert!(made.status == 0 && made.stderr.contains("by their words only"), "{}", made.stderr);
    let doctor = sandbox.run(&["doctor", "--json"]);
    assert_eq!((doctor.status, &doctor.json()["code"]), (1, &json!("unhealthy")));
    assert!(doctor.stdout.contains("vectors are missing"), "{}", doctor.stdout);
    let server = Server::start(0, "");
    sandbox.write(
        "config.yaml",
        format!("embedder: {{kind: ollama, url: \"{}\", model: tiny}}\n", server.address),
    );
    assert_eq!(sandbox.run(&["reindex"]).stderr, "");
    assert_eq!(first(&recall(&sandbox, "my cats").0), "facts/a");
}

#[test]
fn what_may_help_is_tried_again_and_what_may_not_is_told() {
    let server = Server::start(1, "503 Service Unavailable");
    let sandbox = filled(&format!(
        "embedder: {{kind: openai, url: \"{}/v1\", model: tiny}}\n",
        server.address
    ));
    let (answer, stderr) = recall(&sandbox, "my cats");
    assert_eq!((first(&answer), stderr.as_str()), (&json!("facts/a"), ""));
    let server = Server::start(99, "404 Not Found");
    sandbox.write(
        "config.yaml",
        format!("embedder: {{kind: openai, url: \"{}/v1\", model: tiny}}\n", server.address),
    );
    let (_, stderr) = recall(&sandbox, "when is lunch?");
    assert!(stderr.contains("404") && stderr.contains("the model is loading"), "{stderr}");
    assert_eq!(server.asked.lock().unwrap().len(), 1, "asked once");
}

#[test]
fn another_embedder_makes_the_vectors_anew() {
    let sandbox = filled("");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let server = Server::start(0, "");
    sandbox.write(
        "config.yaml",
        format!("embedder: {{kind: ollama, url: \"{}\", model: tiny}}\n", server.address),
    );
    let (answer, stderr) = recall(&sandbox, "my cats");
    assert_eq!(first(&answer), "facts/a");
    assert!(stderr.contains("another embedder made the vectors"), "{stderr}");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    assert_eq!(
        sandbox.run(&["status", "--json"]).json()["index"]["embedder"],
        format!("{}/api/embed tiny", server.address)
    );
}

#[test]
fn a_model_directory_is_read_or_told_to_be_none() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/carnet-static-1");
    let sandbox = filled(&format!("embedder: {{kind: local, path: \"{model}\"}}\n"));
    let (answer, stderr) = recall(&sandbox, "where does the cat rest?");
    assert_eq!((first(&answer), stderr.as_str()), (&json!("facts/a"), ""));
    let hit = answer["hits"].get(0).unwrap_or(&answer["closest"][0]);
    assert!(hit["scores"]["semantic"].as_f64().unwrap() > 0.5, "{answer}");
    sandbox.write("config.yaml", "embedder: {kind: local, path: /nowhere}\n");
    let (_, stderr) = recall(&sandbox, "when is lunch?");
    assert!(stderr.contains("/nowhere/model.safetensors"), "{stderr}");
    sandbox.write("model.safetensors", "not a model");
    sandbox.write(
        "config.yaml",
        format!("embedder: {{kind: local, path: \"{}\"}}\n", sandbox.path("").display()),
    );
    let (answer, stderr) = recall(&sandbox, "when is lunch?");
    assert!(stderr.contains("only words are compared") && first(&answer) == "facts/c", "{stderr}");
    sandbox.write("config.yaml", "embedder: {kind: openai, url: \"no address\", model: m}\n");
    let (_, stderr) = recall(&sandbox, "when is lunch?");
    assert!(stderr.contains("is no address"), "{stderr}");
}
