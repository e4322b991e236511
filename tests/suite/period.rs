//! Questions about a time, answered from the notes of that time.

use serde_json::{Value, json};

use crate::support::Sandbox;

const MARCH: &str = "episodes/2024/2024-03-10-we-chose-heron-as-our-database";
const LATE_MARCH: &str = "episodes/2024/2024-03-20-le-routeur-du-bureau-est-tombe";
const JULY: &str = "episodes/2024/2024-07-01-we-chose-osprey-as-our-database";

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    for (day, text) in [
        ("2024-03-10", "We chose heron as our database"),
        ("2024-03-20", "Le routeur du bureau est tombé"),
        ("2024-07-01", "We chose osprey as our database"),
    ] {
        assert_eq!(sandbox.run(&["episode", "add", text, "--date", day]).status, 0);
    }
    sandbox
}

fn recall(sandbox: &Sandbox, question: &str, more: &[&str]) -> Value {
    let ran = sandbox.run(&[&["recall", question, "--json"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.json()
}

fn ids(answer: &Value) -> Vec<&str> {
    let hits = answer["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

#[test]
fn a_question_about_a_time_is_answered_from_that_time() {
    let sandbox = filled();
    let answer = recall(&sandbox, "what did we decide in March 2024?", &[]);
    assert_eq!(ids(&answer)[0], MARCH);
    assert!(!ids(&answer).contains(&JULY) && answer["closest"] == json!([]), "{answer}");
    assert_eq!(
        answer["period"],
        json!({ "since": "2024-03-01T00:00:00Z", "until": "2024-04-01T00:00:00Z", "from": "in March 2024" })
    );
    assert_eq!(answer["query"], "what did we decide in March 2024?");
    assert_eq!(ids(&recall(&sandbox, "which database did we choose in July 2024?", &[])), [JULY]);
    let answer =
        recall(&sandbox, "quelle base de données depuis le 3 mai 2024 ?", &["--threshold", "0"]);
    assert_eq!((ids(&answer), &answer["period"]["until"]), (vec![JULY], &Value::Null));
    let shown = sandbox.run(&["recall", "the database of March 2024", "--explain"]).stdout;
    assert!(!shown.contains("the time asked for"), "{shown}");
    let shown = sandbox.run(&["recall", "which database in March 2024?", "--explain"]).stdout;
    let line = "the time asked for is `in March 2024`: from 2024-03-01T00:00:00Z until 2024-04-01T00:00:00Z\n";
    assert!(shown.starts_with(line), "{shown}");
}

#[test]
fn what_happened_lists_the_period_the_latest_first() {
    let sandbox = filled();
    for question in
        ["que s'est-il passé en mars 2024 ?", "what happened between March and May 2024?"]
    {
        let answer = recall(&sandbox, question, &[]);
        assert_eq!(ids(&answer), [LATE_MARCH, MARCH], "{question}");
    }
    let indexed = sandbox.run(&["reindex"]);
    assert_eq!(indexed.status, 0);
    assert_eq!(ids(&recall(&sandbox, "what happened in 2024?", &[])), [JULY, LATE_MARCH, MARCH]);
    assert_eq!(ids(&recall(&sandbox, "what happened in 2024?", &["-n", "1"])), [JULY]);
    assert_eq!(ids(&recall(&sandbox, "in 2024", &["--layer", "facts", "-n", "0"])), [""; 0]);
    sandbox.run(&["add", "An entry of today"]);
    sandbox.run(&["episode", "add", "The build went green"]);
    let answer = recall(&sandbox, "qu'est-ce qu'on a fait aujourd'hui ?", &[]);
    assert_eq!(
        (ids(&answer).len(), &answer["hits"][0]["text"]),
        (1, &json!("The build went green"))
    );
}

#[test]
fn a_time_without_notes_is_told_and_all_times_answer() {
    let sandbox = filled();
    let answer = recall(&sandbox, "which database did we choose in 2019?", &[]);
    assert_eq!(answer["period"], Value::Null);
    let told = answer["warnings"][0].as_str().unwrap();
    assert!(
        told.contains("nothing is remembered of that time (`in 2019`: from 2019-01-01T00:00:00Z"),
        "{told}"
    );
    assert!(ids(&answer).contains(&MARCH) && ids(&answer).contains(&JULY));
}

#[test]
fn the_callers_own_bounds_win_and_other_questions_have_no_period() {
    let sandbox = filled();
    let bounded = recall(&sandbox, "which database in March 2024?", &["--since", "2024-06-01"]);
    assert_eq!((ids(&bounded), &bounded["period"]), (vec![JULY], &Value::Null));
    for question in ["when did we choose heron in March 2024?", "which database did March choose?"]
    {
        assert_eq!(recall(&sandbox, question, &[])["period"], Value::Null, "{question}");
    }
}
