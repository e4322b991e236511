//! `carnet links`: what a note links to and what links to it.

use serde_json::{Value, json};

use crate::support::Sandbox;

fn linked() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "MEMORY.md",
        "Le service heron tourne sur le serveur bleu\n§\nAs [[Routage]] says\n",
    );
    sandbox.write(
        "facts/tech/router.md",
        "---\nkey: archi_router\naliases: [Routage]\nrelated: [facts/project/frontend, heron, gone]\n---\nSee [[facts/tech/loaders]], [[Perdu]] and [the site](https://example.org).\n",
    );
    sandbox
        .write("facts/tech/loaders.md", "Loaders come from [[routage]], not from archi_router.\n");
    sandbox.write("facts/project/frontend.md", "The front end.\n");
    sandbox.write("facts/project/bird.md", "---\nkey: heron\n---\nThe staging database.\n");
    sandbox.write(
        "facts/vault.md",
        "---\nsensitivity: secret\nrelated: [archi_router]\nkey: perdu\n---\nThe vault.\n",
    );
    sandbox
}

fn links(sandbox: &Sandbox, args: &[&str]) -> Value {
    sandbox.run(&[&["links", "--json"], args].concat()).json()
}

/// Returns one direction as `via name -> id`.
fn told(answer: &Value, way: &str) -> Vec<String> {
    let one = |link: &Value| {
        assert_eq!(link["broken"], json!(link["id"].is_null()), "{answer}");
        let word = |key: &str| link[key].as_str().unwrap_or("nothing").to_owned();
        format!("{} {} -> {}", word("via"), word("name"), word("id"))
    };
    answer[way].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn links_are_shown_both_ways_with_and_without_an_index() {
    let sandbox = linked();
    for round in ["without an index", "with one", "changed since"] {
        match round {
            "with one" => assert_eq!(sandbox.run(&["reindex"]).status, 0),
            "changed since" => {
                sandbox.write("facts/project/frontend.md", "The front end, now.\n");
            }
            _ => {}
        }
        let answer = links(&sandbox, &["archi_router"]);
        assert_eq!(answer["id"], "facts/tech/router", "{round}");
        assert_eq!(
            told(&answer, "links"),
            [
                "related facts/project/frontend -> facts/project/frontend",
                "related heron -> facts/project/bird",
                "related gone -> nothing",
                "link facts/tech/loaders -> facts/tech/loaders",
                "link Perdu -> nothing",
            ],
            "{round}"
        );
        let back = told(&answer, "backlinks");
        assert_eq!(back[0], "link routage -> facts/tech/loaders", "{round}");
        assert!(back[1].starts_with("link Routage -> m-") && back.len() == 2, "{round}: {back:?}");
        let answer = links(&sandbox, &["facts/tech/loaders"]);
        assert_eq!(told(&answer, "links"), ["link routage -> facts/tech/router"], "{round}");
        let answer = links(&sandbox, &["heron"]);
        let memory = told(&answer, "backlinks").remove(1);
        assert!(memory.starts_with("key heron -> m-"), "{round}: {memory}");
        let entry = memory.split(" -> ").nth(1).unwrap();
        let answer = links(&sandbox, &[entry]);
        assert_eq!(told(&answer, "links"), ["key heron -> facts/project/bird"], "{round}");
    }
}

#[test]
fn what_may_not_be_seen_is_no_link() {
    let sandbox = linked();
    let answer = links(&sandbox, &["archi_router", "--clearance", "secret"]);
    assert!(told(&answer, "links").contains(&"link Perdu -> facts/vault".to_owned()), "{answer}");
    assert!(told(&answer, "backlinks").contains(&"related archi_router -> facts/vault".to_owned()));
    assert_eq!(sandbox.run(&["links", "facts/vault"]).status, 1);
}

#[test]
fn what_is_named_must_be_one_thing() {
    let sandbox = linked();
    insta::assert_snapshot!(sandbox.shown(&["links", "archi_router"]), @r"
    facts/tech/router
      → facts/project/frontend  (related: facts/project/frontend)
      → facts/project/bird  (related: heron)
      → broken, nothing here has that name  (related: gone)
      → facts/tech/loaders  ([[facts/tech/loaders]])
      → broken, nothing here has that name  ([[Perdu]])
      ← facts/tech/loaders  ([[routage]])
      ← m-254b2fe7  ([[Routage]])
    ");
    insta::assert_snapshot!(sandbox.shown(&["links", "nobody"]), @r"
    error: `nobody` names no note or entry
    hint: give an id as recall shows it, or a key
    [exit status: 1]
    ");
    sandbox.write("facts/other/router.md", "---\nkey: Heron\n---\nAnother.\n");
    insta::assert_snapshot!(sandbox.shown(&["links", "heron"]), @r"
    error: `heron` names facts/other/router, facts/project/bird
    hint: give one of these ids
    [exit status: 1]
    ");
    assert_eq!(links(&sandbox, &["facts/other/router"])["id"], "facts/other/router");
}
