import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOMES } from "../../../../test/samples.ts";
import { answer, ClaudeHome, prompt, record, said, toolResult } from "../../../../test/claude-home.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import type { SourceEvent, Wanted } from "../source.ts";
import { claudeCode } from "./claude-code.ts";
import { topLevelText } from "../kit/json-bytes.ts";

const read = (home: ClaudeHome) => new Reading().read(claudeCode, home);

/** What a transcript tells, as short as it can be read. */
async function partsOf(...records: readonly object[]): Promise<[kind: string, role: string, text: string][]> {
  const home = new ClaudeHome();
  home.write("session", records);
  const { events } = await read(home);
  return events.flatMap((one) => (one.kind === "part" ? [[one.part.kind, one.part.role, one.part.text]] : []));
}

describe("a record of Claude Code", () => {
  it("of a person is prose, as a text or as blocks", async () => {
    expect(await partsOf(prompt("1", "Why?"), prompt("2", [{ type: "text", text: "How?" }]))).toEqual([
      ["prose", "user", "Why?"],
      ["prose", "user", "How?"],
    ]);
  });

  it("with an image says that there was one", async () => {
    const image = { type: "image", source: { type: "base64", data: "A".repeat(5000) } };
    expect(await partsOf(prompt("1", [{ type: "text", text: "Look:" }, image]))).toEqual([
      ["prose", "user", "Look:\n\n[image]"],
    ]);
  });

  it("of an assistant is prose, thinking or a tool's call, with the files that it names", async () => {
    const home = new ClaudeHome();
    const input = { file_path: "/code/shop/src/cart.ts", old_string: "a", new_string: "b" };
    home.write("session", [
      answer("1", "m", { type: "thinking", thinking: "Perhaps.", signature: "x" }),
      said("2", "m", "I see."),
      answer("3", "m", { type: "tool_use", id: "t", name: "Edit", input }),
    ]);
    const { events } = await read(home);
    const parts = events.flatMap((one) => (one.kind === "part" ? [one.part] : []));
    expect(parts).toMatchObject([
      { kind: "thinking", text: "Perhaps.", message: "m" },
      { kind: "prose", text: "I see.", message: "m" },
      {
        kind: "tool",
        tool: "Edit",
        text: `Edit: ${JSON.stringify(input)}`,
        files: ["/code/shop/src/cart.ts"],
      },
    ]);
  });

  it("with a tool's result is tool text, however long the result is and wherever it stands", async () => {
    const text = 'line "one"\n\ttwo → é \\ end '.repeat(4000);
    const found = await partsOf(
      toolResult("1", text, { originalFile: text }),
      toolResult("2", [{ type: "text", text: "in a block" }], { stdout: text }),
      toolResult("3", "short", { stdout: "short" }),
      toolResult("4", "", {}),
      { ...prompt("5", [{ type: "tool_result", tool_use_id: "t", content: "without its full result" }]) },
    );
    expect(found.map(([kind, role]) => [kind, role])).toEqual(Array.from({ length: 4 }, () => ["tool", "user"]));
    expect(found.map(([, , one]) => one)).toEqual([text.trim(), "in a block", "short", "without its full result"]);
  });

  it("with several tool results gives one part for each", async () => {
    const results = ["first", "second"].map((content) => ({ tool_use_id: content, type: "tool_result", content }));
    const found = await partsOf({ ...prompt("1", results), toolUseResult: {} });
    expect(found.map(([, , text]) => text)).toEqual(["first", "second"]);
  });

  it.each([
    ["a reminder of the program", { isMeta: true }, "Caveat: do not respond."],
    ["the name of a command", {}, "<command-name>/exit</command-name>\n  <command-message>exit</command-message>"],
    ["what a local command printed", {}, "<local-command-stdout>Bye!</local-command-stdout>"],
    ["an interruption", {}, [{ type: "text", text: "[Request interrupted by user for tool use]" }]],
  ])("that is %s is nobody's word", async (_, nonProse, content) => {
    expect(await partsOf(prompt("1", content, nonProse))).toEqual([]);
  });

  it("keeps what a person typed beside a reminder", async () => {
    const content = "Fix it.<system-reminder>Today is Monday.</system-reminder>";
    expect(await partsOf(prompt("1", content))).toEqual([["prose", "user", "Fix it."]]);
  });

  it("that sums up a compacted session is a summary, marked or by its words", async () => {
    const words = "This session is being continued from a previous conversation that ran out of context.";
    expect(await partsOf(prompt("1", "Earlier: …", { isCompactSummary: true }), prompt("2", words))).toEqual([
      ["summary", "user", "Earlier: …"],
      ["summary", "user", words],
    ]);
  });

  it("that the program made up for an assistant is ignored", async () => {
    const synthetic = record("assistant", "1", {
      message: { id: "x", model: "<synthetic>", content: [{ type: "text", text: "Login" }] },
    });
    expect(await partsOf(synthetic, said("2", "m", "API Error: 529", { isApiErrorMessage: true }))).toEqual([]);
  });

  it("of a sub-agent within the session is of the kind subagent", async () => {
    const side = { isSidechain: true };
    expect(await partsOf(prompt("1", "Explore.", side), said("2", "m", "Found it.", side))).toEqual([
      ["subagent", "user", "Explore."],
      ["subagent", "assistant", "Found it."],
    ]);
  });

  it("of what was sent to the model repeats nothing, and is not counted as unknown", async () => {
    const home = new ClaudeHome();
    const message = { role: "user", content: [{ type: "text", text: "Sent to the model." }] };
    home.write("session", [
      record("user", "1", { message: { role: "user", content: "Said." } }),
      { type: "api-request-shape", sessionId: "session", shapeHash: "1f4f", shape: { system: [] } },
      { type: "api-request-blob", sessionId: "session", hash: "9898", message },
      { type: "api-request", sessionId: "session", id: "50e0", shapeHash: "1f4f", params: {}, messages: ["9898"] },
      { type: "tools-used", sessionId: "session", tools: ["Bash"] },
      { type: "atis-latch", sessionId: "session", atis: "" },
      { type: "cost-state", sessionId: "session", totalCostUSD: 0.1 },
    ]);
    const { events } = await read(home);
    expect(events.flatMap((event) => (event.kind === "part" ? [event.part.text] : []))).toEqual(["Said."]);
    expect(events.filter(({ kind }) => kind === "skipped")).toEqual([]);
  });

  it("of a prompt typed while the assistant worked is prose", async () => {
    const queued = record("attachment", "1", { attachment: { type: "queued_command", prompt: "Also the tests." } });
    expect(await partsOf(queued, record("attachment", "2", { attachment: { type: "todo" } }))).toEqual([
      ["prose", "user", "Also the tests."],
    ]);
  });

  it("of a silent type is ignored, one of an unknown type is counted", async () => {
    const home = new ClaudeHome();
    const silent = ["progress", "system", "file-history-snapshot", "mode", "queue-operation", "last-prompt", "pr-link"];
    home.write("session", [
      ...silent.map((type) => record(type, type)),
      record("hologram", "1"),
      record("hologram", "2"),
    ]);
    appendFileSync(home.path("session"), "no json\n");
    const { events } = await read(home);
    expect(events.filter(({ kind }) => kind === "skipped")).toEqual([
      { kind: "skipped", count: 2, reason: "records of the unknown type hologram" },
      { kind: "skipped", count: 1, reason: "lines that are no records" },
    ]);
  });
});

