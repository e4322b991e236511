#!/usr/bin/env python3
"""Times carnet and, where it is installed, hermes-agent 0.19.0 on the same work, alternately, in one run.

    python3 benches/against_peer.py [--rounds N] [--peer-python PATH]

Build carnet first (`cargo build --release`). PATH is an interpreter with the package from PyPI (`pip install
hermes-agent==0.19.0`); without one only carnet is timed. Every figure is a median of N rounds on an idle machine.
The bare cost of the syncs of a durable write is measured in the same run, by doing nothing else.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARNET = ROOT / "target/release/carnet"

PEER_SNAPSHOT = """
from tools.memory_tool import MemoryStore
store = MemoryStore()
store.load_from_disk()
print(store.format_for_system_prompt('memory'))
print(store.format_for_system_prompt('user'))
"""

PEER_ADD = """
import sys
from tools.memory_tool import MemoryStore
store = MemoryStore(memory_char_limit=1000000)
store.load_from_disk()
assert store.add('memory', sys.argv[1])['success']
"""

# The work alone, without start and imports: what a long-lived agent pays.
PEER_IN_PROCESS = """
import statistics, sys, time
from tools.memory_tool import MemoryStore
rounds = int(sys.argv[1])
loads, adds = [], []
for number in range(rounds):
    store = MemoryStore(memory_char_limit=1000000)
    start = time.perf_counter()
    store.load_from_disk()
    store.format_for_system_prompt('memory')
    loads.append(time.perf_counter() - start)
for number in range(rounds):
    start = time.perf_counter()
    assert store.add('user', f'n {number}')['success']
    adds.append(time.perf_counter() - start)
print(statistics.median(loads) * 1000, statistics.median(adds) * 1000)
"""


def timed(command, env):
    start = time.perf_counter()
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    elapsed = (time.perf_counter() - start) * 1000
    if done.returncode != 0:
        sys.exit(f"{command[:3]} failed: {done.stderr.decode()}")
    return elapsed


def bare_syncs(directory, size):
    """A temporary file written and synced, renamed, its directory synced: what an add cannot do without."""
    start = time.perf_counter()
    path = directory / "bare.tmp"
    with open(path, "wb") as file:
        file.write(b"x" * size)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path, directory / "bare")
    handle = os.open(directory, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
    return (time.perf_counter() - start) * 1000


def alternately(rounds, **tasks):
    """Runs the tasks in turn, `rounds` times after one round to warm up; returns the median of each."""
    times = {name: [] for name in tasks}
    for number in range(-1, rounds):
        for name, task in tasks.items():
            elapsed = task(number)
            if number >= 0:
                times[name].append(elapsed)
    return {name: statistics.median(values) for name, values in times.items()}


def line(what, ours, theirs=None, note=""):
    peer = f"{theirs:9.2f} ms   {theirs / ours:6.1f}x" if theirs is not None else "        -         -"
    print(f"{what:<44} {ours:9.2f} ms   {peer}   {note}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=40)
    arguments.add_argument("--peer-python", default=os.environ.get("CARNET_PEER_PYTHON", sys.executable))
    arguments = arguments.parse_args()
    if not CARNET.exists():
        sys.exit("build carnet first: cargo build --release")
    probe = [arguments.peer_python, "-c", "import tools.memory_tool"]
    peer = subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0
    if not peer:
        print(f"{arguments.peer_python} has no hermes-agent: only carnet is timed")

    with tempfile.TemporaryDirectory(prefix="carnet-bench-") as scratch:
        scratch = Path(scratch)
        theirs = scratch / "hermes/memories"
        ours = scratch / "home/profiles/default"
        for directory in (theirs, ours):
            directory.mkdir(parents=True)
        env = {"PATH": os.environ["PATH"], "CARNET_HOME": str(scratch / "home"), "HERMES_HOME": str(scratch / "hermes")}
        (scratch / "home/config.yaml").write_text("memory_char_limit: 1000000\n")

        # Two files near their limits: the snapshot of an ordinary profile.
        memory = "\n§\n".join(f"Fact {n:02}: the service listens on port {8000 + n} behind the proxy" for n in range(36))
        user = "\n§\n".join(f"Preference {n:02}: answers in short bullet points" for n in range(26))
        for directory in (theirs, ours):
            (directory / "MEMORY.md").write_text(memory)
            (directory / "USER.md").write_text(user)
        print(f"{'':<44} {'carnet':>12}   {'peer':>12}   {'ratio':>6}")

        def run(program, *args):
            return lambda number: timed([*program, *(a.format(n=number) for a in args)], env)

        python = [arguments.peer_python, "-c"]
        tasks = {"ours": run([str(CARNET)], "snapshot")}
        if peer:
            tasks["theirs"] = run([*python, PEER_SNAPSHOT])
        medians = alternately(arguments.rounds, **tasks)
        line("cold start to rendered snapshot", medians["ours"], medians.get("theirs"), "aim: <= 5 ms, >= 20x")

        size = len(memory.encode())
        tasks = {
            "ours": run([str(CARNET)], "add", "a durable fact, number {n}"),
            "bare": lambda number: bare_syncs(scratch, size),
        }
        if peer:
            tasks["theirs"] = run([*python, PEER_ADD], "a durable fact, number {n}")
        medians = alternately(arguments.rounds, **tasks)
        line("durable add, cold process", medians["ours"], medians.get("theirs"))
        over = medians["ours"] - medians["bare"]
        print(f"{'  over the bare cost of its syncs':<44} {over:9.2f} ms   (syncs: {medians['bare']:.2f} ms)   aim: <= 3 ms")

        (theirs / "MEMORY.md").write_text("\n§\n".join(f"fact {n:03}" for n in range(200)))
        (theirs / "USER.md").write_text("")
        loaded = scratch / "load"
        loaded.mkdir()
        bench = subprocess.run(
            ["cargo", "bench", "--quiet", "--bench", "load"],
            cwd=ROOT, env={**os.environ, "CARNET_BENCH_DIR": str(loaded)}, capture_output=True, text=True,
        )
        if bench.returncode != 0:
            sys.exit(bench.stderr)
        mine, mine_added = (float(part.split()[0]) / 1000 for part in bench.stdout.split("median")[1:])
        other = added = None
        if peer:
            done = subprocess.run([*python, PEER_IN_PROCESS, "100"], env=env, capture_output=True, text=True)
            other, added = (float(word) for word in done.stdout.split())
        line("load, scan and render 200 entries, in process", mine, other)
        line("durable add, in process", mine_added, added, "the peer syncs the file and not its directory, and keeps no journal")


if __name__ == "__main__":
    main()
