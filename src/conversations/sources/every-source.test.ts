// The rules that hold for every source, each on a store that is written as its
// program writes it (test/program-stores): what is said is told apart from the
// rest, nothing of the program's is touched, nothing is read twice, and damage
// stays where it is.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { CAMPAIGN, repeats } from "../../../test/campaign.ts";
import { madeConversations, type MadeConversation } from "../../../test/program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../../test/program-stores/program-stores.ts";
import { homeIn, Reading } from "../../../test/source-reader.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { UnreadableFile } from "../../files/files.ts";
import { withoutNonProse } from "../ingest/reading/part-preparation.ts";
import type { Home } from "./source.ts";
import { loadSources } from "./sources.ts";

/** Those of archives have no store: imports/import-archive.test.ts is about them. */
const SOURCES = (await loadSources()).filter(({ fromArchive }) => fromArchive === undefined);

/** Sources whose program appends to files: what was read before is continued. */
const LOGS = new Set(
  `aider claude-code openclaude cowork qoder iflow codex traex copilot-cli droid gemini pi omp prime openclaw qclaw
   qwen vibe commandcode gptme grok kimi workbuddy zencoder`.split(/\s+/),
);

it("every source has a writer of its program's store", () => {
  expect(Object.keys(PROGRAM_STORES).toSorted()).toEqual(SOURCES.map(({ name }) => name).toSorted());
});