describe("a session of Claude Code", () => {
  it("has the folder where it was started, and the branch at its end", async () => {
    const home = new ClaudeHome();
    const elsewhere = { cwd: "/code/shop/packages/cart", gitBranch: "feature" };
    home.write("session", [prompt("1", "a", { cwd: "/code/my-shop" }), prompt("2", "b", elsewhere)], "-work-my-shop");
    const reading = await read(home);
    expect(reading.conversation("session").facts).toMatchObject({
      folder: "/code/my-shop",
      workspace: "-work-my-shop",
      branch: "feature",
    });
    appendFileSync(home.path("session", "-work-my-shop"), `${JSON.stringify(prompt("3", "c", elsewhere))}\n`);
    expect((await reading.read(claudeCode, home)).conversation("session").facts.folder).toBe("/code/my-shop");
  });

  it("has the title that its user gave it, whatever the program calls it", async () => {
    const home = new ClaudeHome();
    const titles = [
      { type: "ai-title", aiTitle: "Fix the cart", sessionId: "session" },
      { type: "custom-title", customTitle: "The cart", sessionId: "session" },
    ];
    home.write("session", [prompt("1", "a"), ...titles]);
    const { events } = await read(home);
    const facts = events.flatMap((one) => (one.kind === "conversation" && one.facts.title ? [one.facts] : []));
    expect(facts).toEqual([
      { id: "session", title: "Fix the cart", titleBy: "program" },
      { id: "session", title: "The cart", titleBy: "user" },
    ]);
  });

  it("may be titled by a summary in another file, which names one of its messages", async () => {
    const home = new ClaudeHome();
    home.write("other", [{ type: "summary", summary: "The first cart", leafUuid: "1" }]);
    const { events } = await read(home);
    expect(events).toContainEqual({ kind: "title", message: "1", title: "The first cart" } satisfies SourceEvent);
  });

  it.each([
    (path: string) =>
      `<persisted-output>\nOutput too large (83.6KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nheron\n...\n</persisted-output>`,
    (path: string) => `<persisted-output>Tool result saved to: ${path}\n\nUse Read to view</persisted-output>`,
    (path: string) =>
      `Error: result (80,123 characters) exceeds maximum allowed tokens. Output has been saved to ${path}.\nFormat: Plain text`,
  ])("has the whole of a result that the program saved beside it, unless that is gone (%#)", async (result) => {
    const home = new ClaudeHome();
    const whole = `heron ${"and more ".repeat(9_000)}stork`;
    const saved = join(home.folder, ".claude/projects/-code-shop/session/tool-results/toolu_01Ab.txt");
    mkdirSync(dirname(saved), { recursive: true });
    writeFileSync(saved, `${whole}\n`);
    writeFileSync(join(home.folder, "secret.txt"), "secret");
    const side = { isSidechain: true, sessionId: "session" };
    const paths = [
      "/moved/.claude/projects/-code-shop/session/tool-results/toolu_01Ab.txt",
      "C:\\Users\\a\\.claude\\projects\\-code-shop\\session\\tool-results\\toolu_01Ab.txt",
      saved.replace("01Ab", "gone"),
      join(home.folder, "secret.txt"),
      "/x/../tool-results/../../../../secret.txt",
    ];
    home.write("session", [prompt("1", "Look"), ...paths.map((path, i) => toolResult(`r${i}`, result(path)))]);
    home.write("session/subagents/agent-a1", [{ ...toolResult("s", result(saved)), ...side }]);
    const { parts } = (await read(home)).conversation("session");
    const texts = new Map(parts.map(({ key, text }) => [key.replace(/#.*/, ""), text]));
    for (const key of ["r0", "r1", "s"]) expect(texts.get(key)).toBe(whole);
    for (const key of ["r2", "r3", "r4"]) expect(texts.get(key)).toBe(result(paths[Number(key[1])]!));
  });

  it("includes its sub-agents' files, in both places where they have been kept", async () => {
    const home = new ClaudeHome();
    home.write("session", [prompt("1", "Explore it.")]);
    const side = { isSidechain: true, sessionId: "session" };
    home.write("session/subagents/agent-a1", [prompt("2", "Where?", side), said("3", "m", "There.", side)]);
    home.write("agent-b2", [said("4", "n", "Older.", side)]);
    const parts = (await read(home)).conversation("session").parts;
    expect(parts.map(({ kind, text }) => [kind, text])).toEqual([
      ["prose", "Explore it."],
      ["subagent", "Where?"],
      ["subagent", "There."],
      ["subagent", "Older."],
    ]);
  });

  it("is read on while its program appends to it, torn lines and all", async () => {
    const home = new ClaudeHome();
    home.write("session", [prompt("1", "one")]);
    const reading = await read(home);
    const line = `${JSON.stringify(prompt("2", "two"))}\n`;
    appendFileSync(home.path("session"), line.slice(0, 70));
    expect((await reading.read(claudeCode, home)).events.filter(({ kind }) => kind === "part")).toEqual([]);
    appendFileSync(home.path("session"), line.slice(70));
    expect((await reading.read(claudeCode, home)).events).toMatchObject([
      { kind: "conversation" },
      { kind: "part", part: { key: "2", text: "two" } },
      { kind: "checkpoint" },
    ]);
  });

  it("whose transcript was deleted has its prompts from the history", async () => {
    const home = new ClaudeHome();
    home.write("here", [prompt("1", "still here")]);
    const typed = (sessionId: string, display: string, timestamp: number) => ({
      display,
      timestamp,
      project: "/code/shop",
      sessionId,
      pastedContents: {},
    });
    const path = join(home.folder, ".claude", "history.jsonl");
    const entries = [
      typed("here", "still here", 1e12),
      typed("gone", "Deleted question", 1e12),
      typed("gone", "/exit", 1e12),
    ];
    writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const reading = await read(home);
    expect([...reading.conversations.keys()].toSorted()).toEqual(["gone", "here"]);
    expect(reading.conversation("gone")).toMatchObject({
      facts: { folder: "/code/shop" },
      parts: [{ text: "Deleted question", time: 1e12 }],
    });
  });
});

describe("prose and non-prose, read separately", () => {
  it("give together the same events as one reading", async () => {
    const home = new ClaudeHome();
    const input = { file_path: "C:\\shop\\cart.ts" };
    home.write("session", [
      prompt("1", "Why?"),
      answer("2", "m1", { type: "thinking", thinking: "Hm." }),
      answer("3", "m1", { type: "tool_use", name: "Edit", input }),
      toolResult("4", "done", { stdout: "done" }),
      said("5", "m2", "So."),
      prompt("6", [
        { type: "tool_result", tool_use_id: "t", content: "refused" },
        { type: "text", text: "No, wait." },
      ]),
      prompt("7", "Explore.", { isSidechain: true }),
      said("8", "m3", "Found.", { isSidechain: true }),
      answer("9", "m4", { type: "tool_use", name: "Bash", input: { command: "ls" } }),
      record("assistant", "11", { message: { id: "m6", role: "assistant", content: "In one text." } }),
      answer("12", "m7", { type: "tool_use", name: "Write", input: { file_path: "/größe/日本.ts", content: "→ 🌊" } }),
      answer("13", "m8", {
        type: "tool_use",
        name: "Write",
        input: { file_path: "/long.ts", content: "x".repeat(50_000) },
      }),
    ]);
    home.write("agent-x", [said("10", "m5", "Apart.", { isSidechain: true })]);
    const events = async (wanted: Wanted) => {
      const all: SourceEvent[] = [];
      for (const finding of claudeCode.find(home))
        if (finding.kind === "transcript")
          for await (const batch of claudeCode.read(
            finding.transcript,
            undefined,
            AbortSignal.timeout(120_000),
            wanted,
          ))
            all.push(...batch);
      return all;
    };
    const keys = (all: readonly SourceEvent[]) =>
      all.flatMap((one) => (one.kind === "part" ? [one.part.key] : [])).toSorted();
    const [everything, saidOnly, nonProse] = [await events(undefined), await events("prose"), await events("nonProse")];
    expect(keys(saidOnly)).toEqual(["1", "11", "5", "6"]);
    expect([...keys(saidOnly), ...keys(nonProse)].toSorted()).toEqual(keys(everything));
    expect(saidOnly.flatMap((one) => (one.kind === "turn" ? [one.turn.files] : []))).toEqual([
      [],
      ["C:\\shop\\cart.ts"],
      [],
      ["/größe/日本.ts"],
      ["/long.ts"],
    ]);
    expect(nonProse.every((one) => one.kind === "checkpoint" || (one.kind === "part" && !one.part.files?.length))).toBe(
      true,
    );
  });
});

describe("the order of keys in a line", () => {
  it("does not matter: reversed and spaced objects give the same events", async () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, turned(inner)]),
      );
    };
    const nested = { type: "text", text: "nested", id: "not-the-message", timestamp: "2020-01-01T00:00:00Z" };
    const records = [
      prompt("1", "Why?"),
      answer("2", "m1", { type: "thinking", thinking: "Hm." }),
      answer("3", "m1", {
        type: "tool_use",
        id: "toolu_1",
        name: "Edit",
        input: { file_path: "/shop/cart.ts", nested },
      }),
      toolResult("4", "done ".repeat(400), { file: nested, isSidechain: true }),
      toolResult("5", [nested], [{ type: "text", text: "once more" }]),
      said("6", "m2", "So."),
      answer(
        "7",
        "m3",
        { type: "tool_use", id: "toolu_2", name: "Bash", input: { command: "ls" } },
        { isSidechain: true },
      ),
      prompt("8", [
        { type: "tool_result", tool_use_id: "t", content: "refused" },
        { type: "text", text: "No, wait." },
      ]),
    ];
    const events = async (lines: readonly string[], wanted: Wanted) => {
      const home = new ClaudeHome();
      writeFileSync(home.write("session", []), lines.map((line) => `${line}\n`).join(""));
      const all: SourceEvent[] = [];
      for (const finding of claudeCode.find(home))
        if (finding.kind === "transcript")
          for await (const batch of claudeCode.read(
            finding.transcript,
            undefined,
            AbortSignal.timeout(120_000),
            wanted,
          ))
            all.push(...batch.filter(({ kind }) => kind !== "checkpoint"));
      // Arguments that are objects are text as they stand.
      return all.map((one) =>
        one.kind === "part" && one.part.tool === "Edit"
          ? { ...one, part: { ...one.part, text: [...one.part.text].toSorted().join("") } }
          : one,
      );
    };
    const plain = records.map((one) => JSON.stringify(one));
    const spaced = records.map((one) => JSON.stringify(turned(one), undefined, 1).replaceAll("\n", " "));
    for (const wanted of [undefined, "prose", "nonProse"] as const)
      expect(await events(spaced, wanted), wanted).toEqual(await events(plain, wanted));
    const turns = (await events(spaced, "prose")).filter(({ kind }) => kind === "turn");
    expect(turns).toMatchObject([{ turn: { files: [] } }, { turn: { files: ["/shop/cart.ts"] } }]);
  });
});

