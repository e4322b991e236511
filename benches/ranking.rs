//! The constants of the ranking, each varied by itself over sets of questions with known answers.
//!
//! ```text
//! cargo bench --bench ranking -- SET [SET ...]
//! ```
//! A SET is a folder as `benches/recall_quality.py` takes them. The first line is what ships; each of the others changes one
//! constant and shows recall@10 and nDCG@10 in percent, set by set. What ships is what wins over the sets as a whole, and is
//! not chosen by any one of them. In process and in memory: the same search as the binary's, without files.

#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a benchmark prints its figures, and its data has the shape it says"
)]

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use carnet::{
    embed::{Embedder, Patience, Static},
    index::{Bm25, Filter, LevelIndex, Life, Prepared, Row, Vector},
    notes::{Layer, Note},
    recall::{Part, Query, Ranking, search},
};
use jiff::{Timestamp, civil::DateTime, tz::Offset};
use serde_json::Value;

type Failed = Box<dyn Error>;

/// A question of one scope, with the ids of the notes that answer it.
struct Question {
    scope: String,
    text: String,
    vector: Vector,
    gold: Vec<String>,
}

/// Notes by scope, and questions about them.
struct Set {
    name: String,
    scopes: BTreeMap<String, (LevelIndex, Vec<Note>)>,
    questions: Vec<Question>,
}

fn main() -> Result<(), Failed> {
    let folders: Vec<_> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let model = Static::builtin();
    let mut sets = Vec::new();
    for folder in &folders {
        sets.extend(read(Path::new(folder), &model)?);
    }
    if sets.is_empty() {
        println!("ranking: no set was named, so there is nothing to measure");
        return Ok(());
    }
    print!("{:<28}", "");
    for set in &sets {
        print!("{:>16}", set.name.chars().take(15).collect::<String>());
    }
    println!("{:>16}", "mean");
    for (name, ranking) in variants() {
        let mut sum = (0.0, 0.0);
        print!("{name:<28}");
        for set in &sets {
            let (recall, ndcg) = measure(set, ranking)?;
            print!("{:>9.1} {:>6.1}", recall * 100.0, ndcg * 100.0);
            sum = (sum.0 + recall, sum.1 + ndcg);
        }
        let count = f64::from(u32::try_from(sets.len())?);
        println!("{:>9.2} {:>6.2}", sum.0 / count * 100.0, sum.1 / count * 100.0);
    }
    Ok(())
}

/// Returns what ships, and that with one constant changed.
fn variants() -> Vec<(String, Ranking)> {
    let ships = Ranking::default();
    let bm25 = ships.bm25;
    let mut all = vec![("ships".to_owned(), ships)];
    let vary = |name: &str, values: &[f32], change: &dyn Fn(f32) -> Ranking| {
        let named = values.iter().map(|value| (format!("{name} {value}"), change(*value)));
        named.collect::<Vec<_>>()
    };
    let words = |bm25: Bm25| Ranking { bm25, ..ships };
    all.extend(vary("semantic", &[0.0, 0.25, 0.3, 0.35, 0.45, 0.5, 0.6, 1.0], &|value| Ranking {
        semantic: value,
        lexical: 1.0 - value,
        ..ships
    }));
    all.extend(vary("neighbour", &[0.0, 0.2, 0.3, 0.4, 0.6, 0.8], &|value| Ranking {
        neighbour: value,
        ..ships
    }));
    all.extend(vary("graph", &[0.0, 0.1, 0.4], &|value| Ranking { graph: value, ..ships }));
    all.extend(vary("k1", &[0.5, 0.7, 1.2, 1.5], &|k1| words(Bm25 { k1, ..bm25 })));
    all.extend(vary("b", &[0.2, 0.3, 0.5, 0.6, 0.75], &|b| words(Bm25 { b, ..bm25 })));
    all.extend(vary("name", &[1.0, 1.5, 1.75, 2.5, 3.0], &|name| words(Bm25 { name, ..bm25 })));
    all.extend(vary("part", &[0.0, 0.1, 0.5, 1.0], &|part| words(Bm25 { part, ..bm25 })));
    for (at, field) in ["folded", "english", "french", "exact"].into_iter().enumerate() {
        all.extend(vary(&format!("boost {field}"), &[0.0, 0.3, 1.0, 2.0], &|value| {
            let mut boosts = bm25.boosts;
            boosts[at] = value;
            words(Bm25 { boosts, ..bm25 })
        }));
    }
    all.extend(vary("boost stems", &[0.8, 1.0, 1.5], &|value| {
        let boosts = [bm25.boosts[0], value, value, bm25.boosts[3]];
        words(Bm25 { boosts, ..bm25 })
    }));
    for candidates in [50, 100, 1000] {
        all.push((format!("candidates {candidates}"), Ranking { candidates, ..ships }));
    }
    all
}

