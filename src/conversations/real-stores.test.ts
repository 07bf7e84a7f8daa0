// Files that today's programs really wrote (shared/formats/programs.md), through the
// store: an addition to the tests of each source, where the samples are at hand.
import { cpSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../test/conversation-store.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { HOMES, REAL, realData } from "../../test/samples.ts";
import { type Conversations } from "./conversation-library.ts";
import { loadSources } from "./sources/sources.ts";

const SOURCES = await loadSources();
const PROGRAMS = realData("conversations", "programs");

function open(home: string): Conversations {
  const file = join(temporaryFolder(), "conversations.db");
  return openStore(home, SOURCES, file);
}

/** Each conversation by the beginning of its id: what is said of it, and its prose, what was abandoned in parentheses. */
async function readAll(home: string) {
  const conversations = open(home);
  const { answer } = await conversations.recall({ limit: 100 }, { complete: true, withTools: true });
  return new Map(
    answer.conversations.map((conversation) => {
      const messages = [...conversations.messages(conversation)].flat();
      const prose = messages.filter(({ kind }) => kind === "prose");
      const words = prose.map(({ text, isAbandoned }) => {
        const word = /(?:quokkaprompt|koalareply|wombatanswer|echidna)\w+|Asking/.exec(text)?.[0] ?? text;
        return isAbandoned ? `(${word})` : word;
      });
      const { title, messages: count, created, continues, model } = conversation;
      const facts = { title, count, created: new Date(created).toISOString().slice(11, 19), continues, model };
      return [conversation.id.slice(0, 8), { ...facts, words, kinds: messages.map(({ kind }) => kind) }];
    }),
  );
}

describe.skipIf(!PROGRAMS.isHere)(`what today's programs wrote ${REAL}`, () => {
  const copyOf = (program: string) => {
    const home = temporaryFolder();
    cpSync(join(PROGRAMS.folder, program), home, { recursive: true, preserveTimestamps: true });
    return home;
  };

  it.each([0, 1])("Claude Code: forks and branches, whichever file is younger (%i)", async (order) => {
    const home = copyOf("claude-code");
    const folder = join(home, ".claude/projects/-home-dev-proj");
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    for (const [i, name] of (order === 0 ? files : files.toReversed()).entries())
      utimesSync(join(folder, name), 1_790_000_000 + i, 1_790_000_000 + i);
    const found = await readAll(home);
    expect(found.get("c8af5ba6")).toMatchObject({
      count: 9,
      created: "10:44:49",
      continues: undefined,
      model: "claude-opus-4-8",
    });
    expect(found.get("c8af5ba6")!.kinds).toContain("subagent");
    expect(found.get("5fc77d51")).toMatchObject({
      count: 2,
      created: "10:45:49",
      words: ["quokkapromptclaude3", "koalareplyclaude3"],
    });
    expect(found.get("5fc77d51")!.continues).toMatch(/^c8af5ba6/);
    expect(found.get("85f639b5")).toMatchObject({
      title: "lorikeet",
      created: "10:55:25",
      words: ["(quokkapromptclint4)", "(koalareplyclint4)", "quokkapromptclint4", "koalareplyclint4b"],
    });
    expect(found.get("85f639b5")!.continues).toMatch(/^a07328b0/);
    expect(found.get("a07328b0")).toMatchObject({ title: "kookaburra session", count: 7 });
  });

  it("Codex: edits, forks, titles", async () => {
    const edits = (await readAll(copyOf("codex-edits"))).get("01a1e40f");
    expect(edits).toMatchObject({
      title: "Emu title marker",
      created: "11:12:34",
      words: [
        "quokkaprompttwo1",
        "koalareplytwo1",
        "(quokkaprompttwo2)",
        "(koalareplytwo2)",
        "(quokkaprompttwo2)",
        "(koalareplytwo3)",
        "quokkaprompttwo2",
        "koalareplytwo4",
      ],
    });
    const found = await readAll(copyOf("codex"));
    expect(found.get("01a1e3ff")).toMatchObject({ title: "Emu title marker kookaburra", count: 2 });
    expect(found.get("01a1e3ff")!.continues).toMatch(/^01a1e3fe/);
    expect(found.get("01a1e3f6")).toMatchObject({ count: 6, model: "gpt-5.4" });
  });

  it("Cline: a prompt with tools, and what it was wrapped in", async () => {
    const found = await readAll(copyOf("cline-cli"));
    expect([...found.values()]).toEqual([
      {
        title: "turn1 quokkapromptcline1 STEPSHELL STEPREAD please – größe",
        count: 4,
        created: "10:53:17",
        continues: undefined,
        model: "stub-model",
        words: ["quokkapromptcline1", "echidnapreludecline1", "echidnareadcline1", "wombatanswercline1"],
        kinds: ["prose", "thinking", "prose", "tool", "tool", "thinking", "prose", "tool", "thinking", "prose"],
      },
    ]);
  });

  it("Continue: two turns, a resume, and no title of its own", async () => {
    const found = await readAll(copyOf("continue"));
    expect([...found.values()]).toEqual([
      {
        title: "turn1 quokkapromptcn1 STEPSHELL STEPREAD please – größe",
        count: 6,
        created: "10:52:32",
        continues: undefined,
        model: "gpt-4.1",
        words: [
          "quokkapromptcn1",
          "echidnapreludecn1",
          "echidnareadcn1",
          "wombatanswercn1",
          "quokkapromptcn2",
          "koalareplycn2",
        ],
        kinds: ["prose", "prose", "tool", "prose", "tool", "prose", "prose", "prose"],
      },
    ]);
  });

  it("Gemini: sessions of their own, a compression, a rewind", async () => {
    const found = await readAll(copyOf("gemini"));
    expect([...found.values()].map(({ continues }) => continues)).toEqual([undefined, undefined]);
    expect(found.get("35911724")).toMatchObject({ count: 4, created: "10:46:26" });
    expect(found.get("2584b5d2")).toMatchObject({
      count: 12,
      created: "10:54:35",
      words: [
        "quokkapromptgmint1",
        "echidnapreludegmint1",
        "wombatanswergmint1",
        "quokkapromptgmint2",
        "koalareplygmint2",
        "quokkapromptgmint3",
        "koalareplygmint3",
        "quokkapromptgmint4",
        "Asking",
        "(wombatanswergmint4)",
        "quokkapromptgmres5",
        "koalareplygmres5",
      ],
    });
    expect(found.get("2584b5d2")!.kinds.filter((kind) => kind === "summary")).toHaveLength(1);
  });

  it("Qwen Code: a sub-agent, a compression, a new name", async () => {
    const found = (await readAll(copyOf("qwen"))).get("7dbc8953");
    expect(found).toMatchObject({
      title: "kookaburra",
      count: 9,
      created: "10:46:55",
      model: "stub-model",
      words: [
        "quokkapromptqwen1",
        "echidnapreludeqwen1",
        "echidnareadqwen1",
        "wombatanswerqwen1",
        "quokkapromptqwen2",
        "Asking",
        "wombatanswerqwen2",
        "quokkapromptqwen3",
        "koalareplyqwen3",
      ],
    });
    expect(found!.kinds.filter((kind) => kind === "summary" || kind === "subagent")).toHaveLength(3);
  });

  it("Factory droid: a session with a tool", async () => {
    const found = (await readAll(copyOf("factory-droid"))).get("583702c9");
    expect(found).toMatchObject({
      title: "turn1 quokkapromptdroid1 STEPSHELL",
      count: 3,
      created: "11:07:25",
      model: "custom:Stub-0",
      words: ["quokkapromptdroid1", "echidnapreludedroid1", "wombatanswerdroid1"],
      kinds: ["prose", "thinking", "prose", "tool", "tool", "thinking", "prose"],
    });
  });

  it("Copilot CLI: tools, a sub-agent, a compaction, a new name", async () => {
    const found = (await readAll(copyOf("copilot-cli"))).get("dd2d5b78");
    expect(found).toMatchObject({
      title: "kookaburra",
      count: 9,
      created: "10:50:46",
      model: "stub-model",
      words: [
        "quokkapromptcopilot1",
        "echidnapreludecopilot1",
        "echidnareadcopilot1",
        "wombatanswercopilot1",
        "quokkapromptcopilot2",
        "Asking",
        "wombatanswercopilot2",
        "quokkapromptcopilot3",
        "koalareplycopilot3",
      ],
    });
    expect(found!.kinds.filter((kind) => kind === "subagent")).toHaveLength(3);
    expect(found!.kinds.filter((kind) => kind === "summary")).toHaveLength(1);
  });

  it("pi: tools, a compaction, a new name", async () => {
    const found = (await readAll(copyOf("pi"))).get("01a1e3f9");
    expect(found).toMatchObject({
      title: "kookaburra",
      count: 8,
      created: "10:48:50",
      model: "stub-model",
      words: [
        "quokkapromptpi1",
        "echidnapreludepi1",
        "echidnareadpi1",
        "wombatanswerpi1",
        "quokkapromptpi2",
        "koalareplypi2",
        "quokkapromptpi3",
        "koalareplypi3",
      ],
    });
    expect(found!.kinds.filter((kind) => kind === "summary")).toHaveLength(1);
  });

  it("opencode: sub-agents, a compaction, an answer that was stopped", async () => {
    const found = await readAll(copyOf("opencode"));
    expect(found.size).toBe(1);
    expect(found.get("ses_e1c0")).toMatchObject({
      title: '{"title":"Emu title marker"}',
      count: 12,
      created: "10:48:09",
      model: "stub-model",
      words: [
        "quokkapromptopencode1",
        "echidnapreludeopencode1",
        "echidnareadopencode1",
        "wombatansweropencode1",
        "quokkapromptopencode2",
        "Asking",
        "wombatansweropencode2",
        "quokkapromptopencode3",
        "Asking",
        "wombatansweropencode3",
        "quokkapromptopencode4",
        "koalareplyopencode4",
      ],
    });
    const { kinds } = found.get("ses_e1c0")!;
    expect(kinds.filter((kind) => kind === "summary")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "subagent")).toHaveLength(3);
  });

  it("Kilo CLI: as opencode, under its own name", async () => {
    const found = await readAll(copyOf("kilo"));
    expect(found.size).toBe(1);
    expect([...found.values()][0]).toMatchObject({
      count: 7,
      model: "stub-model",
      words: [
        "quokkapromptkilo1",
        "echidnapreludekilo1",
        "echidnareadkilo1",
        "wombatanswerkilo1",
        "quokkapromptkilo2",
        "Asking",
        "wombatanswerkilo2",
      ],
    });
  });
});

describe.each(HOMES)("every message that a search of $of points to", ({ folder, isHere, isReal }) => {
  it.skipIf(!isHere)("is one of its conversation, with tools or without", async () => {
    const conversations = open(folder);
    let pointers = 0;
    for (const query of "the error file test function commit why fix session git branch user hook".split(" "))
      for (const includeTools of [false, true]) {
        const { answer } = await conversations.recall({ query, includeTools, limit: 100 }, { complete: true });
        for (const conversation of answer.conversations) {
          if (conversation.message === undefined) continue;
          pointers++;
          expect(conversations.chunkOf(conversation, conversation.message), conversation.message).toBeDefined();
        }
      }
    expect(pointers).toBeGreaterThan(isReal ? 50 : 5);
  });
});
