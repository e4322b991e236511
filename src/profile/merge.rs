//! Merging what a plan has shown: by hand, or by the configured model.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{
    Profile,
    consolidate::{PlannedCluster, Pool},
};
use crate::{
    config::{ScanMode, Sensitivity},
    error::MemoryError,
    guard::Scanner,
    lifecycle::{Asked, Merge, contrast, dropped, merged_fields, parse_merges},
    llm::{Client, json_in},
    notes::{Note, rewrite},
    storage::{Author, Kind, NoteStep, ReadNote, Reason, Seen},
};

/// What was merged and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consolidated {
    /// Names the change; `None` where nothing was merged.
    pub run: Option<String>,
    /// Each cluster that became one note: its name, the note that stays, and those that went to the archive.
    pub merged: Vec<(String, String, Vec<String>)>,
    /// Each cluster that stays as it was, and why.
    pub refused: Vec<(String, String)>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// A merge that no rule speaks against, on what its notes were when they were read.
struct Allowed<'p> {
    merge: Merge,
    stays: &'p ReadNote,
    others: Vec<&'p ReadNote>,
}

/// Clusters, and bytes of them, that a model is asked about at once.
const AT_ONCE: usize = 10;
const BYTES_AT_ONCE: usize = 24 * 1024;

const INSTRUCTIONS: &str = include_str!("../../templates/prompts/merge.md");

impl Profile {
    /// Merges what `answer` says, which is JSON: `{"merges":[{"cluster","text","confidence"}]}`. A merge that breaks a rule is
    /// refused for its cluster; all the others are one change.
    pub fn apply_merges(&self, answer: &[u8]) -> Result<Consolidated, MemoryError> {
        let wrong = |why: String| {
            let what = format!("the merges cannot be read: {why}");
            let hint =
                r#"give {"merges":[{"cluster","text","confidence"}]} with the ids of a plan"#;
            MemoryError::bad_request(what, hint)
        };
        let answer: Value =
            serde_json::from_slice(answer).map_err(|error| wrong(error.to_string()))?;
        self.merge(parse_merges(&answer).map_err(wrong)?)
    }

    /// Plans, asks the configured model, and merges what it answers. What is above `egress` is sent to this machine only.
    pub fn consolidate(&self, clearance: Option<Sensitivity>) -> Result<Consolidated, MemoryError> {
        self.check_merge()?;
        let client = self.model("use a plan and apply the answer")?;
        let plan = self.consolidation(clearance)?;
        let may_go = |cluster: &PlannedCluster| {
            let level = cluster.notes.iter().map(Note::sensitivity).max();
            client.stays_here() || level.unwrap_or_default() <= self.config.egress
        };
        let (sent, kept): (Vec<_>, Vec<_>) = plan.clusters.into_iter().partition(may_go);
        let mut asked: Vec<Asked> = Vec::new();
        for batch in batches(&sent) {
            asked.extend(ask(&client, batch));
        }
        let mut done = self.merge(asked)?;
        done.warnings.splice(0..0, plan.warnings);
        let above = format!("it holds notes above `egress: {}`", self.config.egress.as_str());
        done.refused.extend(kept.into_iter().map(|cluster| (cluster.id, above.clone())));
        Ok(done)
    }

    /// Returns the configured model; where there is none, an error that says what else to do.
    pub(super) fn model(&self, instead: &str) -> Result<Client, MemoryError> {
        let hint = format!("set `llm: {{url, model}}` in config.yaml, or {instead}");
        let wrong = |why: &str| MemoryError::bad_request(why, hint.clone());
        let opened = Client::open(&self.config.llm).map_err(|why| wrong(&why))?;
        opened.ok_or_else(|| wrong("no model is configured"))
    }

    fn check_merge(&self) -> Result<(), MemoryError> {
        self.check_write()?;
        if self.config.write_approval && self.author() == Author::Agent {
            let what = "an agent's writes wait for a person here, and merges cannot wait";
            return Err(MemoryError::bad_request(what, "ask the user to consolidate"));
        }
        Ok(())
    }

