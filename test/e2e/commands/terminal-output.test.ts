// Whatever notes, rows, conversations, file names and configurations hold, no
// command sends it to a terminal as anything but visible text.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { operatingSystem } from "../../../src/kernel/kernel.ts";
import { HOSTS } from "../../../src/setup/hosts/known-hosts.ts";
import { sampled } from "../../campaign.ts";
import { NODE } from "../../processes/child.ts";
import { collect, environmentIn, PROGRAM, runProgram, temporaryFolder } from "../../processes/program.ts";
import { hasTerminal, inTerminal } from "../../processes/terminal.ts";

const ESCAPE = "\u001B";
/** Colours, a window's title, the clipboard, both kinds of controls, a forged line, bidi controls and hidden letters. */
const HOSTILE = `${ESCAPE}[31mred${ESCAPE}]0;title\u0007${ESCAPE}]52;c;eA==\u0007\u009B2J\u0085\u007F\b\r\nFORGED \u202Egnp\u2066x\u2069\u200F\u061C\u2028\u{E0041}`;
/** What a file's name can hold of it, on systems that allow it. */
const HOSTILE_NAME = HOSTILE.replaceAll("/", "");
/** What JSON and TOML can hold of it as it is. */
const BEYOND_C0 = "\u009B2J\u0085 \u202Egnp\u2066x\u2069\u200F\u061C\u{E0041}";
const RAW = /(?!\n)[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;
/** The colours that the program itself uses, where they are wanted. */
const OWN_COLOURS = new RegExp(`${ESCAPE}\\[(?:1|22|7|27|31|32|39)m`, "g");

const canName = process.platform !== "win32";
const home = temporaryFolder();
const vault = join(home, canName ? `notes ${HOSTILE_NAME}` : "notes");
const outline = join(home, "plan.opml");
const project = join(home, canName ? `project ${HOSTILE_NAME}` : "project");
const CONTEXT = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (field) => [field, `default ${HOSTILE}`],
  ),
);

