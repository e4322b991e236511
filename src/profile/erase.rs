//! Erasing for good: out of every file and file name, and out of what machine state holds.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{FileState, Forgotten, Meant, Profile, reading::state};
use crate::{
    error::MemoryError,
    lifecycle::Selector,
    memory::EntryId,
    notes::{Layer, Note, split},
    recall::Progress,
    storage::{Author, IndexLock, Needles, Tombstones, read_text, scan, store_receipt},
};

/// What was erased.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Erased {
    /// How many entries and notes, the archive's among them.
    pub count: usize,
    /// Keyed hashes of their texts.
    pub hashes: Vec<String>,
    /// What still holds a text and could not be reached, one line each.
    pub left: Vec<String>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

impl Erased {
    /// Returns the receipt: it names nothing of what was erased.
    pub fn to_json(&self) -> Value {
        json!({
            "success": self.left.is_empty(),
            "erased": self.count,
            "hashes": self.hashes,
            "left": self.left,
            "beyond": BEYOND,
            "warnings": self.warnings,
        })
    }
}

/// What carnet cannot reach, whatever was erased.
const BEYOND: [&str; 4] = [
    "copies of the directory: backups, version control, other machines",
    "what a client or a model was told before: its transcripts, its provider",
    "what an editor or a shell keeps outside the profile",
    "blocks of the disk that the file system has freed",
];

/// Times the directory is looked through: a process that follows the files may write at the same time.
const LOOKS: usize = 3;

impl Profile {
    /// Returns what an erase of `selector` would touch: what is meant, and all that the archive holds of it.
    pub fn meant_for_good(
        &self,
        selector: &Selector,
    ) -> Result<(Vec<Meant>, Vec<String>), MemoryError> {
        let (mut meant, warnings) = self.meant(selector)?;
        let ids: Vec<String> = meant.iter().map(|one| one.id.clone()).collect();
        let place = self.store.place();
        for file in scan(place, &[Layer::Archive]).files {
            let Some(text) = read_text(place, &file.id) else { continue };
            let note = Note::read(&file.id, Layer::Archive, &text, Timestamp::UNIX_EPOCH);
            let origin = origin_of(&text);
            let is_of = origin.as_ref().is_some_and(|origin| ids.contains(origin));
            if is_of || selector.takes_note(&note, &text) {
                meant.push(Meant::of(file.id, Layer::Archive, text.as_bytes(), note.text()));
            }
        }
        Ok((meant, warnings))
    }

    /// Erases what is meant, archived texts of it included; what is in memory goes to the archive first, so that a crash leaves
    /// it there, and the same command finishes.
    pub fn erase(
        &self,
        meant: &[Meant],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Erased, MemoryError> {
        self.check_write()?;
        let place = self.store.place();
        let mut texts = Vec::new();
        let mut names: Vec<String> = meant.iter().map(|one| one.id.clone()).collect();
        for one in meant {
            let (text, own) = self.whole(one);
            texts.push(text);
            names.extend(own);
        }
        let living: Vec<Meant> =
            meant.iter().filter(|one| one.layer != Layer::Archive).cloned().collect();
        let Forgotten { mut warnings, .. } = self.forget(&living)?;
        let mut archived: Vec<String> = meant
            .iter()
            .filter(|one| one.layer == Layer::Archive)
            .map(|one| one.id.clone())
            .collect();
        // What has just been archived, and whatever went there before of the same.
        for file in scan(place, &[Layer::Archive]).files {
            let origin = read_text(place, &file.id).and_then(|text| origin_of(&text));
            if origin.is_some_and(|origin| names.contains(&origin)) && !archived.contains(&file.id)
            {
                archived.push(file.id);
            }
        }
        names.extend(archived.iter().cloned());
        let mut stones = Tombstones::open(place)?;
        let needles = Needles::of(&texts, &names);
        let had_index = place.index().is_some_and(|index| index.exists());
        warnings.extend(self.store.purge(&needles, &archived, &stones)?);
        stones.add(place, texts.iter().map(String::as_str))?;
        let hashes: Vec<_> = texts.iter().map(|text| stones.hash(text)).collect();
        let mut erased = Erased { count: meant.len(), hashes, warnings, ..Erased::default() };
        // Whoever follows the files makes them anew.
        if had_index
            && !IndexLock::is_held(place)
            && let Err(error) = self.reindex(progress, &mut erased.warnings)
        {
            erased.warnings.push(format!("the indexes are made anew later: {}", error.chain()));
        }
        let mut left = self.store.left(&needles);
        for _ in 1..LOOKS {
            if left.is_empty() {
                break;
            }
            erased.warnings.extend(self.store.purge(&needles, &[], &stones)?);
            left = self.store.left(&needles);
        }
        erased.left = left
            .into_iter()
            .map(|left| {
                let whose =
                    if left.editors { "an editor's own file" } else { "it was not asked for" };
                format!("{} still holds it ({whose})", left.path.display())
            })
            .collect();
        store_receipt(place, &json!({ "at": Timestamp::now(), "receipt": erased.to_json() }))?;
        Ok(erased)
    }

    /// Returns the whole text of what is meant, and what names it beside its id.
    fn whole(&self, one: &Meant) -> (String, Vec<String>) {
        if EntryId::parse(&one.id).is_some() {
            return (self.words(&one.id).unwrap_or_else(|| one.text.clone()), Vec::new());
        }
        let text = read_text(self.store.place(), &one.id).unwrap_or_default();
        let note = Note::read(&one.id, one.layer, &text, Timestamp::UNIX_EPOCH);
        let stem = one.id.rsplit('/').next().unwrap_or_default().to_owned();
        let mut names = vec![stem];
        names.extend(note.fields.key.clone());
        // An archived note is the whole file of one, front matter included.
        let body = note.text();
        let inner = split(body).and_then(|(_, at)| body.get(at..)).unwrap_or(body);
        (inner.trim().to_owned(), names)
    }
}

impl Profile {
    /// Refuses an agent a text that a person had erased.
    pub(super) fn refuse_erased(&self, text: &str) -> Result<(), MemoryError> {
        let is_known = |stones: Tombstones| stones.hold(text);
        if self.author() == Author::Agent
            && Tombstones::load(self.store.place()).is_some_and(is_known)
        {
            let what = "the user had this erased, and it is not learned again";
            return Err(MemoryError::bad_request(what, "go on without it"));
        }
        Ok(())
    }

    /// Returns what tells whether something was erased since; `None` where nothing ever was.
    pub fn erased_state(&self) -> Option<FileState> {
        state(&self.store.place().state("erased/tombstones"))
    }
}

/// Returns the id of the entry or note that an archived one was.
fn origin_of(text: &str) -> Option<String> {
    let head = text.strip_prefix("---\n")?.split("\n---\n").next()?;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    let entry = field("entry: ").map(str::to_owned);
    entry.or_else(|| serde_json::from_str(field("origin: ")?).ok())
}
