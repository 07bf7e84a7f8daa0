// Every tool with arguments that no schema foresees: overlong, deep, not finite,
// of the wrong type, with halves of characters. Whatever it is, the answer is a
// sentence: no mistake of the server, no stack, no path of this machine.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats, sampled } from "../../campaign.ts";
import { LineClient } from "../../../bench/measurement/line-client.ts";
import { MixedCalls, prepareHome, type MixedCall } from "../../../bench/measurement/mixed-calls.ts";
import { atTheEnd, PROGRAM, temporaryFolder } from "../../processes/program.ts";

interface Answer {
  readonly result?: {
    readonly isError?: true;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** As JSON: what is nested so deeply cannot be written by JSON.stringify. */
const HOSTILE: Readonly<Record<string, string>> = {
  ...jsonOf({
    null: null,
    true: true,
    "an empty text": "",
    "a text of white space": " \t\n",
    "a NUL": "a\0b",
    "half of a character": "a\ud800b",
    "a long name": "n".repeat(300),
    "a long path": "folder/".repeat(2_000),
    "a long text": "x".repeat(50_000),
    "a path that leads out": "../../../../etc/passwd",
    "an absolute path": "/etc/passwd",
    "a control character": "a\u001b[31mb\u0007",
    "a negative number": -1,
    "a fraction": 0.5,
    "a huge number": 1e308,
    "no number": "NaN",
    "an empty list": [],
    "a long list": Array.from({ length: 2_000 }, (_, i) => `item ${i}`),
    "a list of nothing": [null, null],
    "an empty object": {},
    "deep Markdown": Array.from({ length: 600 }, (_, i) => `${" ".repeat(2 * i)}- level ${i}`).join("\n"),
    "deep quotes": `${"> ".repeat(20_000)}deep`,
    "deep brackets": "[".repeat(20_000),
    "deep YAML": `---\na: ${"[".repeat(20_000)}\n---\n`,
    "deep XML": `<opml version="2.0"><body>${'<outline text="a">'.repeat(3_000)}${"</outline>".repeat(3_000)}</body></opml>`,
    "deep JSON": `{"nodes":${"[".repeat(20_000)}`,
  }),
  "an object with odd keys": '{"__proto__": {"a": 1}, "constructor": 1, "toString": 2, "": 3}',
  "a number that is not finite": "1e999",
  "a whole number that is not exact": "9007199254740993",
  "a deep list": "[".repeat(100_000) + "]".repeat(100_000),
  "a deep object": `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
};

function jsonOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([kind, value]) => [kind, JSON.stringify(value)]));
}

/** Calls a tool with some of its arguments replaced by these, as JSON. */
async function callWith(client: LineClient, call: MixedCall, hostile: Readonly<Record<string, string>>) {
  const sent = { ...jsonOf(call.arguments), ...hostile };
  const members = Object.entries(sent).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return (await client.requestWith("tools/call", `{"name":"${call.name}","arguments":{${members}}}`)) as Answer;
}

async function start(): Promise<{ client: LineClient; calls: MixedCalls; home: string }> {
  const home = temporaryFolder();
  const { args, env } = prepareHome(home);
  const client = new LineClient([PROGRAM, ...args], env, home);
  atTheEnd(() => client.close());
  await client.initialize();
  const calls = new MixedCalls(home);
  // Rows, conversations and states that later calls name.
  for (const i of calls.tools.keys()) {
    const { name, arguments: sent } = calls.at(i);
    const { result } = (await client.request("tools/call", { name, arguments: sent })) as Answer;
    if (result?.isError === undefined) calls.take(name, (result?.structuredContent ?? {}) as Record<string, unknown>);
  }
  return { client, calls, home };
}

/** What is wrong with an answer; undefined where nothing is. */
function faultOf({ result, error }: Answer, home: string): string | undefined {
  if (error !== undefined)
    return [-32600, -32602].includes(error.code) ? undefined : JSON.stringify(error).slice(0, 300);
  const text = JSON.stringify([result?.content, result?.structuredContent]);
  if (!result?.isError) return undefined;
  if (/mistake in the server|internal_error|INTERNAL_ERROR/.test(text)) return text.slice(0, 300);
  if (/\n\s+at |\.cjs:\d|node:internal/.test(text)) return text.slice(0, 300);
  if (text.includes(home)) return `names a path of this machine: ${text.slice(0, 300)}`;
  return undefined;
}

describe("every tool", { timeout: 600_000 }, () => {
  it("answers hostile values of every argument with a sentence", async () => {
    const { client, calls, home } = await start();
    const faults = new Map<string, string>();
    const { tools } = calls;
    let turn = 0;
    for (const tool of new Set(tools)) {
      const call = calls.at(tools.indexOf(tool));
      // What the tool before made of it is of any size.
      mkdirSync(join(home, "vault", "made"), { recursive: true });
      writeFileSync(join(home, "vault", "made", "0.md"), "# Made 0\n\nReplaced\nAppended in round 0\n");
      const names = [...Object.keys(call.arguments).filter((name) => name !== "context"), "cursor"];
      for (const name of names) {
        // A quarter of the kinds, and the others for the next arguments.
        const kinds = sampled(Object.entries(HOSTILE), 4, turn++);
        const answers = kinds.map(async ([kind, value]) => {
          const fault = faultOf(await callWith(client, call, { [name]: value }), home);
          if (fault !== undefined) faults.set(`${call.name} ${name}: ${kind}`, fault);
        });
        await Promise.all(answers);
      }
    }
    expect(Object.fromEntries(faults)).toEqual({});
  });

  it("answers random arguments with a sentence", async () => {
    const { client, calls, home } = await start();
    const { tools } = calls;
    const value = fc.oneof(
      fc.json(),
      fc.constantFrom(...Object.values(HOSTILE)),
      fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    );
    const sample = fc.record({
      tool: fc.nat({ max: tools.length - 1 }),
      values: fc.array(fc.tuple(fc.nat({ max: 9 }), value), { maxLength: 3 }),
    });
    const asked = fc.sample(sample, { numRuns: repeats({ short: 150, long: 2_000 }), seed: 17 });
    const faults = new Map<string, string>();
    for (const { tool, values } of asked) {
      const call = calls.at(tool);
      // No random folder outside of the test's own is written to.
      const names = Object.keys(call.arguments).filter((name) => name !== "output_dir");
      const hostile = values.map(([at, json]) => [names[at % Math.max(1, names.length)] ?? "extra", json] as const);
      const fault = faultOf(await callWith(client, call, Object.fromEntries(hostile)), home);
      if (fault !== undefined) faults.set(`${call.name} ${JSON.stringify(hostile).slice(0, 100)}`, fault);
    }
    expect(Object.fromEntries(faults)).toEqual({});
  });
});

describe("files that are nested deeply", () => {
  const depth = 100_000;
  const files: Record<string, string> = {
    "deep.canvas": `{"nodes":${"[".repeat(depth)}${"]".repeat(depth)},"edges":[]}`,
    "deep yaml.md": `---\na: ${"[".repeat(depth)}${"]".repeat(depth)}\n---\nText with alpha.\n`,
    "deep yaml block.md": `---\n${Array.from({ length: 3_000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")} 1\n---\nText with alpha.\n`,
    "deep quotes.md": `${"> ".repeat(depth)}alpha\n`,
    "deep list.md": Array.from({ length: 5_000 }, (_, i) => `${" ".repeat(i)}- alpha ${i}`).join("\n"),
    "deep brackets.md": `${"[".repeat(depth)}alpha${"]".repeat(depth)} ${"![[".repeat(depth)} ${"*".repeat(depth)} ${"(".repeat(depth)}\n`,
    "deep.base": `filters:\n  and: ${"[".repeat(depth)}${"]".repeat(depth)}\n`,
    "deep.opml": `<opml version="2.0"><head/><body>${'<outline text="alpha">'.repeat(depth)}${"</outline>".repeat(depth)}</body></opml>`,
    "deep html.md": `${"<div>".repeat(depth)}alpha${"</div>".repeat(depth)}\n`,
  };

  it("are searched, read, moved and opened, or refused with a sentence", async () => {
    const home = temporaryFolder();
    const { args, env } = prepareHome(home);
    const vault = join(home, "vault");
    mkdirSync(join(vault, "deep"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(vault, "deep", name), text);
    const client = new LineClient([PROGRAM, ...args], env, home);
    atTheEnd(() => client.close());
    await client.initialize();
    const context = { ...(new MixedCalls(home).at(0).arguments["context"] as object) };
    const faults: Record<string, string> = {};
    const ask = async (name: string, sent: object) => {
      const answer = (await client.request("tools/call", { name, arguments: { ...sent, context } })) as Answer;
      const fault = faultOf(answer, home);
      if (fault !== undefined) faults[`${name} ${JSON.stringify(sent)}`] = fault;
      return answer;
    };
    const found = await ask("vaultLibrarian_searchContent", { query: "alpha", limit: 50 });
    expect(found.result?.isError).toBeUndefined();
    for (const name of Object.keys(files)) {
      const path = `deep/${name}`;
      await ask("contentManager_readContent", { filePath: path });
      await ask("contentManager_readContent", { filePath: path, heading: "Nope" });
      await ask("contentManager_readContent", { filePath: path, block: "^nope" });
      await ask("contentManager_appendContent", { filePath: path, content: "\nmore\n" });
      await ask("contentManager_updateProperties", { filePath: path, set: { b: 1 } });
      await ask("contentManager_replaceContent", { filePath: path, oldContent: "nothing", newContent: "x" });
      await ask("vaultLibrarian_links", { path, type: "outgoing" });
      await ask("vaultManager_moveNote", { path, newPath: `deep/moved ${name}` });
      await ask("undo", {});
      await ask("open_document", { path });
      await ask("get_outline_structure", {});
      await ask("get_section_content", { format: "markdown" });
      await ask("search_outline", { query: "alpha" });
      await ask("add_row", { topic: "a row" });
    }
    await ask("vaultManager_moveFolder", { path: "deep", newPath: "deeper" });
    expect(faults).toEqual({});
  });
});