beforeAll(async () => {
  mkdirSync(vault, { recursive: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(vault, "plain.md"), `---\ntitle: "x"\n---\n# apples ${HOSTILE}\n\npie of apples ${HOSTILE}\n`);
  if (canName) {
    writeFileSync(join(vault, `apples ${HOSTILE_NAME}.md`), `apples ${HOSTILE}`);
    writeFileSync(join(vault, `unreadable ${HOSTILE_NAME}.md`), Buffer.of(0xff, 0xfe, 0xff));
  }
  writeFileSync(
    outline,
    `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>${BEYOND_C0}</title></head><body><outline text="apples ${BEYOND_C0}"/></body></opml>\n`,
  );
  const sessions = join(home, ".claude", "projects", "-code");
  mkdirSync(sessions, { recursive: true });
  const record = (type: string, uuid: string, rest: object) => ({
    parentUuid: null,
    isSidechain: false,
    cwd: `/code/${HOSTILE}`,
    sessionId: "session",
    version: "2.1.17",
    type,
    uuid,
    timestamp: new Date().toISOString(),
    ...rest,
  });
  const records = [
    { type: "summary", summary: `apples title ${HOSTILE}`, leafUuid: "b" },
    record("user", "a", { message: { role: "user", content: `how are apples baked ${HOSTILE}` } }),
    record("assistant", "b", {
      message: { model: HOSTILE, id: "m", role: "assistant", content: [{ type: "text", text: `apples ${HOSTILE}` }] },
    }),
  ];
  writeFileSync(join(sessions, "session.jsonl"), records.map((each) => `${JSON.stringify(each)}\n`).join(""));
  for (const host of HOSTS) {
    const file = host.file({ system: operatingSystem(), home, environment: environmentIn(home) });
    mkdirSync(join(file, ".."), { recursive: true });
    const text = {
      json: `{\n  "${host.section}": {\n    "other": { "command": "x", "env": { "A": "${BEYOND_C0}" } }\n  }\n}\n`,
      toml: `[${host.section}.other]\ncommand = "${BEYOND_C0.replace("\u0085", "")}"\n`,
    };
    writeFileSync(file, host.name === "windsurf" ? `{ "${HOSTILE}" ` : text[host.format]);
  }
});

const settings = () => ["--vault", vault, "--outline", outline, "--project", project];
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([...args, ...settings()], { home, env });
const create = JSON.stringify({ filePath: `b ${HOSTILE_NAME}`, content: `apples ${HOSTILE}`, context: CONTEXT });

const archive = join(home, canName ? `archive ${HOSTILE_NAME}.json` : "archive.json");
const message = { uuid: "m", sender: "human", text: HOSTILE, content: [{ type: "text", text: HOSTILE }] };
writeFileSync(archive, JSON.stringify([{ uuid: HOSTILE, name: HOSTILE, chat_messages: [message] }]));

/** Nothing listens on port 1. */
const unreachableStore = `postgres://${encodeURIComponent(HOSTILE)}@127.0.0.1:1/${encodeURIComponent(HOSTILE)}`;

/** In this order: what is created is undone, and what is listed was made. */
const CALLS: readonly (readonly string[])[] = [
  ["index"],
  ["index", "--json"],
  ["search", "apples", "-n", "1"],
  ["search", "apples", "--json"],
  ["search", `nothing ${HOSTILE}`],
  ["today"],
  ["add", `apples ${HOSTILE}`, "--to", "plain"],
  ["tasks", "--status", "all"],
  ["links", "plain", "--type", "similar"],
  ["links", HOSTILE],
  ["read", "session"],
  ["read", "claude-code/session", "--tools", "--around", HOSTILE],
  ["read", "session", "--json"],
  ["read", HOSTILE],
  ["resume", "session"],
  ["resume", HOSTILE, "--print"],
  ["handoff", "session", "--to", "codex", "--print"],
  ["handoff", HOSTILE, "--to", "codex", "--print"],
  ["holds", "plain.md"],
  ["holds", HOSTILE],
  ["uninstall"],
  ["uninstall", "--json"],
  ["forget", "session"],
  ["forget", "--project", HOSTILE],
  ["call", "contentManager_createContent", create],
  ["call", "contentManager_readContent", JSON.stringify({ filePath: "plain", context: CONTEXT })],
  ["call", "contentManager_readContent", JSON.stringify({ filePath: HOSTILE, context: CONTEXT })],
  ["call", "vaultManager_listDirectory", JSON.stringify({ path: "", context: CONTEXT })],
  ["call", "recall_conversations", '{"search_query":"apples","details":true}'],
  ["call", "get_outline_structure"],
  ["call", HOSTILE],
  ["call", "history", `{"${HOSTILE}`],
  ["call", "add_row", JSON.stringify({ topic: `row ${BEYOND_C0}` })],
  ["briefing"],
  ["history"],
  ["history", "--json"],
  ["history", "--purge"],
  ["undo"],
  ["redo", "--json"],
  ["undo", HOSTILE],
  ["export", "--output", join(home, canName ? `out ${HOSTILE_NAME}` : "out"), "--format", "md"],
  ["export", "--json"],
  ["export", "--output", `/proc/${HOSTILE}`],
  ["import", archive],
  ["import", archive, "--json"],
  ["import", HOSTILE],
  ["index", "--install"],
  ["backup", join(home, canName ? `copy ${HOSTILE_NAME}` : "copy")],
  ["backup", `/proc/${HOSTILE}`],
  ["restore", join(home, canName ? `copy ${HOSTILE_NAME}` : "copy")],
  ["restore", HOSTILE],
  ["store", "status", "--store", unreachableStore],
  ["store", HOSTILE],
  ["push", "memory", "--store", unreachableStore],
  ["push", HOSTILE],
  ["doctor"],
  ["doctor", "--secrets"],
  ["doctor", "--json"],
  ["connect"],
  ["connect", "--json"],
  ["connect", ...HOSTS.map(({ name }) => name)],
  ["connect", ...HOSTS.map(({ name }) => name), "--yes", "--json"],
  ["connect", "codex", "--remove", "--yes"],
  ["connect", HOSTILE],
  ["connect", "codex", "--name", HOSTILE],
  ["serve", HOSTILE],
  ["serve", "--http", HOSTILE],
  ["serve", "--http", "0", "--host", `x${HOSTILE}`],
  ["doctor", "--toolsets", HOSTILE],
  ["doctor", `--${HOSTILE}`],
  ["doctor", HOSTILE],
  [HOSTILE],
  ["completions", "bash"],
  ["completions", HOSTILE],
  ["version"],
  ["version", "--json"],
  ["--help"],
];

/** Cursors, marks and names of tools are for models, and for programs, which read JSON. */
const FOR_MODELS =
  /nextCursor|as cursor|data(?:Begins|Ends)|same arguments|call again|(?:Manager|Librarian)_|\b[a-z]+_[a-z_]+ \{/i;
const FOR_PROGRAMS = ["call", "briefing", "--json"];

/** In the short form a third of the calls is repeated in colour: the same functions write it. */
const COLOURED = sampled(CALLS, 3, 0);

describe("hostile text", () => {
  it.each(CALLS.map((args) => [JSON.stringify(args).slice(0, 60), args]))("stays text: %s", async (_, args) => {
    const { stdout, stderr } = await run(args);
    expect(stdout + stderr).not.toBe("");
    expect((stdout + stderr).match(RAW)).toBeNull();
    expect(stdout + stderr).not.toMatch(/^FORGED/m);
    if (!FOR_PROGRAMS.some((word) => args.includes(word))) expect(stdout + stderr).not.toMatch(FOR_MODELS);
    if (args.includes("--json") || (args[0] === "call" && stdout !== "")) JSON.parse(stdout);
    if (!COLOURED.includes(args)) return;
    const inColour = await run(args, { FORCE_COLOR: "1" });
    expect((inColour.stdout + inColour.stderr).replaceAll(OWN_COLOURS, "").match(RAW)).toBeNull();
  });

  it("was really in the output", async () => {
    expect((await run(["search", "apples"])).stdout).toContain("␛[31mred␛]0;title␇");
    expect((await run(["read", "session"])).stdout).toContain("  how are apples baked ␛[31mred␛]0;title␇");
    expect((await run(["connect", "cursor", "--name", "second"])).stdout).toContain(String.raw`\u{9b}2J`);
    const { stdout } = await run([
      "call",
      "contentManager_readContent",
      JSON.stringify({ filePath: "plain", context: CONTEXT }),
    ]);
    expect(JSON.parse(stdout).data.content).toContain(HOSTILE);
    if (canName) expect((await run(["doctor"])).stdout).toContain("notes ␛[31mred");
  });

  it("stays text in the config file, and in the file's path", async () => {
    const folder = join(home, canName ? `home ${HOSTILE_NAME}` : "home");
    mkdirSync(folder, { recursive: true });
    for (const text of [`{ "${HOSTILE}": 1 }`, JSON.stringify({ [HOSTILE]: 1 }), JSON.stringify({ vault: HOSTILE })]) {
      writeFileSync(join(folder, "config.json"), text);
      for (const command of ["doctor", "history"]) {
        const { stdout, stderr } = await runProgram([command, "--home", folder], { home });
        expect((stdout + stderr).match(RAW)).toBeNull();
      }
    }
  });

  it("stays text in the log of a server, and in its welcome", async () => {
    const child = spawn(NODE, [PROGRAM, "serve", "--http", "0", "--welcome", ...settings()], {
      cwd: home,
      env: environmentIn(home),
    });
    child.stdout.on("data", (text: Buffer) => text.includes("To connect:") && child.kill("SIGTERM"));
    const { stdout, stderr } = await collect(child);
    expect(stdout).toContain("MCP is on");
    expect((stdout + stderr).match(RAW)).toBeNull();
  });

  it.skipIf(!hasTerminal)("stays text in a terminal, where a question is asked and progress is shown", async () => {
    const quoted = settings().map((word) => `'${word}'`);
    for (const command of ["", "index --rebuild", "connect gemini --name third", "read session --tools"]) {
      const env = { NO_COLOR: "1", PAGER: "sed s/^/PAGED:/" };
      const { stdout } = await inTerminal(home, "n\n", `${command} ${quoted.join(" ")}`, env);
      expect(stdout).not.toBe("");
      expect(stdout).not.toContain("Warning");
      expect(stdout.includes("PAGED:")).toBe(command.startsWith("read"));
      // What the status line and the question need.
      const own = new RegExp(`\\r${ESCAPE}\\[K|${ESCAPE}\\[\\d*[GJ]|\\r+\\n|\\r$`, "g");
      expect(stdout.replaceAll(own, "")).not.toMatch(RAW);
    }
  });
});

describe("the commands", () => {
  it("are all tried here", async () => {
    const { stdout } = await runProgram(["--help"], { home });
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\w/gm)].map((match) => match[1]!);
    expect(commands).toContain("search");
    expect(commands.filter((command) => !CALLS.some(([name]) => name === command))).toEqual([]);
  });

  it("have no other way to standard output and standard error", () => {
    const source = join(import.meta.dirname, "..", "..", "..", "src");
    const writers = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) => {
        const text = readFileSync(join(source, name), "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
        return /\bprocess\s*\.\s*(?:stdout|stderr|_rawDebug)\b|\{[^}]*\bstd(?:out|err)\b[^}]*\} = process\b|\bconsole\b|\bwrite(?:File)?Sync\(\s*[12]\b|"\/dev\/(?:tty|fd|std)/.test(
          text,
        );
      });
    // The protocol over stdio is for programs.
    expect(writers.toSorted()).toEqual([join("kernel", "terminal", "terminal.ts"), join("mcp", "stdio.ts")]);
  });
});
