#!/usr/bin/env python3
"""Measures the notebook at real sizes through the release binary: facts set, listed and erased, and a plan of what to merge.

    python3 benches/notebook.py [--facts N] [--plan N] [--rounds N]      # default: 100000, 10000, 30

Build carnet first (`cargo build --release`). Facts are made here, one in fifty of the category `network`; the notes of the plan are
those of benches/notes.py. Each figure is that of a cold process, its start included. Beside a set stands the bare cost of the
syncs of the same writes: the note, the journal and the directory. Medians and 95th percentiles, on an idle machine.
"""

import argparse
import json
import os
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
    done = subprocess.run([CARNET, *args], env=env, capture_output=True, text=True)
    took = (time.perf_counter() - start) * 1000
    if done.returncode:
        sys.exit(f"carnet {' '.join(args)}: {done.stderr}")
    return took, done.stdout


def line(what, times, note=""):
    times = sorted(times)
    print(f"  {what:<48} p50 {statistics.median(times):8.1f} ms   p95 {times[len(times) * 95 // 100]:8.1f} ms   {note}")


def bare_syncs(directory, number):
    """What a durable write of a new note asks of the disk, and nothing else."""
    start = time.perf_counter()
    path = directory / f"bare-{number}.tmp"
    with open(path, "w") as file:
        file.write("---\nkey: bare\n---\nA fact of some sixty characters, and no more than that\n")
        file.flush()
        os.fsync(file.fileno())
    with open(directory / "bare.jsonl", "a") as journal:
        journal.write('{"at":"2026-01-01T00:00:00Z","op":"add","id":"x"}\n')
        journal.flush()
        os.fsync(journal.fileno())
    os.rename(path, directory / f"bare-{number}.md")
    folder = os.open(directory, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return (time.perf_counter() - start) * 1000


def facts(home, count):
    profile = home / "profiles/default"
    for number in range(count):
        category = "network" if number % 50 == 0 else f"topic{number % 29}"
        folder = profile / "facts" / category
        if number < 1500:
            folder.mkdir(parents=True, exist_ok=True)
        (folder / f"fact_{number}.md").write_text(
            f"---\nkey: fact_{number}\ncategory: {category}\nconfidence: {0.5 + number % 50 / 100:.2f}\nsource: user\n"
            f"created: 2026-0{1 + number % 9}-11T10:00:00Z\nupdated: 2026-0{1 + number % 9}-12T10:00:00Z\n---\n"
            f"Machine number {number} in hall {number % 97} listens on port {1024 + number % 60000}\n")


def sets(home, rounds, label):
    new = [run(home, "fact", "set", f"{label} {n}", f"The {label} number {n} was set by the bench")[0] for n in range(rounds)]
    again = [run(home, "fact", "set", f"{label} {n}", f"The {label} number {n} was set anew")[0] for n in range(rounds)]
    line(f"fact set, a new key, {label}", new)
    line(f"fact set, a key that is known, {label}", again)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--plan", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        home = Path(root) / "facts"
        profile = home / "profiles/default"
        facts(home, args.facts)
        time.sleep(2.5)
        print(f"{args.facts} facts")
        line("reindex", [run(home, "reindex")[0]])
        bare = profile / ".carnet/bare"
        bare.mkdir()
        line("bare syncs of one write", [bare_syncs(bare, n) for n in range(args.rounds)])
        sets(home, args.rounds, "lone")
        time.sleep(2.5)
        run(home, "recall", "machine")
        listed = [run(home, "fact", "list", "--category", "network", "--json") for _ in range(args.rounds)]
        line("fact list of a category", [took for took, _ in listed], f"{len(json.loads(listed[0][1])['facts'])} facts, aim: 50 ms")
        watch = subprocess.Popen([CARNET, "watch"], env={"PATH": os.environ["PATH"], "CARNET_HOME": str(home)},
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        next(found for found in watch.stdout if "watching" in found)
        time.sleep(2)
        sets(home, args.rounds, "watched")
        time.sleep(1)
        listed = [run(home, "fact", "list", "--category", "network", "--json")[0] for _ in range(args.rounds)]
        line("fact list of a category, watched", listed, "aim: 50 ms")
        watch.send_signal(signal.SIGINT)
        watch.wait(10)
        line("forget --erase of one", [run(home, "forget", "--match", "Machine number 77777 ", "--erase", "--yes")[0]], "aim: 40,000 ms")
        found = run(home, "recall", "Machine number 77777", "--json")[1]
        if any("number 77777 " in hit["text"] for hit in json.loads(found)["hits"]):
            sys.exit("it was not erased")
        home, notes = Path(root) / "plan", Path(root) / "notes.jsonl"
        subprocess.run([sys.executable, ROOT / "benches/notes.py", str(args.plan), notes, Path(root) / "asked"], check=True)
        run(home, "import", str(notes))
        print(f"{args.plan} notes")
        plans = [run(home, "consolidate", "--plan", "--json") for _ in range(3)]
        line("consolidate --plan", [took for took, _ in plans], f"{len(json.loads(plans[0][1])['clusters'])} clusters, aim: 10,000 ms")


if __name__ == "__main__":
    main()