    fn merge(&self, asked: Vec<Asked>) -> Result<Consolidated, MemoryError> {
        self.check_merge()?;
        let mut done = Consolidated::default();
        let clearance = match self.author() {
            Author::Agent => self.config.recall.clearance,
            _ => Sensitivity::Secret,
        };
        let pool = self.pool(clearance, &mut Vec::new())?;
        let (marks, mut taken, mut allowed) = (pool.marks(), HashSet::new(), Vec::new());
        let mut reports = Vec::new();
        for Asked { cluster, merge } in asked {
            let judged = merge.and_then(|merge| self.judge(merge, &pool, &marks, &mut taken));
            match judged {
                Ok(one) => {
                    let rule = self.flagged(&one.merge.text, ScanMode::Warn);
                    reports.extend(rule.map(|rule| format!("{cluster} matches the rule `{rule}`")));
                    allowed.push(one);
                }
                Err(why) => done.refused.push((cluster, why)),
            }
        }
        let run = self.run_of(Kind::Merge);
        let (name, (merged, refused)) = self.store.change_notes(&run, &mut reports, || {
            let (mut steps, mut merged, mut refused) = (Vec::new(), Vec::new(), Vec::new());
            for one in &allowed {
                match self.steps(one, run.now)? {
                    Ok(more) => {
                        steps.extend(more);
                        let others = one.others.iter().map(|read| read.note.id.clone()).collect();
                        let stays = one.stays.note.id.clone();
                        merged.push((one.merge.cluster.clone(), stays, others));
                    }
                    Err(why) => refused.push((one.merge.cluster.clone(), why)),
                }
            }
            Ok((steps, (merged, refused)))
        })?;
        done.refused.extend(refused);
        Ok(Consolidated { run: name, merged, warnings: reports, ..done })
    }

    /// Returns the merge with its notes, or the rule that it breaks.
    fn judge<'p>(
        &self,
        merge: Merge,
        pool: &'p Pool,
        marks: &HashMap<String, usize>,
        taken: &mut HashSet<usize>,
    ) -> Result<Allowed<'p>, String> {
        let named = merge.cluster.strip_prefix("c-").ok_or("it is not the name of a cluster")?;
        let mut places = Vec::new();
        for mark in named.split('-') {
            let place = marks.get(mark).ok_or("one of its notes has changed since the plan")?;
            if !places.contains(place) {
                places.push(*place);
            }
        }
        places.sort_unstable();
        if let Some(why) = contrast(&pool.candidates(&places)) {
            return Err(why);
        }
        if places.iter().any(|place| taken.contains(place)) {
            return Err("one of its notes is merged already".to_owned());
        }
        let notes: Vec<_> = places.iter().filter_map(|place| pool.notes.get(*place)).collect();
        let texts: Vec<_> = notes.iter().map(|read| read.note.text()).collect();
        let lost = dropped(&texts, &merge.text);
        if !lost.is_empty() {
            return Err(format!("the text drops `{}`", lost.join("`, `")));
        }
        if let Some(rule) = self.flagged(&merge.text, ScanMode::Block) {
            return Err(format!("the text is blocked by the rule `{rule}`"));
        }
        taken.extend(&places);
        let (stays, others) = notes.split_first().ok_or("it has no notes")?;
        Ok(Allowed { merge, stays, others: others.to_vec() })
    }

    /// Returns the rule that a text breaks, where rules are there for `mode`.
    fn flagged(&self, text: &str, mode: ScanMode) -> Option<&'static str> {
        if self.config.scan != mode {
            return None;
        }
        Scanner::get().scan(text).into_iter().next().map(|finding| finding.rule)
    }

    /// Returns the steps of a merge, or why it is refused now that nobody else writes.
    fn steps(
        &self,
        one: &Allowed<'_>,
        now: jiff::Timestamp,
    ) -> Result<Result<Vec<NoteStep>, String>, MemoryError> {
        let mut seen = Vec::new();
        for read in [one.stays].into_iter().chain(one.others.iter().copied()) {
            let found = self.store.see_note(&read.note.id)?;
            if *blake3::hash(&found.bytes).as_bytes() != read.hash || !found.exists() {
                return Ok(Err("one of its notes has changed since the plan".to_owned()));
            }
            if let Err(error) = found.check_writable() {
                return Ok(Err(error.chain()));
            }
            seen.push(found);
        }
        let texts: Vec<String> = seen.iter().map(text).collect();
        let mut notes = texts.iter().map(String::as_str);
        let (stays, others) = (notes.next().unwrap_or_default(), notes);
        let others: Vec<_> = one.others.iter().map(|read| &read.note).zip(others).collect();
        let changes = merged_fields((&one.stays.note, stays), &others, now);
        let after = match rewrite(stays, &changes, Some(&one.merge.text)) {
            Ok(after) => after,
            Err(why) => return Ok(Err(format!("{} cannot be changed: {why}", one.stays.note.id))),
        };
        let into = one.stays.note.id.clone();
        let mut seen = seen.into_iter();
        let first = seen.next().map(|seen| NoteStep {
            id: into.clone(),
            seen,
            after: Some(after),
            from: None,
            reason: Some(Reason::Superseded),
        });
        let merged = one.others.iter().zip(seen).map(|(read, seen)| NoteStep {
            id: read.note.id.clone(),
            seen,
            after: None,
            from: None,
            reason: Some(Reason::Merged { into: into.clone() }),
        });
        Ok(Ok(first.into_iter().chain(merged).collect()))
    }
}