describe("the place of Claude Code's transcripts", () => {
  it("is the one that CLAUDE_CONFIG_DIR names, else ~/.claude", async () => {
    const home = new ClaudeHome();
    home.write("session", [prompt("1", "a")]);
    const elsewhere = new ClaudeHome();
    elsewhere.environment["CLAUDE_CONFIG_DIR"] = join(home.folder, ".claude");
    expect((await read(elsewhere)).transcripts.map(({ path }) => basename(path))).toEqual(["session.jsonl"]);
    expect(elsewhere.folder === home.folder).toBe(false);
  });

  it("is reported even if nothing is there", () => {
    const home = new ClaudeHome();
    const place = join(home.folder, ".claude", "projects");
    expect([...claudeCode.find(home)]).toEqual([{ kind: "looked", place, isThere: false }]);
  });

  it("is left unchanged: bytes, times and names", async () => {
    const home = new ClaudeHome();
    const path = home.write("session", [prompt("1", "a"), said("2", "m", "b")]);
    mkdirSync(join(home.folder, ".claude", "projects", "-code-shop", "session", "tool-results"), { recursive: true });
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const before = { bytes: readFileSync(path), names: readdirSync(home.folder, { recursive: true }) };
    const [transcript] = (await read(home)).transcripts;
    expect(readFileSync(path)).toEqual(before.bytes);
    expect(readdirSync(home.folder, { recursive: true })).toEqual(before.names);
    expect(transcript!.changed).toBe(1_700_000_000_000);
  });
});

