//! What a long-lived process pays for an answer, beside bare tantivy over the same texts, and the vector index beside the scan.
//!
//! ```text
//! cargo bench --bench scale -- HOME NOTES.jsonl QUESTIONS.jsonl
//! ```
//! HOME holds a profile `default` with the imported NOTES, followed by a `carnet watch`; `benches/scale.py` prepares all of it.
#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a benchmark prints its figures, and its data has the shape it says"
)]

use std::{error::Error, fs, path::PathBuf, time::Instant};

use carnet::{
    Options, Profile,
    config::Sensitivity,
    embed::{Embedder, Patience, Static},
    index::{Filter, Index, Level, Life, Vector, Words, query_terms},
    profile::RecallRequest,
    recall::Ranking,
};
use jiff::Timestamp;
use serde_json::Value;
use tantivy::{
    Index as Tantivy, IndexWriter, TantivyDocument,
    collector::TopDocs,
    query::QueryParser,
    schema::{STORED, Schema, TEXT, Value as _},
};

type Failed = Box<dyn Error>;

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [home, notes, questions] = args.as_slice() else {
        println!("scale: name a home, notes and questions; benches/scale.py makes them");
        return Ok(());
    };
    let home = PathBuf::from(home);
    let questions: Vec<(String, String)> =
        lines(questions)?.iter().map(|line| (text(line, "query"), text(line, "gold"))).collect();
    recall(&home, &questions)?;
    words(&home, notes, &questions)?;
    vectors(&home, &questions)
}