describe.each(SOURCES.flatMap((source) => (PROGRAM_STORES[source.name] === undefined ? [] : [source])))(
  "$name",
  (source) => {
    const { write, lacks = [] } = PROGRAM_STORES[source.name]!;
    const keeps = (fact: (typeof lacks)[number]) => !lacks.includes(fact);

    it("gives prompts and answers in order, and tells tools and thinking apart", async () => {
      const home = temporaryFolder();
      const made = madeConversations(2, 3);
      write(home, made);
      const reading = await new Reading().read(source, homeOf(home));
      expect(reading.conversations.size).toBe(2);
      for (const conversation of made) {
        const { parts } = readOf(reading, conversation);
        expect(parts.filter(({ kind }) => kind === "prose").map(({ role, text }) => [role, text])).toEqual(
          conversation.turns.flatMap(({ prompt, answer }) => [
            ["user", prompt],
            ...(keeps("answers") ? [["assistant", answer]] : []),
          ]),
        );
        const textOf = (wanted: string) =>
          parts.flatMap(({ kind, text }) => (kind === wanted ? [text] : [])).join("\n");
        for (const { thinking, tool } of conversation.turns) {
          if (keeps("thinking")) expect(textOf("thinking")).toContain(thinking);
          if (keeps("tools")) expect(textOf("tool")).toContain(tool.output.split(" ")[1]!.slice(4));
        }
        if (keeps("files"))
          expect(parts.flatMap(({ files = [] }) => files).join("\n")).toContain(conversation.turns[0]!.tool.file);
      }
      expect(reading.notices).toEqual({});
    });

    it("gives the same when it is read briefly, but for the texts of tools and thoughts", async () => {
      const home = temporaryFolder();
      const long = '  12→\tconst größe = "x"; // \\n\n'.repeat(300);
      const made = madeConversations(2, 3).map((conversation) => ({
        ...conversation,
        turns: conversation.turns.map((turn) => ({
          ...turn,
          prompt: turn.prompt + long,
          answer: turn.answer + long,
          tool: { ...turn.tool, output: turn.tool.output + long },
        })),
      }));
      write(home, made);
      const all = await new Reading().read(source, homeOf(home));
      const brief = await new Reading().read(source, homeOf(home), source.readsProseFirst ? "prose" : "briefly");
      const proseOf = ({ events }: Reading) =>
        withoutNonProse(events, true).filter(({ kind }) => kind !== "checkpoint" && kind !== "turn");
      expect(proseOf(brief)).toEqual(proseOf(all));
      const filesOf = ({ events }: Reading) =>
        withoutNonProse(events, true).flatMap((one) => (one.kind === "turn" ? one.turn.files : []));
      expect(filesOf(brief)).toEqual(filesOf(all));
      expect(brief.events.length).toBeLessThanOrEqual(all.events.length);
    });

    it.runIf(keeps("tools"))("has the whole of what a tool gave in the store, however long", async () => {
      const home = temporaryFolder();
      const [made] = madeConversations(1, 1) as [MadeConversation];
      const lines = Array.from({ length: 5_000 }, (_, i) => `line${i} of the log`).join("\n");
      const turns = made.turns.map((turn) => ({ ...turn, tool: { ...turn.tool, output: `${lines}\nlastword` } }));
      write(home, [{ ...made, turns }]);
      const conversations = openStore(homeOf(home), [source]);
      const { answer } = await conversations.recall({ limit: 1 }, { complete: true, withTools: true });
      const kept = [...conversations.messages(answer.conversations[0]!)].flat();
      const tools = kept.flatMap(({ kind, text }) => (kind === "tool" ? [text] : [])).join("\n");
      for (const word of ["line0 ", "line2500 ", "line4999 ", "lastword"]) expect(tools).toContain(word);
    });

    it("gives project, title, model, branch and times as the program stored them", async () => {
      const home = temporaryFolder();
      const made = madeConversations(2, 2);
      write(home, made);
      const conversations = openStore(homeOf(home), [source]);
      const { answer } = await conversations.recall({ limit: 10 }, { complete: true });
      expect(answer.conversations).toHaveLength(2);
      for (const conversation of made) {
        const words = conversation.turns[0]!.prompt;
        const found = (await conversations.recall({ query: words, limit: 1 }, { complete: true })).answer
          .conversations[0]!;
        expect(found).toMatchObject({
          source: source.name,
          // Turns in which the assistant only called a tool do not count.
          messages: (keeps("answers") ? 2 : 1) * conversation.turns.length,
          ...(keeps("title") ? { title: conversation.title } : {}),
          ...(keeps("model") ? { model: conversation.model } : {}),
          ...(keeps("branch") ? { branch: conversation.branch } : {}),
          ...(keeps("times") ? { timeKnown: "stored", created: conversation.turns[0]!.at } : {}),
        });
        const read = [...conversations.messages(found)].flat().filter(({ kind }) => kind === "prose");
        expect(read).toHaveLength(found.messages);
        if (keeps("folder")) expect(found.folder).toBe(conversation.folder);
        if (!keeps("title")) expect(found.title).toContain("prompt");
      }
    });

    it("leaves the program's bytes, times and folders as they were", async () => {
      const home = temporaryFolder();
      write(home, madeConversations(2, 2));
      const before = snapshotOf(home);
      const conversations = openStore(homeOf(home), [source]);
      await conversations.recall({ limit: 10 }, { complete: true });
      expect(snapshotOf(home)).toEqual(before);
    });

    it("goes on where it stopped: nothing twice, what is new once", async () => {
      const home = temporaryFolder();
      const [first, second] = madeConversations(2, 3) as [MadeConversation, MadeConversation];
      write(home, [{ ...first, turns: first.turns.slice(0, 2) }]);
      const reading = await new Reading().read(source, homeOf(home));
      const before = readOf(reading, first).parts.map(({ key }) => key);
      write(home, [first, second]);
      await reading.read(source, homeOf(home));
      for (const made of [first, second])
        expect(
          readOf(reading, made)
            .parts.filter(({ kind }) => kind === "prose")
            .map(({ text }) => text),
        ).toEqual(made.turns.flatMap(({ prompt, answer }) => (keeps("answers") ? [prompt, answer] : [prompt])));
      const keys = readOf(reading, first).parts.map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(before));
      const conversations = openStore(homeOf(home), [source]);
      await conversations.recall({ limit: 1 }, { complete: true });
      const { answer } = await conversations.recall({ query: "prompt0x2", limit: 10 }, { complete: true });
      expect(answer.conversations).toHaveLength(1);
    });

    it.runIf(LOGS.has(source.name))("reads a log that was rewritten as if for the first time", async () => {
      const made = madeConversations(1, 3);
      for (const rewritten of rewritings(made)) {
        const home = temporaryFolder();
        write(home, made);
        const reading = await new Reading().read(source, homeOf(home));
        write(home, rewritten);
        await reading.read(source, homeOf(home));
        const first = await new Reading().read(source, homeOf(home));
        expect(reading.events[0]).toEqual({ kind: "rewritten" });
        expect(reading.events.filter(({ kind }) => kind !== "rewritten")).toEqual(first.events);
      }
    });

    it("survives damage to its files, and the other sources still answer", CAMPAIGN, async () => {
      const made = madeConversations(2, 2);
      const random = randomFrom(source.name);
      for (let round = 0; round < repeats({ short: 10, long: 1_000 }); round++) {
        const home = temporaryFolder();
        write(home, made);
        const damaged = damage(home, random);
        const reading = new Reading();
        try {
          await reading.read(source, homeOf(home));
        } catch (error) {
          if (!(error instanceof UnreadableFile)) throw new Error(`round ${round}: ${damaged}`, { cause: error });
        }
      }
      const home = temporaryFolder();
      write(home, made);
      for (let i = 0; i < 5; i++) damage(home, random);
      const other = SOURCES.find(({ name }) => name === (source.name === "codex" ? "gemini" : "codex"))!;
      PROGRAM_STORES[other.name]!.write(home, madeConversations(1, 1));
      const conversations = openStore(homeOf(home), [source, other]);
      const { answer } = await conversations.recall({ sources: [other.name], limit: 10 }, { complete: true });
      expect(answer.conversations.map((found) => found.source)).toContain(other.name);
    });
  },
);

