// Written by `carnet setup opencode`, and taken out by `carnet setup opencode --remove`.
//
// Shows the agent its memory in the system prompt, and tells carnet when a session ends or is compacted. Whatever fails
// here, opencode goes on without it.
import { spawn } from "node:child_process"

const LAUNCH = {"command":["carnet"],"env":{}}

/** How long a hook may take, in milliseconds. */
const PATIENCE = 10000

/** Runs one hook and returns its answer; an empty one where it fails or takes too long. */
const hook = (event, input, patience = PATIENCE) =>
  new Promise((resolve) => {
    let child, timer
    const answer = (text) => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(text) ?? {})
      } catch {
        resolve({})
      }
    }
    try {
      const [program, ...flags] = LAUNCH.command
      child = spawn(program, [...flags, "hook", event, "--harness", "opencode"], {
        env: { ...process.env, ...LAUNCH.env },
        stdio: ["pipe", "pipe", "ignore"],
      })
    } catch {
      return answer("")
    }
    let text = ""
    timer = setTimeout(() => {
      child.kill("SIGKILL")
      answer("")
    }, patience)
    child.on("error", () => answer(""))
    child.on("close", (code) => answer(code === 0 ? text : ""))
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (piece) => (text += piece))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(input))
  })

const context = (answer) => {
  const text = answer?.hookSpecificOutput?.additionalContext
  return typeof text === "string" ? text : ""
}

export const Carnet = async ({ directory }) => {
  /** The memory of each session, asked for once: another text in the next request would cost the prompt cache. */
  const memories = new Map()
  /** The session that each subagent's session was started from. */
  const parents = new Map()
  const root = (id) => {
    for (let steps = 0; parents.has(id) && steps < 100; steps++) id = parents.get(id)
    return id
  }
  const input = (id, event, more) => ({ session_id: id, cwd: directory, hook_event_name: event, ...more })
  const memory = (id) => {
    if (!memories.has(id))
      memories.set(id, hook("session-start", input(id, "SessionStart", { source: "startup" })).then(context))
    return memories.get(id)
  }
  return {
    event: async ({ event }) => {
      const about = event?.properties ?? {}
      const id = about.info?.id ?? about.sessionID
      if (!id) return
      if (event.type === "session.created" && about.info?.parentID) parents.set(id, about.info.parentID)
      if (event.type === "session.idle" && !parents.has(id)) await hook("stop", input(id, "Stop"))
      if (event.type === "session.deleted") {
        if (memories.delete(id)) await hook("session-end", input(id, "SessionEnd", { reason: "other" }))
        parents.delete(id)
      }
    },
    "experimental.chat.system.transform": async (request, output) => {
      // Without a session there is nothing to freeze the text for.
      if (!request?.sessionID) return
      const text = await memory(root(request.sessionID))
      // The server's instructions may show the same block, with other line ends.
      const block = text.split("\n").slice(3, -1).join("\n")
      const isShown = (part) => part.replaceAll("\u2028", "\n").includes(block)
      if (text && !output.system.some(isShown)) output.system.push(text)
    },
    "experimental.session.compacting": async (request) => {
      if (request?.sessionID) await hook("pre-compact", input(root(request.sessionID), "PreCompact", { trigger: "auto" }))
    },
    dispose: async () => {
      const ids = [...memories.keys()]
      await Promise.all(ids.map((id) => hook("session-end", input(id, "SessionEnd", { reason: "other" }), 3000)))
    },
  }
}
