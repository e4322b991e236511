//! What is wrong, and what to do about it.

use super::{IndexStatus, Profile};
use crate::{
    embed::{Embedder, Patience},
    error::MemoryError,
    index::{Damage, Index, Level, LevelIndex, acceleration},
    storage::{IndexLock, Mark},
};

/// How something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Fine,
    /// It works, and could be better.
    Remark,
    /// It does not work.
    Wrong,
}

impl State {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Remark => "note",
            Self::Wrong => "wrong",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it stands.
    pub state: State,
    /// What was found.
    pub what: String,
    /// What to do; empty where there is nothing to do.
    pub hint: String,
}

impl Check {
    /// Returns what was found.
    pub fn new(
        name: impl Into<String>,
        state: State,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), state, what: what.into(), hint: hint.into() }
    }

    /// Returns that something is as it should be.
    pub fn fine(name: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(name, State::Fine, what, "")
    }
}

const REINDEX: &str = "run `carnet reindex`; nothing is lost, as the files are the truth";

impl Profile {
    /// Looks at the files, at the indexes, and at what keeps them up to date.
    pub fn doctor(&self) -> Result<Vec<Check>, MemoryError> {
        let status = self.status()?;
        let place = self.store.place();
        let mut checks = Vec::new();
        checks.push(if place.dir.is_dir() {
            Check::fine("profile", place.dir.display().to_string())
        } else {
            let what = format!("{} does not exist yet", place.dir.display());
            Check::new("profile", State::Remark, what, "the first write creates it")
        });
        for file in &status.files {
            let what = format!("{}, {} entries", file.usage, file.entries);
            checks.push(Check::fine(file.target.file_name(), what));
        }
        let hint = "mend the file in an editor; carnet goes on without it until then";
        let remarks = status.warnings.iter();
        checks.extend(remarks.map(|what| Check::new("warning", State::Remark, what.clone(), hint)));
        self.examine_index(status.index.as_ref(), &mut checks);
        checks.push(self.examine_follower());
        checks.push(self.examine_embedder());
        checks.push(Check::fine("vector kernels", acceleration()));
        Ok(checks)
    }

    fn examine_index(&self, status: Option<&IndexStatus>, checks: &mut Vec<Check>) {
        let place = self.store.place();
        let Some(root) = place.index() else {
            let what = "a directory that is not trusted has no place for indexes: memory answers";
            let hint = "set CARNET_HOME, which keeps them";
            return checks.push(Check::new("index", State::Remark, what, hint));
        };
        let index = match Index::open(&root) {
            Ok(Some(index)) => index,
            Ok(None) => {
                let what = "there is none: memory answers while there are few notes";
                return checks.push(Check::fine("index", what));
            }
            Err(damage) => {
                return checks.push(Check::new("index", State::Wrong, damage.to_string(), REINDEX));
            }
        };
        let behind = status.map_or(0, |status| status.behind);
        let counted = format!("{} notes", index.manifest.len());
        checks.push(if behind == 0 {
            Check::fine("index", format!("{counted}, as the files are now"))
        } else {
            let what = format!("{counted}; {behind} on disk are new, changed or gone since");
            let hint = "recall answers from the files meanwhile; `carnet watch` or `carnet reindex` brings them up to date";
            Check::new("index", State::Remark, what, hint)
        });
        if index.manifest.is_incomplete() {
            let what = "vectors are missing, as the embedder did not answer";
            checks.push(Check::new("vectors", State::Remark, what, REINDEX));
        }
        for level in Level::all() {
            let name = format!("level {}", level.name());
            match index.level(level) {
                Ok(Some(open)) => checks.push(examine_level(name, &open)),
                Ok(None) => {}
                Err(damage) => {
                    checks.push(Check::new(name, State::Wrong, damage.to_string(), REINDEX));
                }
            }
        }
    }

    fn examine_follower(&self) -> Check {
        let place = self.store.place();
        match (IndexLock::is_held(place), Mark::is_current(place)) {
            (_, true) => Check::fine("watch", "a process follows the files"),
            (true, false) => {
                let what = "a process holds the index lock and has not caught up";
                Check::new(
                    "watch",
                    State::Remark,
                    what,
                    "recall looks at the files itself until it has",
                )
            }
            (false, _) => {
                Check::fine("watch", "no process follows the files: each recall looks at them")
            }
        }
    }

    fn examine_embedder(&self) -> Check {
        let mut warnings = Vec::new();
        let Some(embedder) = self.vectors(&mut warnings).embedder else {
            let hint = "correct `embedder` in config.yaml; recall goes by words meanwhile";
            return Check::new("embedder", State::Wrong, warnings.join("; "), hint);
        };
        match embedder.embed(&["carnet"], Patience::Short) {
            Ok(vectors) => {
                let dims = vectors.first().map_or(0, Vec::len);
                Check::fine("embedder", format!("{}, {dims} dimensions", Embedder::name(embedder)))
            }
            Err(error) => {
                let hint = "start it, or correct `embedder` in config.yaml; recall goes by words meanwhile";
                Check::new("embedder", State::Wrong, error.to_string(), hint)
            }
        }
    }
}

/// Checks every file of a level.
fn examine_level(name: String, level: &LevelIndex) -> Check {
    let wrong =
        |damage: &Damage| Check::new(name.clone(), State::Wrong, damage.to_string(), REINDEX);
    if let Err(damage) = level.verify() {
        return wrong(&damage);
    }
    let counts = level.counts();
    let what = format!(
        "{} notes in {} passages; {} of {} rows in the vector index, each file as it was written",
        counts.notes, counts.passages, counts.covered, counts.rows
    );
    match level.hnsw_damage() {
        Some(why) => {
            let hint = "the exact scan answers meanwhile; `carnet watch` or `carnet reindex` makes it anew";
            Check::new(name, State::Wrong, why, hint)
        }
        None => Check::fine(name, what),
    }
}
