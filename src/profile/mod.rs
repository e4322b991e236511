//! A profile, open: the API of every interface.

mod arrivals;
mod ask;
mod audit;
mod call;
mod consolidate;
mod doctor;
mod draft;
mod edit;
mod erase;
mod export;
mod extract;
mod extras;
mod forget;
mod history;
mod hook;
mod import;
mod indexes;
mod keep;
mod keyed;
mod links;
mod maintain;
mod merge;
mod narrow;
mod open_items;
mod reading;
mod recall;
mod remember;
mod review;
mod sessions;
mod shelf;
mod snapshot;
mod undo_notes;
mod watch;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use jiff::Timestamp;

pub use ask::parse_bound;
pub use consolidate::{Consolidation, PlannedCluster, PlannedContradiction};
pub use doctor::{Check, State};
pub use draft::Draft;
pub use edit::EditRequest;
pub use erase::Erased;
pub use export::{ExportForm, ExportRequest, Exported};
pub use extract::Conversation;
pub use forget::{Forgotten, Meant};
pub use history::{Restored, Undone};
pub use hook::Hooked;
pub use import::{ImportFrom, ImportReport, ImportRequest, Skipped};
pub use indexes::{IndexStatus, Reindexed};
pub use links::Linked;
pub use maintain::Maintained;
pub use merge::Consolidated;
pub use narrow::TimeWords;
pub use open_items::OpenItem;
pub use reading::{FileState, FileStatus, Listing, Status};
pub use recall::{RecallRequest, Recalled};
pub use remember::Remembered;
pub use review::Approved;
pub use sessions::SessionKept;
use sessions::{conversation, turns_in};
pub use shelf::{ListRequest, key_of, note_to_json};
pub use snapshot::{Snapshot, SnapshotRequest};
pub use watch::Watched;

use crate::{
    config::{Config, Environment},
    embed::{EmbedError, Embedder},
    error::{Holder, MemoryError},
    index::Index,
    storage::{Author, Owner, Place, Refusals, Store, Trust, holder},
};

/// Which profile to open.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The directory of all profiles; `~/.carnet` by default.
    pub home: Option<PathBuf>,
    /// Name of the profile; `default` by default.
    pub profile: Option<String>,
    /// A directory to use as a profile, in place of a name.
    pub dir: Option<PathBuf>,
    /// The session that refusals in a row are counted for across processes.
    pub session: Option<String>,
}

impl Options {
    /// Takes home, profile and session from the environment.
    pub fn of_environment(environment: &Environment) -> Self {
        Self {
            home: environment.home.clone(),
            profile: environment.profile.clone(),
            dir: None,
            session: environment.session.clone(),
        }
    }
}

/// On whose behalf a profile is open.
#[derive(Debug)]
enum Hand {
    /// A person's.
    Person,
    /// An agent's, one call at a time.
    Tool { client: String },
    /// An agent's, for as long as it lives; without the owner lock it only reads.
    Agent { who: Holder, owner: Mutex<Option<Owner>> },
}

/// One memory directory, open.
#[derive(Debug)]
pub struct Profile {
    store: Store,
    config: Config,
    hand: Hand,
    session: Option<String>,
    refusals: Mutex<Refusals>,
    /// What an agent was shown and has not confirmed yet.
    waiting_for: Mutex<Vec<forget::Shown>>,
    /// Opened at the first question.
    embedder: OnceLock<Result<Box<dyn Embedder>, EmbedError>>,
    /// The indexes of the latest generation that was asked.
    indexes: Mutex<Option<Arc<Index>>>,
    /// What was asked beside them.
    overlay: Mutex<Option<Arc<recall::Overlay>>>,
}

impl Profile {
    /// Opens a profile for an agent, which holds it for the life of the value.
    ///
    /// Where another agent holds it, this one reads only; each write tries the lock again.
    pub fn open(options: &Options, client: &str) -> Result<Self, MemoryError> {
        let who = Holder {
            pid: std::process::id(),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            client: client.to_owned(),
            since: format!("{:.0}", Timestamp::now()),
            told: None,
        };
        let profile = Self::of(options, Hand::Agent { who, owner: Mutex::default() })?;
        match profile.hold() {
            // A directory that cannot be written can still be read.
            Err(MemoryError::Write { .. }) | Ok(()) => Ok(profile),
            Err(error) => Err(error),
        }
    }

