//! Where a profile lives, and how far its directory is trusted.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Component, Path, PathBuf},
};

use crate::{
    digest,
    error::MemoryError,
    memory::{Target, preview},
};

/// How far a profile's directory is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A profile under the home directory.
    Own,
    /// A directory that is named by path and is under the home or listed as trusted.
    Listed,
    /// Any other directory that is named by path.
    Untrusted,
}

/// A profile's directory.
#[derive(Clone, Debug)]
pub struct Place {
    /// Name of the profile, or the path where it is named by path.
    pub profile: String,
    /// The directory, absolute.
    pub dir: PathBuf,
    /// How far it is trusted.
    pub trust: Trust,
    /// Where frozen snapshots and indexes are kept: outside a directory that is not trusted, which could bring its own.
    own: Option<PathBuf>,
}

/// Symbolic links followed at most before a loop is assumed, as the kernel does.
const MAX_LINKS: usize = 40;

impl Place {
    /// Returns the profile `name` under `home`.
    pub fn own(home: &Path, name: &str) -> Result<Self, MemoryError> {
        Self::check_name(name)?;
        let dir = home.join("profiles").join(name);
        let own = Some(dir.join(".carnet"));
        Ok(Self { profile: name.to_owned(), dir, trust: Trust::Own, own })
    }

    /// Refuses a name that is not `[a-z0-9][a-z0-9_-]{0,63}`, so that none leads out of the home directory.
    pub fn check_name(name: &str) -> Result<(), MemoryError> {
        let first =
            name.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let rest = name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
        if first && rest && name.len() <= 64 {
            return Ok(());
        }
        let what =
            format!("`{}` is no profile name", preview(&name.escape_debug().to_string(), 80));
        let hint = "use 1 to 64 of a-z, 0-9, - and _, beginning with a letter or a digit";
        Err(MemoryError::bad_request(what, hint))
    }

    /// Returns the profile in the directory `path`; `home` and `trusted` say which directories are ours.
    pub fn at(path: &Path, home: Option<&Path>, trusted: &[PathBuf]) -> Result<Self, MemoryError> {
        if path.exists() && !path.is_dir() {
            let what = format!("{} is not a directory", path.display());
            return Err(MemoryError::bad_request(what, "name the directory that holds MEMORY.md"));
        }
        let dir = std::path::absolute(path).map_err(MemoryError::reading(path))?;
        let dir = resolve(&dir);
        let ours = |root: &PathBuf| root.canonicalize().is_ok_and(|root| dir.starts_with(root));
        let listed = home
            .into_iter()
            .map(Path::to_owned)
            .chain(trusted.iter().cloned())
            .any(|root| ours(&root));
        let trust = if listed { Trust::Listed } else { Trust::Untrusted };
        let name = dir.display().to_string();
        let own = match (trust, home) {
            (Trust::Untrusted, Some(home)) => {
                let hash = digest::hex(dir.as_os_str().as_encoded_bytes());
                Some(home.join("untrusted").join(hash))
            }
            (Trust::Untrusted, None) => None,
            _ => Some(dir.join(".carnet")),
        };
        Ok(Self { profile: name, dir, trust, own })
    }

    /// Returns the path of a file of machine state.
    pub fn state(&self, name: &str) -> PathBuf {
        self.dir.join(".carnet").join(name)
    }

    /// Returns the path of a file of state that only we may have written; `None` where there is no place for it that can be
    /// trusted.
    pub(super) fn own_state(&self, name: &str) -> Option<PathBuf> {
        self.own.as_ref().map(|dir| dir.join(name))
    }

    /// Returns the directory of the indexes; `None` where there is no place for them that can be trusted.
    pub fn index(&self) -> Option<PathBuf> {
        self.own_state("index")
    }

    /// Creates the directory of `path` and those above it where they are missing, for their owner only.
    pub(super) fn create_parent(&self, path: &Path) -> Result<(), MemoryError> {
        let parent = path.parent().unwrap_or(&self.dir);
        self.refuse_links(parent)?;
        let missing: Vec<_> = parent.ancestors().take_while(|dir| !dir.exists()).collect();
        let created = DirBuilder::new().recursive(true).mode(0o700).create(parent);
        // A file in a new directory is as durable as the directory's own name.
        let synced = created
            .and_then(|()| missing.iter().filter_map(|dir| dir.parent()).try_for_each(sync_dir));
        synced.map_err(MemoryError::writing(parent))
    }

    /// Opens a file that carnet keeps for itself; a symbolic link in its place is an error.
    pub(super) fn open(&self, path: &Path, options: &mut OpenOptions) -> io::Result<File> {
        self.refuse_links(path.parent().unwrap_or(&self.dir)).map_err(|error| match error {
            MemoryError::Write { source, .. } => source,
            other => io::Error::other(other.to_string()),
        })?;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path)
    }

    /// Refuses a path that an untrusted profile reaches through a symbolic link of its own.
    pub(super) fn check_parent(&self, path: &Path) -> Result<(), MemoryError> {
        self.refuse_links(path.parent().unwrap_or(&self.dir))
    }

    /// Refuses `dir` where an untrusted profile reaches it through a symbolic link of its own.
    fn refuse_links(&self, dir: &Path) -> Result<(), MemoryError> {
        if self.trust != Trust::Untrusted || !dir.starts_with(&self.dir) {
            return Ok(());
        }
        let inside = dir.ancestors().take_while(|above| *above != self.dir);
        for step in inside {
            if fs::symlink_metadata(step).is_ok_and(|found| found.is_symlink()) {
                let source =
                    io::Error::other("it is a symbolic link in a directory that is not trusted");
                return Err(MemoryError::Write { path: step.to_owned(), source });
            }
        }
        Ok(())
    }

    /// Returns the path of the bounded file itself, symbolic links followed, also to a file that is not there yet.
    pub(super) fn bounded(&self, target: Target) -> Result<PathBuf, MemoryError> {
        let named = self.dir.join(target.file_name());
        let mut path = named.clone();
        for _ in 0..MAX_LINKS {
            match fs::read_link(&path) {
                Ok(link) => path = path.parent().unwrap_or(&self.dir).join(link),
                Err(_) if path == named => return Ok(path),
                Err(_) => {
                    self.refuse_outside(&named, &path)?;
                    return Ok(path);
                }
            }
        }
        Err(MemoryError::Read {
            path: named,
            source: io::Error::other("its symbolic links form a loop"),
        })
    }

    fn refuse_outside(&self, named: &Path, path: &Path) -> Result<(), MemoryError> {
        let parent = path.parent().map(Path::canonicalize);
        let inside = matches!(parent, Some(Ok(parent)) if parent.starts_with(&self.dir));
        if self.trust == Trust::Untrusted && !inside {
            let source = io::Error::other(
                "it is a symbolic link that leaves a directory that is not trusted",
            );
            return Err(MemoryError::Read { path: named.to_owned(), source });
        }
        Ok(())
    }
}

/// Returns `path` with symbolic links followed as far as it exists, and the rest of it without `..`.
fn resolve(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            part => resolved.push(part),
        }
        resolved = resolved.canonicalize().unwrap_or(resolved);
    }
    resolved
}

/// Syncs a directory, so that a name created or renamed in it survives a power cut.
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
