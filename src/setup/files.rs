//! Reading and writing the files of other programs.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use fs4::FileExt;

use crate::{
    error::MemoryError,
    whole::{TEMPORARY, TEMPORARY_END, beside},
};

/// Larger files are no settings.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Reads a file as text; `None` where there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, MemoryError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(MemoryError::reading(path)(error)),
        Ok(found) if !found.is_file() || found.len() > MAX_BYTES => {
            let what = format!("{} is no file of settings", path.display());
            return Err(MemoryError::bad_request(what, "move it away, then try again"));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(MemoryError::reading(path))?;
    String::from_utf8(bytes).map(Some).map_err(|error| MemoryError::NotUtf8 {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })
}

/// Writes a file whole, through a link; an existing one keeps its mode.
pub(super) fn write(path: &Path, text: &str, mode: u32) -> Result<(), MemoryError> {
    let target = target(path);
    let kept = fs::metadata(&target).map(|found| found.permissions());
    let permissions = kept.unwrap_or_else(|_| Permissions::from_mode(mode));
    beside(&target, text.as_bytes())
        .and_then(|temporary| {
            temporary.as_file().set_permissions(permissions)?;
            temporary.as_file().sync_all()?;
            temporary.persist(&target).map_err(|failed| failed.error)
        })
        .map(drop)
        .map_err(MemoryError::writing(path))
}

/// Holds the lock of setups under the home directory of carnet.
pub(super) fn lock(home: &Path) -> Result<File, MemoryError> {
    create_folder(home, 0o700)?;
    let path = home.join("setup.lock");
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path);
    let locked = file.and_then(|file| FileExt::lock(&file).map(|()| file));
    locked.map_err(MemoryError::writing(path))
}

/// How old a temporary file is whose writer was killed.
const ABANDONED: Duration = Duration::from_secs(60);

/// Removes temporary files of killed setups from a folder: they are copies of settings.
pub(super) fn sweep(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with(TEMPORARY) && name.ends_with(TEMPORARY_END);
        let age = file.metadata().and_then(|found| found.modified()).ok();
        let is_old = age.is_some_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED));
        if is_ours && is_old {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Removes a file; where a link leads to it, that file and not the link.
pub(super) fn remove(path: &Path) -> Result<(), MemoryError> {
    match fs::remove_file(target(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(MemoryError::writing(path)(error)),
        _ => Ok(()),
    }
}

/// Creates a folder and those above it, and returns those that were missing.
pub(super) fn create_folder(folder: &Path, mode: u32) -> Result<Vec<PathBuf>, MemoryError> {
    let missing: Vec<_> =
        folder.ancestors().take_while(|it| !it.exists()).map(Path::to_owned).collect();
    let created = fs::DirBuilder::new().recursive(true).mode(mode).create(folder);
    created.map_err(MemoryError::writing(folder))?;
    Ok(missing)
}

/// Returns the file that a link leads to, also where that is missing.
fn target(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("/")).join(next);
    }
    target
}