fn lines(path: &str) -> Result<Vec<Value>, Failed> {
    let text = fs::read_to_string(path)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text(line: &Value, key: &str) -> String {
    line[key].as_str().unwrap_or_default().to_owned()
}

/// Asks every question twice, the first time to warm up, and prints how long the second took.
fn timed(
    name: &str,
    questions: &[(String, String)],
    mut ask: impl FnMut(&str) -> Result<(), Failed>,
) -> Result<f64, Failed> {
    let mut took = Vec::new();
    for round in 0..2 {
        for (question, _) in questions {
            let start = Instant::now();
            ask(question)?;
            if round == 1 {
                took.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    took.sort_by(f64::total_cmp);
    let (p50, p95) = (took[took.len() / 2], took[took.len() * 95 / 100]);
    println!("{name:<44} p50 {p50:>7.2} ms  p95 {p95:>7.2} ms");
    Ok(p50)
}

/// The whole of recall, as a server answers it.
fn recall(home: &std::path::Path, questions: &[(String, String)]) -> Result<(), Failed> {
    let options = Options { home: Some(home.to_owned()), ..Options::default() };
    let profile = Profile::open(&options, "bench")?;
    let mut found = 0;
    let mut empty = 0;
    for (question, gold) in questions {
        let request =
            RecallRequest { query: question.clone(), limit: Some(10), ..RecallRequest::default() };
        let recalled = profile.recall(&request, &mut |_| {})?;
        let mut hits = recalled.hits.iter().chain(&recalled.closest);
        empty += usize::from(hits.clone().next().is_none());
        let planted = format!("\"{gold}\"");
        found += usize::from(hits.any(|(hit, _)| {
            let path = home.join(format!("profiles/default/{}.md", hit.row.id));
            fs::read_to_string(path)
                .is_ok_and(|note| note.contains(&format!("import_id: {planted}\n")))
        }));
    }
    println!(
        "planted facts found {found} of {}, questions left with nothing {empty}",
        questions.len()
    );
    timed("recall in a long-lived process", questions, |question| {
        let query = question.to_owned();
        profile.recall(&RecallRequest { query, ..RecallRequest::default() }, &mut |_| {})?;
        Ok(())
    })?;
    Ok(())
}

/// The words alone, beside tantivy as its own example uses it: one field, any word, the ten best with their texts.
fn words(
    home: &std::path::Path,
    notes: &str,
    questions: &[(String, String)],
) -> Result<(), Failed> {
    let mut schema = Schema::builder();
    let body = schema.add_text_field("body", TEXT | STORED);
    let dir = tempfile::tempdir()?;
    let bare = Tantivy::create_in_dir(dir.path(), schema.build())?;
    let mut writer: IndexWriter = bare.writer(100_000_000)?;
    for line in lines(notes)? {
        let mut document = TantivyDocument::new();
        document.add_text(body, text(&line, "text"));
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let searcher = bare.reader()?.searcher();
    let parser = QueryParser::for_index(&bare, vec![body]);
    let theirs = timed("bare tantivy, one field", questions, |question| {
        let (query, _) = parser.parse_query_lenient(question);
        for (_, at) in searcher.search(&query, &TopDocs::with_limit(10).order_by_score())? {
            let document: TantivyDocument = searcher.doc(at)?;
            assert!(document.get_first(body).and_then(|text| text.as_str()).is_some());
        }
        Ok(())
    })?;
    let index = open(home)?;
    let level = index.level(LEVEL)?.ok_or("there is no index")?;
    let ranking = Ranking::default();
    let filter = Filter { clearance: Sensitivity::Internal, ..Filter::default() };
    let ours = timed("carnet, words alone, four fields", questions, |question| {
        let terms = query_terms(question);
        let words = Words::weigh(&[(&level, &[])], &terms, ranking.bm25)?;
        let admitted = level.admitted(&filter, false, Timestamp::now(), &[])?;
        let mut rows = level.best_words(&words, &admitted, ranking.candidates)?;
        rows.sort_unstable();
        level.score_words(&rows, &words)?;
        Ok(())
    })?;
    println!("{:<44} {:.2}", "ratio of the medians", ours / theirs);
    Ok(())
}

const LEVEL: Level = Level { sensitivity: Sensitivity::Internal, archive: false };

fn open(home: &std::path::Path) -> Result<Index, Failed> {
    let root = home.join("profiles/default/.carnet/index");
    Ok(Index::open(&root)?.ok_or("there are no indexes")?)
}

/// The vector index beside the exact scan.
fn vectors(home: &std::path::Path, questions: &[(String, String)]) -> Result<(), Failed> {
    let model = Static::builtin();
    let filter = Filter { clearance: Sensitivity::Internal, ..Filter::default() };
    let vector = |question: &str| -> Result<Vector, Failed> {
        Ok(Vector::of(&model.embed(&[question], Patience::Short)?[0]))
    };
    let start = Instant::now();
    let index = open(home)?;
    let level = index.level(LEVEL)?.ok_or("there is no index")?;
    println!(
        "{:<44} {:>11.2} ms",
        "opening text index, vectors and table",
        start.elapsed().as_secs_f64() * 1e3
    );
    let start = Instant::now();
    level.verify()?;
    println!("{:<44} {:>11.2} ms", "checking the text index", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let counts = level.counts();
    let what = format!("checking and opening the HNSW ({} of {})", counts.covered, counts.rows);
    println!("{what:<44} {:>11.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let admitted = level.admitted(&filter, false, Timestamp::now(), &[])?;
    for life in [Life::Short, Life::Long] {
        let name =
            if life == Life::Short { "exact scan, 100 nearest" } else { "HNSW, 100 nearest" };
        timed(name, questions, |question| {
            level.nearest(&vector(question)?, &admitted, 100, life)?;
            Ok(())
        })?;
    }
    let narrow = Filter { category: Some("tech".to_owned()), ..filter };
    let narrow = level.admitted(&narrow, false, Timestamp::now(), &[])?;
    for (name, admitted) in [("all notes", &admitted), ("a third of them, by a filter", &narrow)] {
        for n in [10, 100] {
            let mut found = 0;
            let mut all = 0;
            for (question, _) in questions {
                let vector = vector(question)?;
                let exact = level.nearest(&vector, admitted, n, Life::Short)?;
                let near = level.nearest(&vector, admitted, n, Life::Long)?;
                all += exact.len();
                found += exact.iter().filter(|row| near.contains(row)).count();
            }
            let share = f64::from(u32::try_from(found)?) / f64::from(u32::try_from(all)?);
            println!("{:<44} {share:.4}", format!("HNSW finds of the {n} nearest, {name}"));
        }
    }
    Ok(())
}
