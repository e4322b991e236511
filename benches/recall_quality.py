#!/usr/bin/env python3
"""Measures recall through the release binary: recall@1/5/10, nDCG@10 and MRR.

    python3 benches/recall_quality.py SET [SET ...]

A SET is a folder with `corpus.jsonl` ({id, scope, text, speaker?, date?}) and `queries.jsonl` ({id, scope, query, gold: [ids]}),
or one with `entries_dev.jsonl` ({id, lang, text}) and `queries_dev.jsonl` ({id, lang, text, gold}); the latter gives four tasks,
fr and en questions over fr and en entries. The data is not part of this repository. Each question is asked of the notes of its
own scope, one process a question. For each task the last line tells, for calibration, how relevant (0 to 1) the best hit is where
the right note is there, and where it was taken away.
"""

import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

CARNET = Path(__file__).resolve().parent.parent / "target/release/carnet"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def date(text):
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").strftime("%Y-%m-%dT%H:%M:00Z")
    except ValueError:
        return text[:10]


def tasks(folder):
    """Yields (name, {scope: [(id, note)]}, [(scope, question, [gold])])."""
    if (folder / "entries_dev.jsonl").exists():
        entries, queries = lines(folder / "entries_dev.jsonl"), lines(folder / "queries_dev.jsonl")
        for asked in ("fr", "en"):
            for kept in ("fr", "en"):
                notes = {kept: [(e["id"], {"text": e["text"]}) for e in entries if e["lang"] == kept]}
                wanted = [(kept, q["text"], [g for g in q["gold"] if g.endswith(kept)]) for q in queries if q["lang"] == asked]
                yield f"{folder.name} {asked}->{kept}", notes, wanted
        return
    scopes = {}
    for entry in lines(folder / "corpus.jsonl"):
        note = {"text": entry["text"]}
        if entry.get("speaker"):
            note["speaker"] = entry["speaker"]
        if entry.get("date"):
            note["created"] = date(entry["date"])
        scopes.setdefault(entry["scope"], []).append((entry["id"], note))
    wanted = [(q["scope"], q["query"], q["gold"]) for q in lines(folder / "queries.jsonl") if q["gold"]]
    yield folder.name, scopes, wanted


def profile(home, scope, notes):
    env = {"PATH": os.environ["PATH"], "CARNET_HOME": str(home), "CARNET_PROFILE": scope}
    text = "\n".join(json.dumps({"id": id, **note}) for id, note in notes)
    subprocess.run([CARNET, "import", "-", "--quiet"], env=env, input=text.encode(), check=True)
    return env


def ask(env, question, extra=()):
    command = [CARNET, "recall", "--json", "-n", "10", "--threshold", "0", *extra, "--", question]
    done = subprocess.run(command, env=env, capture_output=True)
    return json.loads(done.stdout)["hits"] if done.returncode == 0 else []


def imported(home, scope):
    """The id that each imported note had in the data set."""
    ids = {}
    for path in (home / "profiles" / scope).rglob("*.md"):
        for line in path.read_text().splitlines():
            if line.startswith("import_id: "):
                ids[str(path.relative_to(home / "profiles" / scope))] = json.loads(line[len("import_id: "):])
    return ids


def measure(name, scopes, wanted):
    with tempfile.TemporaryDirectory(prefix="carnet-quality-") as home:
        home = Path(home)
        names = {scope: f"s{number}" for number, scope in enumerate(scopes)}
        envs = {scope: profile(home, names[scope], notes) for scope, notes in scopes.items()}
        ids = {scope: imported(home, names[scope]) for scope in scopes}

        def one(query):
            scope, question, gold = query
            hits = ask(envs[scope], question)
            found = [ids[scope][hit["path"]] for hit in hits]
            relevant = [hit["relevance"] for hit, id in zip(hits, found) if id in gold]
            others = [hit["relevance"] for hit, id in zip(hits, found) if id not in gold]
            return found, set(gold), max(relevant, default=0.0), max(others, default=0.0)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(one, wanted))

    def recall(k):
        return statistics.mean(len(gold & set(found[:k])) / len(gold) for found, gold, _, _ in results)

    def ndcg(found, gold):
        gain = sum(1 / math.log2(rank + 2) for rank, id in enumerate(found[:10]) if id in gold)
        return gain / sum(1 / math.log2(rank + 2) for rank in range(min(10, len(gold))))

    mrr = statistics.mean(next((1 / (rank + 1) for rank, id in enumerate(found) if id in gold), 0) for found, gold, _, _ in results)
    print(
        f"{name:<22} n={len(results):<5} recall@1 {recall(1):.3f}  @5 {recall(5):.3f}  @10 {recall(10):.3f}"
        f"  nDCG@10 {statistics.mean(ndcg(f, g) for f, g, _, _ in results):.3f}  MRR {mrr:.3f}",
        flush=True,
    )
    right, wrong = sorted(r[2] for r in results), sorted(r[3] for r in results)
    line = "   relevance where it is there | where it is not:"
    for threshold in (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5):
        kept = sum(value >= threshold for value in right) / len(right)
        false = sum(value >= threshold for value in wrong) / len(wrong)
        line += f"  {threshold}: {kept:.2f} | {false:.2f}"
    print(line, flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("sets", nargs="+", type=Path)
    if not CARNET.exists():
        sys.exit("build carnet first: cargo build --release")
    for folder in arguments.parse_args().sets:
        for task in tasks(folder):
            measure(*task)


if __name__ == "__main__":
    main()
