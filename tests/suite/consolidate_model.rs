//! Consolidation by a configured model, and what it is never sent.

use serde_json::{Value, json};

use crate::{
    consolidate::{DEPLOYS, TEA, filled, notes},
    support::{Sandbox, model},
};

/// A model that merges each cluster into its last text, in a fence.
fn merging(question: &Value) -> String {
    let merges = question["clusters"].as_array().unwrap().iter().map(|cluster| {
        let text = &cluster["notes"].as_array().unwrap().last().unwrap()["text"];
        json!({ "cluster": cluster["id"], "text": text, "confidence": 0.95 })
    });
    format!("```json\n{}\n```", json!({ "merges": merges.collect::<Vec<_>>() }))
}

fn configured(sandbox: &Sandbox, url: &str) {
    let llm = format!("llm: {{url: \"{url}\", model: tiny, api_key: sk-test}}\n");
    sandbox.write("config.yaml", format!("{llm}recall: {{clearance: secret}}\n"));
}

#[test]
fn the_configured_model_merges_and_its_nonsense_merges_nothing() {
    let sandbox = filled(&[DEPLOYS[0], DEPLOYS[1], TEA[0], TEA[1]]);
    let refused = sandbox.run(&["consolidate", "--run"]);
    assert!(
        refused.status == 1 && refused.stderr.contains("no model is configured"),
        "{}",
        refused.stderr
    );
    let before = notes(&sandbox);
    let (url, _) = model("127.0.0.1", |_| "I would rather not".to_owned());
    configured(&sandbox, &url);
    let answer = sandbox.run(&["consolidate", "--run", "--json"]).json();
    assert_eq!(answer["refused"].as_array().unwrap().len(), 2);
    assert!(answer["refused"].to_string().contains("no JSON"));
    configured(&sandbox, "http://127.0.0.1:9/v1");
    let answer = sandbox.run(&["consolidate", "--run", "--json"]).json();
    assert!(answer["refused"].to_string().contains("127.0.0.1:9"), "{answer}");
    assert_eq!(notes(&sandbox), before);
    let (url, asked) = model("127.0.0.1", merging);
    configured(&sandbox, &url);
    let answer = sandbox.run(&["consolidate", "--run", "--json"]).json();
    assert_eq!(
        (answer["merged"].as_array().unwrap().len(), answer["refused"].clone()),
        (2, json!([]))
    );
    let asked = asked.lock().unwrap().clone();
    assert_eq!((asked.len(), &asked[0]["path"]), (1, &json!("/v1/chat/completions")));
    assert!(asked[0]["headers"].to_string().contains("Bearer sk-test"));
    assert_eq!(sandbox.run(&["undo"]).status, 0);
    assert_eq!(notes(&sandbox), before);
}

#[test]
fn what_is_above_the_egress_level_is_sent_to_this_machine_only() {
    let sandbox = filled(&[DEPLOYS[0], DEPLOYS[1], TEA[0]]);
    let hidden = ["fact", "set", "tea2", TEA[1].1, "--sensitivity", "confidential"];
    assert_eq!(sandbox.run(&hidden).status, 0);
    let run = |url: &str| {
        configured(&sandbox, url);
        sandbox.run(&["consolidate", "--run", "--json"]).json()
    };
    // An address that leads to this machine, and does not say so.
    let (url, asked) = model("0.0.0.0", merging);
    let answer = run(&url);
    assert_eq!(answer["merged"].as_array().unwrap().len(), 1);
    assert!(answer["refused"].to_string().contains("above `egress: internal`"), "{answer}");
    let sent = json!(*asked.lock().unwrap()).to_string();
    assert!(sent.contains("Deploys") && !sent.contains("Ada") && !sent.contains("tea2"), "{sent}");
    let (url, asked) = model("127.0.0.1", merging);
    assert_eq!(run(&url)["merged"].as_array().unwrap().len(), 1);
    assert!(json!(*asked.lock().unwrap()).to_string().contains("Ada"));
}