/// Returns recall@10 and nDCG@10.
fn measure(set: &Set, ranking: Ranking) -> Result<(f64, f64), Failed> {
    let (mut recall, mut ndcg) = (0.0, 0.0);
    let filter = Filter::default();
    let now = Timestamp::now();
    for question in &set.questions {
        let (level, notes) = &set.scopes[&question.scope];
        let query = Query {
            text: &question.text,
            vector: (ranking.semantic > 0.0).then_some(&question.vector),
            limit: 10,
            threshold: 0.0,
            filter: &filter,
            now,
            ranking,
            life: Life::Short,
        };
        let mut read = |_: usize, row: &Row| notes.iter().find(|note| note.id == row.id).cloned();
        let part = Part { level, archive: false, hidden: &[] };
        let hits = search(&[part], &query, &mut read)?.hits;
        let right: Vec<bool> = hits
            .iter()
            .map(|hit| question.gold.iter().any(|id| hit.row.id.get(6..) == Some(id)))
            .collect();
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let gold = question.gold.len();
        recall += count(right.iter().filter(|right| **right).count()) / count(gold);
        let gain = |rank: usize| 1.0 / (count(rank) + 2.0).log2();
        let found: f64 =
            right.iter().enumerate().filter(|(_, right)| **right).map(|(rank, _)| gain(rank)).sum();
        ndcg += found / (0..gold.min(10)).map(gain).sum::<f64>();
    }
    let count = f64::from(u32::try_from(set.questions.len())?);
    Ok((recall / count, ndcg / count))
}

fn lines(path: &Path) -> Result<Vec<Value>, Failed> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text(line: &Value, key: &str) -> String {
    line[key].as_str().unwrap_or_default().to_owned()
}

fn texts(line: &Value, key: &str) -> Vec<String> {
    let values = line[key].as_array().into_iter().flatten();
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Reads one folder; the evaluation set is four, by the language asked in and the language kept.
fn read(folder: &Path, model: &Static) -> Result<Vec<Set>, Failed> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !folder.join("entries_dev.jsonl").exists() {
        let mut notes: BTreeMap<String, Vec<Note>> = BTreeMap::new();
        for line in lines(&folder.join("corpus.jsonl"))? {
            let scope = notes.entry(text(&line, "scope")).or_default();
            scope.push(note(&line, scope.len()));
        }
        let asked = lines(&folder.join("queries.jsonl"))?;
        let asked = asked
            .iter()
            .map(|line| (text(line, "scope"), text(line, "query"), texts(line, "gold")));
        return Ok(vec![set(name, notes, asked.collect(), model)?]);
    }
    let (entries, queries) =
        (lines(&folder.join("entries_dev.jsonl"))?, lines(&folder.join("queries_dev.jsonl"))?);
    let mut sets = Vec::new();
    for (from, to) in [("fr", "fr"), ("fr", "en"), ("en", "fr"), ("en", "en")] {
        let kept = entries.iter().filter(|line| line["lang"] == to).enumerate();
        let notes = kept.map(|(at, line)| note(line, at)).collect();
        let asked = queries.iter().filter(|line| line["lang"] == from).map(|line| {
            let gold = texts(line, "gold").into_iter().filter(|id| id.ends_with(to)).collect();
            (to.to_owned(), text(line, "text"), gold)
        });
        let notes = BTreeMap::from([(to.to_owned(), notes)]);
        sets.push(set(format!("{name} {from}>{to}"), notes, asked.collect(), model)?);
    }
    Ok(sets)
}

/// Returns an entry of a set as the import writes it. Its place keeps the order of a conversation.
fn note(line: &Value, at: usize) -> Note {
    let mut head = "source: import\n".to_owned();
    if let Some(speaker) = line["speaker"].as_str() {
        head = head + "speaker: " + &Value::from(speaker).to_string() + "\n";
    }
    let date = text(line, "date");
    let day = DateTime::strptime("%I:%M %p on %d %B, %Y", &date).ok();
    let day = day.and_then(|at| Offset::UTC.to_timestamp(at).ok()).map(|at| at.to_string());
    if let Some(created) = day.or_else(|| date.get(..10).map(str::to_owned)) {
        head = head + "created: \"" + &created + "\"\n";
    }
    let content = format!("---\n{head}---\n{}\n", text(line, "text"));
    Note::read(
        &format!("{at:05} {}", text(line, "id")),
        Layer::Episodes,
        &content,
        Timestamp::UNIX_EPOCH,
    )
}

fn set(
    name: String,
    notes: BTreeMap<String, Vec<Note>>,
    asked: Vec<(String, String, Vec<String>)>,
    model: &Static,
) -> Result<Set, Failed> {
    let embed = |texts: &[&str]| -> Result<Vec<Vector>, Failed> {
        let vectors = model.embed(texts, Patience::Long)?;
        Ok(vectors.iter().map(|vector| Vector::of(vector)).collect())
    };
    let mut scopes = BTreeMap::new();
    for (scope, notes) in notes {
        let mut prepared: Vec<Prepared> = notes.iter().map(Prepared::of).collect();
        for note in &mut prepared {
            let texts: Vec<_> = note.texts.iter().map(String::as_str).collect();
            note.vectors = embed(&texts)?;
        }
        scopes.insert(scope, (LevelIndex::in_memory(prepared)?, notes));
    }
    let mut questions = Vec::new();
    for (scope, text, gold) in asked.into_iter().filter(|(.., gold)| !gold.is_empty()) {
        let vector = embed(&[&text])?.remove(0);
        questions.push(Question { scope, text, vector, gold });
    }
    Ok(Set { name, scopes, questions })
}