/** A home whose projects are those of the made conversations, for programs that keep conversations in them. */
function homeOf(folder: string): Home {
  return { ...homeIn(folder), projects: madeConversations(2, 1).map((made) => join(folder, made.folder)) };
}

/** The conversation in a reading that has the first prompt. */
function readOf(reading: Reading, { turns }: MadeConversation) {
  const found = [...reading.conversations.values()].find(({ parts }) =>
    parts.some(({ text }) => text === turns[0]!.prompt),
  );
  if (found === undefined) throw new Error(`no conversation has "${turns[0]!.prompt}"`);
  return found;
}

/** Names, bytes and times of everything in a folder. A `-shm` is not compared: a database's readers need one. */
function snapshotOf(folder: string): Record<string, unknown> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.endsWith("-shm"));
  return Object.fromEntries(
    names.map((name) => {
      const stats = statSync(join(folder, name), { bigint: true });
      return [
        name,
        stats.isFile() ? [stats.mtimeNs, stats.size, readFileSync(join(folder, name), "base64")] : "folder",
      ];
    }),
  );
}

/** The same conversations under other titles, in less text and in more: no byte of the end is where it was. */
function rewritings(conversations: readonly MadeConversation[]): MadeConversation[][] {
  const withTurns = (change: (turns: MadeConversation["turns"]) => MadeConversation["turns"]) =>
    conversations.map((made) => ({ ...made, title: `Renamed: ${made.title}`, turns: change(made.turns) }));
  return [
    withTurns(([first, , last]) => [{ ...last!, at: first!.at }]),
    withTurns((turns) =>
      turns.map((turn) => ({ ...turn, prompt: `Instead, ${turn.prompt}`, answer: `Indeed: ${turn.answer}` })),
    ),
  ];
}

type Random = (below: number) => number;

function randomFrom(text: string): Random {
  let seed = [...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 4_294_967_296;
  return (below) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((seed / 4_294_967_296) * below);
  };
}

const REPLACEMENTS = ["null", "5", '""', "[]", "{}", "[[[[]]]]", '"x"', "true", "-1e400", '{"a":{"a":{"a":1}}}'];

/** Damages one file of a home in one place; says how. */
function damage(home: string, random: Random): string {
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(home, name)).isFile(),
  );
  const name = files[random(files.length)]!;
  const path = join(home, name);
  const bytes = readFileSync(path);
  const at = random(bytes.length + 1);
  const length = 1 + random(64);
  const kind = random(6);
  const changed = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length, random(256)), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at + 1)]),
    () => withOtherValue(bytes, random),
  ][kind]!();
  writeFileSync(path, changed);
  return `${name}, kind ${kind} at ${at}, ${length} bytes`;
}

/** With one JSON value replaced by another of any type. */
function withOtherValue(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString("latin1");
  const values = [...text.matchAll(/"\w+":("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null|\{|\[)/g)];
  const value = values[random(values.length)];
  if (value === undefined) return bytes;
  const start = value.index + value[0].length - value[1]!.length;
  const end = value[1] === "{" || value[1] === "[" ? closing(text, start) : start + value[1]!.length;
  const replacement = REPLACEMENTS[random(REPLACEMENTS.length)]!;
  return Buffer.from(text.slice(0, start) + replacement + text.slice(end), "latin1");
}

/** Where the object or array that begins at an index ends; braces in strings are rare enough here. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if ("{[".includes(text[i]!)) depth++;
    else if ("}]".includes(text[i]!) && --depth === 0) return i + 1;
  }
  return text.length;
}
