#!/usr/bin/env python3
"""Measures carnet at several sizes through the release binary: build rate, latency cold and warm, memory, size on disk.

    python3 benches/scale.py [COUNT ...]        # default: 1000 10000 100000

Notes are made by benches/notes.py. Cold: one process a question, over all questions. Warm: `cargo bench --bench scale`, in a
process that lives on, while a `carnet watch` follows the files.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARNET = ROOT / "target/release/carnet"


def run(home, *args):
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "CARNET_HOME": str(home)}
    start = time.perf_counter()
    done = subprocess.run([CARNET, *args], env=env, capture_output=True, text=True, check=True)
    return (time.perf_counter() - start) * 1000, done.stdout


def cold(home, questions):
    took = sorted(run(home, "recall", "--json", "--", question)[0] for question in questions)
    return f"p50 {statistics.median(took):.1f} ms, p95 {took[len(took) * 95 // 100]:.1f} ms"


def memory(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    values = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in status.splitlines() if line.endswith("kB")}
    return f"{values['VmRSS']:.0f} MiB resident, {values['RssAnon']:.0f} of them not backed by files"


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def changed(home, watch):
    """Seconds from writing a note to the word of the watch that it is indexed."""
    started = time.perf_counter()
    (home / "profiles/default/facts/fresh.md").write_text("The kakapo sleeps in the observatory")
    for line in watch.stdout:
        if "indexed" in line:
            return time.perf_counter() - started


def measure(count, scratch):
    home, notes, questions = scratch / f"home{count}", scratch / f"notes{count}", scratch / f"questions{count}"
    subprocess.run([sys.executable, ROOT / "benches/notes.py", str(count), notes, questions], check=True)
    asked = [json.loads(line)["query"] for line in questions.read_text().splitlines()]
    print(f"\n{count} notes")
    took, _ = run(home, "import", str(notes))
    print(f"  import                      {count / took * 1000:,.0f} notes/s")
    time.sleep(2.5)  # else their times would be too fresh to be trusted, and each recall would hash them again
    took, out = run(home, "reindex", "--json")
    made = json.loads(out)
    indexing = made["indexing_ms"]
    print(f"  text index, flat vectors    {count / indexing * 1000:,.0f} notes/s ({indexing / 1000:.2f} s)")
    print(f"  HNSW                        {count / max(1, made['took_ms'] - indexing) * 1000:,.0f} vectors/s")
    profile = home / "profiles/default"
    index = profile / ".carnet/index"
    print(f"  on disk                     index {size(index):.1f} MiB, notes {size(profile) - size(index):.1f} MiB")
    print(f"  cold, nobody watches        {cold(home, asked)}")
    env = {"PATH": os.environ["PATH"], "CARNET_HOME": str(home)}
    watch = subprocess.Popen([CARNET, "watch"], env=env, stdout=subprocess.PIPE, text=True)
    for line in watch.stdout:
        if "watching" in line:
            break
    time.sleep(2)
    print(f"  cold, with a watch          {cold(home, asked)}")
    print(f"  a new note is indexed after {changed(home, watch) * 1000:.0f} ms")
    time.sleep(3)
    print(f"  watch                       {memory(watch.pid)}")
    bench = ["cargo", "bench", "--quiet", "--bench", "scale", "--", home, notes, questions]
    done = subprocess.run(bench, cwd=ROOT, capture_output=True, text=True)
    print("  " + done.stdout.strip().replace("\n", "\n  ") + done.stderr[-500:])
    watch.send_signal(signal.SIGINT)
    watch.wait()
    shutil.rmtree(home)


def main():
    if not CARNET.exists():
        sys.exit("build carnet first: cargo build --release")
    with tempfile.TemporaryDirectory(prefix="carnet-scale-") as scratch:
        for count in [int(arg) for arg in sys.argv[1:]] or [1000, 10000, 100000]:
            measure(count, Path(scratch))


if __name__ == "__main__":
    main()