fn text(seen: &Seen) -> String {
    String::from_utf8_lossy(&seen.bytes).into_owned()
}

/// Parts clusters so that none of the parts is too much for one question.
fn batches(clusters: &[PlannedCluster]) -> Vec<&[PlannedCluster]> {
    let (mut batches, mut rest) = (Vec::new(), clusters);
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = |cluster: &&PlannedCluster| {
            bytes += cluster.notes.iter().map(|note| note.text().len()).sum::<usize>();
            bytes <= BYTES_AT_ONCE
        };
        let count = rest.iter().take(AT_ONCE).take_while(fits).count().max(1);
        let (batch, after) = rest.split_at(count);
        batches.push(batch);
        rest = after;
    }
    batches
}

/// Asks the model about some clusters; where it does not answer with JSON, none of them is merged.
fn ask(client: &Client, clusters: &[PlannedCluster]) -> Vec<Asked> {
    let question = json!({ "clusters": clusters.iter().map(sent).collect::<Vec<_>>() });
    let answer = client.ask(INSTRUCTIONS, &question.to_string());
    let answered = answer.and_then(|words| parse_merges(&json_in(&words)?));
    let refused = |why: &str| {
        let refuse = |cluster: &PlannedCluster| Asked {
            cluster: cluster.id.clone(),
            merge: Err(why.to_owned()),
        };
        clusters.iter().map(refuse).collect::<Vec<_>>()
    };
    let answered = match answered {
        Ok(answered) => answered,
        Err(why) => return refused(&why),
    };
    let is_sent = |id: &str| clusters.iter().any(|cluster| cluster.id == id);
    let mut asked = refused("the model does not merge it");
    asked.retain(|one| !answered.iter().any(|answer| answer.cluster == one.cluster));
    asked.extend(answered.into_iter().map(|answer| {
        if is_sent(&answer.cluster) {
            return answer;
        }
        Asked { merge: Err("the model was not asked about it".to_owned()), ..answer }
    }));
    asked
}

/// Returns a cluster as the model sees it: no more than the merge takes.
fn sent(cluster: &PlannedCluster) -> Value {
    let notes = cluster.notes.iter().map(|note| json!({ "id": note.id, "text": note.text() }));
    json!({
        "id": cluster.id,
        "layer": cluster.layer().as_str(),
        "notes": notes.collect::<Vec<_>>(),
    })
}

impl Consolidated {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let merged = self.merged.iter().map(
            |(cluster, id, archived)| json!({ "cluster": cluster, "id": id, "archived": archived }),
        );
        let refused =
            self.refused.iter().map(|(cluster, why)| json!({ "cluster": cluster, "reason": why }));
        json!({
            "success": true,
            "run": self.run,
            "merged": merged.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
            "warnings": self.warnings,
        })
    }
}
