//! Links the C++ library of the vector index into the binary, where the system has it in that form: a process that starts
//! and ends in a millisecond spends a third of it on loading the shared one.

use std::{env, fs, path::PathBuf, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    println!("cargo:rerun-if-env-changed=CXX");
    let for_gnu = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux")
        && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu")
        && env::var("HOST") == env::var("TARGET");
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from).filter(|_| for_gnu) else { return };
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let Ok(named) = Command::new(compiler).arg("-print-file-name=libstdc++.a").output() else {
        return;
    };
    let archive = PathBuf::from(String::from_utf8_lossy(&named.stdout).trim().to_owned());
    // A folder with nothing else in it: the linker takes the first folder that has the library in any form.
    let folder = out.join("static");
    if archive.is_absolute()
        && fs::create_dir_all(&folder).is_ok()
        && fs::copy(&archive, folder.join("libstdc++.a")).is_ok()
    {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
}