    /// Opens a profile for a person: only single writes are locked.
    pub fn open_by_hand(options: &Options) -> Result<Self, MemoryError> {
        Self::of(options, Hand::Person)
    }

    /// Opens a profile for one call of an agent: locked as a person's, but counted as an agent's.
    pub fn open_for_tool(options: &Options, client: &str) -> Result<Self, MemoryError> {
        Self::of(options, Hand::Tool { client: client.to_owned() })
    }

    fn of(options: &Options, hand: Hand) -> Result<Self, MemoryError> {
        let home = options.home.as_deref();
        let config = home.map_or_else(|| Ok(Config::default()), Config::of_home)?;
        let place = match (&options.dir, home) {
            (Some(dir), _) => Place::at(dir, home, &config.trusted)?,
            (None, Some(home)) => {
                Place::own(home, options.profile.as_deref().unwrap_or("default"))?
            }
            (None, None) => {
                let what = "neither CARNET_HOME nor HOME is set, so there is no profile to open";
                return Err(MemoryError::bad_request(
                    what,
                    "set CARNET_HOME, or name a directory with --dir",
                ));
            }
        };
        let mut config = config.with_profile(&place.dir, place.trust != Trust::Untrusted)?;
        let is_named = options.dir.is_some() || options.profile.is_some();
        if is_named && !place.dir.is_dir() {
            config.warnings.push(format!(
                "{} does not exist yet; the first write creates it",
                place.dir.display()
            ));
        }
        let store = Store::new(place);
        Ok(Self {
            store,
            config,
            hand,
            session: options.session.clone(),
            refusals: Mutex::default(),
            waiting_for: Mutex::default(),
            embedder: OnceLock::new(),
            indexes: Mutex::default(),
            overlay: Mutex::default(),
        })
    }

    /// Returns the name of the profile, or its path where it was named by path.
    pub fn name(&self) -> &str {
        &self.store.place().profile
    }

    /// Returns the configuration in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns whether this value may write: always for a person, for an agent while it holds the profile.
    pub fn may_write(&self) -> bool {
        match &self.hand {
            Hand::Person | Hand::Tool { .. } => true,
            Hand::Agent { owner, .. } => {
                owner.lock().unwrap_or_else(PoisonError::into_inner).is_some()
            }
        }
    }

    /// Takes the owner lock where it is free; nothing to do for a person.
    fn hold(&self) -> Result<(), MemoryError> {
        let Hand::Agent { who, owner } = &self.hand else { return Ok(()) };
        let mut owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
        if owner.is_none() {
            *owner = Owner::take(self.store.place(), self.config.sharing, who)?;
        }
        Ok(())
    }

    /// Notes beside the owner lock that the client was told the snapshot of this digest, so that no hook tells it again.
    pub fn tell(&self, digest: &str) {
        let Hand::Agent { who, owner } = &self.hand else { return };
        let owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = owner.as_ref() {
            let who = Holder { told: Some(digest.to_owned()), ..who.clone() };
            // Without it the snapshot stands twice in the prompt.
            let _ = owner.say(self.store.place(), &who);
        }
    }

    /// Refuses a write that this value may not make.
    fn check_write(&self) -> Result<(), MemoryError> {
        self.hold()?;
        if self.may_write() {
            return Ok(());
        }
        let holder = holder(self.store.place()).flatten().map(Box::new);
        Err(MemoryError::ProfileLocked { profile: self.name().to_owned(), holder })
    }

    fn author(&self) -> Author {
        match self.hand {
            Hand::Person => Author::Person,
            Hand::Tool { .. } | Hand::Agent { .. } => Author::Agent,
        }
    }

    fn client(&self) -> Option<&str> {
        match &self.hand {
            Hand::Person => None,
            Hand::Tool { client } => Some(client),
            Hand::Agent { who, .. } => Some(&who.client),
        }
    }
}
