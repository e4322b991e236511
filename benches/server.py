#!/usr/bin/env python3
"""Times `carnet mcp` and `carnet hook`, beside other memories on the same work, alternately, in one run.

    python3 benches/server.py [--rounds N] [--calls N] [--peer-python PATH] [--server-memory PATH]

Build carnet first (`cargo build --release`). PATH is an interpreter with hermes-agent 0.19.0 from PyPI, and the script
`mcp-server-memory` of the npm package @modelcontextprotocol/server-memory; without them only carnet is timed. The first
answer is that to `initialize`, from the start of the process; a call writes one entry durably (carnet, Hermes' tool in
process) or one observation (server-memory, which syncs nothing). Medians and 95th percentiles, on an idle machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARNET = ROOT / "target/release/carnet"

PEER_CALLS = """
import json, sys, time
from tools.memory_tool import MemoryStore
store = MemoryStore(memory_char_limit=1000000)
store.load_from_disk()
times = []
for number in range(int(sys.argv[1])):
    start = time.perf_counter()
    assert store.add('memory', f'fact number {number} of the peer')['success']
    times.append(time.perf_counter() - start)
print(json.dumps(times))
"""


class Server:
    """An MCP server, spoken to as a client of the handshake does."""

    def __init__(self, command, env):
        start = time.perf_counter()
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.next = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.started = time.perf_counter() - start
        self.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.ask("tools/list", {})
        self.listed = time.perf_counter() - start

    def ask(self, method, params):
        self.next += 1
        message = {"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == self.next:
                return answer

    def call(self, name, arguments):
        start = time.perf_counter()
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        took = time.perf_counter() - start
        if answer.get("error") or answer["result"].get("isError"):
            sys.exit(f"{name}: {json.dumps(answer)[:500]}")
        return took

    def resident(self):
        """MiB that are resident now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def end(self):
        start = time.perf_counter()
        self.process.stdin.close()
        self.process.wait(10)
        return time.perf_counter() - start


def at(times, share):
    """The value below which a share of them lies, in milliseconds."""
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * share))] * 1000


def line(what, times):
    print(f"| {what} | {at(times, 0.5):.2f} ms | {at(times, 0.95):.2f} ms |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--peer-python")
    parser.add_argument("--server-memory")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        home = root / "home"
        profile = home / "profiles/default"
        (profile / "facts").mkdir(parents=True)
        (profile / "config.yaml").write_text("memory_char_limit: 1000000\n")
        entries = "\n§\n".join(f"entry number {n} of memory, some sixty characters long" for n in range(30))
        (profile / "MEMORY.md").write_text(entries)
        (profile / "USER.md").write_text("\n§\n".join(f"entry number {n} of the user" for n in range(30)))
        for number in range(1000):
            (profile / f"facts/{number}.md").write_text(f"Fact number {number}: the heron of year {number} nests in tower {number % 97}.\n")
        env = {"CARNET_HOME": str(home), "PATH": os.environ["PATH"], "HOME": str(root)}
        starts, lists, ends, other_starts = [], [], [], []
        command = ["node", args.server_memory] if args.server_memory else None
        other_env = dict(env, MEMORY_FILE_PATH=str(root / "memory.jsonl"))
        for _ in range(args.rounds):
            server = Server([str(CARNET), "mcp"], env)
            starts.append(server.started)
            lists.append(server.listed)
            ends.append(server.end())
            if command:
                other = Server(command, other_env)
                other_starts.append(other.started)
                other.end()
        server = Server([str(CARNET), "mcp"], env)
        time.sleep(3)
        idle = server.resident()
        adds = [server.call("memory", {"action": "add", "content": f"fact number {n} of the bench"}) for n in range(args.calls)]
        stores = [server.call("memory_store", {"key": f"bench {n}", "content": f"fact number {n}"}) for n in range(args.calls)]
        used = server.resident()
        server.end()
        # Recall is asked of files of their usual size again.
        (profile / "MEMORY.md").write_text(entries)
        server = Server([str(CARNET), "mcp"], env)
        time.sleep(3)
        recalls = [server.call("memory_recall", {"query": f"where does the heron of year {n} nest?"}) for n in range(args.calls)]
        recalled = server.resident()
        server.end()
        hooks = {"session-start": [], "user-prompt-submit": [], "stop": [], "session-end": []}
        for number in range(args.rounds):
            for event, times in hooks.items():
                said = json.dumps({"session_id": f"s-{number}", "source": "startup", "prompt": "hello", "cwd": str(root)})
                start = time.perf_counter()
                subprocess.run([str(CARNET), "hook", event, "--harness", "claude"], input=said.encode(), env=env,
                               stdout=subprocess.DEVNULL, check=True)
                times.append(time.perf_counter() - start)
        print("| what | p50 | p95 |\n| --- | --- | --- |")
        line("server, start to first answer", starts)
        line("server, start to the list of tools", lists)
        line("server, end of input to its end", ends)
        if other_starts:
            line("server-memory, start to first answer", other_starts)
        line("`memory` add, durable", adds)
        line("`memory_store`, durable", stores)
        line("`memory_recall`, 1,000 notes", recalls)
        if args.peer_python:
            hermes = dict(os.environ, HERMES_HOME=str(root / "hermes"))
            out = subprocess.run([args.peer_python, "-c", PEER_CALLS, str(args.calls)], env=hermes, check=True,
                                 capture_output=True, text=True).stdout
            line("hermes-agent's tool, add, in process", json.loads(out.splitlines()[-1]))
        if command:
            other = Server(command, other_env)
            other.call("create_entities", {"entities": [{"name": "bench", "entityType": "test", "observations": []}]})
            wrote = [other.call("add_observations", {"observations": [{"entityName": "bench", "contents": [f"fact number {n} of the bench"]}]})
                     for n in range(args.calls)]
            found = [other.call("search_nodes", {"query": f"number {n} "}) for n in range(args.calls)]
            line("server-memory, add_observations", wrote)
            line("server-memory, search_nodes", found)
            print(f"\nserver-memory resident: {other.resident():.0f} MiB")
            other.end()
        for event, times in hooks.items():
            line(f"`carnet hook {event}`, cold process", times)
        print(f"\ncarnet mcp resident, 1,000 notes: {idle:.0f} MiB idle, {used:.0f} MiB after {2 * args.calls} writes, "
              f"{recalled:.0f} MiB after {args.calls} recalls")


if __name__ == "__main__":
    main()