describe("a text of an object in its bytes", () => {
  it.each([
    ['{"type":"user"}', "user"],
    ['{"a":{"type":"inner"},"type":"outer"}', "outer"],
    ['{"a":"\\"type\\":\\"no\\"","type" : "yes"}', "yes"],
    ['{"a":["type","x"],"b":"type","type":"t"}', "t"],
    ['{"a":"\\\\","type":"after a backslash"}', "after a backslash"],
    ['{"a":1}', undefined],
    ['{"type":5}', undefined],
    ['{"type":"to', undefined],
    ['["type","x"]', undefined],
  ])("in %s is %s", (json, type) => {
    expect(topLevelText(Buffer.from(json), "type")).toBe(type);
  });
});

interface Block {
  readonly type: string;
  readonly text: string;
}

describe.each(HOMES)("the transcripts of $of", ({ folder, isHere, isReal }) => {
  /** Counted from the records themselves, by the words of the format and nothing of ours. */
  function counted(path: string) {
    const records = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    const people = records.filter((one) => {
      if (one.type !== "user" || one.isMeta) return false;
      const { content } = one.message;
      const texts =
        typeof content === "string"
          ? [content]
          : content.filter((block: Block) => block.type === "text").map((block: Block) => block.text);
      return texts.some((text: string) => !/^<(command|local-command)-|^\[Request interrupted/.test(text.trim()));
    });
    const groups = new Set(
      records
        .filter((one) => one.type === "assistant" && one.message.model !== "<synthetic>")
        .filter((one) => one.message.content.some((block: Block) => block.type !== "text" || block.text.trim() !== ""))
        .map((one) => one.message.id),
    );
    const times = records
      .filter((one) => one.type === "user" || one.type === "assistant")
      .map((one) => Date.parse(one.timestamp));
    return {
      people: people.length,
      assistants: groups.size,
      from: Math.min(...times),
      to: Math.max(...times),
      cwd: records.find((one) => one.cwd)?.cwd,
    };
  }

  it.skipIf(!isHere)("hold what an independent count finds in them, in order", async () => {
    const reading = await new Reading().read(claudeCode, homeIn(folder));
    const transcripts = reading.transcripts.filter(({ path }) => !path.endsWith("history.jsonl"));
    expect(transcripts).toHaveLength(isReal ? 10 : 3);
    for (const { path } of transcripts) {
      const expected = counted(path);
      const { parts, facts } = reading.conversation(basename(path, ".jsonl"));
      const prose = parts.filter(({ kind }) => kind === "prose");
      expect(prose.filter(({ role }) => role === "user")).toHaveLength(expected.people);
      const assistants = parts.filter(({ role, kind }) => role === "assistant" && kind !== "subagent");
      expect(new Set(assistants.map(({ message }) => message)).size).toBe(expected.assistants);
      expect(facts.folder).toBe(expected.cwd);
      const times = prose.map(({ time }) => time!);
      expect(times.every((time) => time >= expected.from && time <= expected.to)).toBe(true);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });
});
