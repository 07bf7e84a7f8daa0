import {
  appendFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BoundedJson } from "./bounded-json.ts";
import { parsedLine, readJsonLines } from "./json-lines.ts";
import { transcriptFileAt } from "../source.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "json-lines-"));
  path = join(folder, "a.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

async function read(checkpoint?: string) {
  const values: unknown[] = [];
  let isRewritten = false;
  let last = checkpoint;
  for await (const piece of readJsonLines(transcriptFileAt(path)!, checkpoint, AbortSignal.timeout(240_000))) {
    values.push(...piece.lines.map((line) => parsedLine(line)));
    isRewritten ||= piece.isRewritten;
    last = piece.checkpoint;
  }
  return { values, isRewritten, checkpoint: last };
}

describe("a file of JSON lines", () => {
  it("is read from where the last reading stopped", async () => {
    writeFileSync(path, '{"n":1}\n{"n":2}\n');
    const first = await read();
    expect(first.values).toEqual([{ n: 1 }, { n: 2 }]);
    appendFileSync(path, '{"n":3}\n');
    expect(await read(first.checkpoint)).toMatchObject({ values: [{ n: 3 }], isRewritten: false });
  });

  it("leaves a torn last line until it is complete", async () => {
    writeFileSync(path, '{"n":1}\n{"n":');
    const first = await read();
    expect(first.values).toEqual([{ n: 1 }]);
    appendFileSync(path, '"ü');
    const second = await read(first.checkpoint);
    expect(second.values).toEqual([]);
    appendFileSync(path, '"}\n');
    expect((await read(second.checkpoint)).values).toEqual([{ n: "ü" }]);
  });

  it("gives a complete last line without a line break once", async () => {
    writeFileSync(path, '{"n":1}\n{"n":2}');
    const first = await read();
    expect(first.values).toEqual([{ n: 1 }, { n: 2 }]);
    appendFileSync(path, '\n{"n":3}\n');
    expect((await read(first.checkpoint)).values).toEqual([{ n: 3 }]);
  });

  it("is read from the beginning when it was rewritten or truncated", async () => {
    writeFileSync(path, '{"n":1}\n{"n":2}\n');
    const { checkpoint } = await read();
    writeFileSync(path, '{"n":7}\n{"n":8}\n{"n":9}\n');
    expect(await read(checkpoint)).toMatchObject({ values: [{ n: 7 }, { n: 8 }, { n: 9 }], isRewritten: true });
    writeFileSync(path, '{"n":1}\n');
    expect(await read(checkpoint)).toMatchObject({ values: [{ n: 1 }], isRewritten: true });
    truncateSync(path, 0);
    expect(await read(checkpoint)).toMatchObject({ values: [], isRewritten: true });
  });

  it("skips empty lines, and reports lines that are no JSON", async () => {
    writeFileSync(path, '\n\r\n{"n":1}\r\nnot json\n{"n":2}\n');
    expect((await read()).values).toEqual([{ n: 1 }, undefined, { n: 2 }]);
  });

  it("is read completely wherever its lines are split into pieces", async () => {
    const lines = Array.from({ length: 400 }, (_, n) => ({ n, text: "é".repeat((n * 7919) % 20_000) }));
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect((await read()).values).toEqual(lines);
  });

  it("does not keep a line of 60 MB in memory, and still gives its content", async () => {
    const file = openSync(path, "w");
    writeSync(file, '{"type":"user","image":"');
    const block = "A".repeat(1_000_000);
    for (let i = 0; i < 60; i++) writeSync(file, block);
    writeSync(file, '","uuid":"u-1","words":"behind \\"it\\""}\n{"n":2}\n');
    closeSync(file);
    const before = process.memoryUsage().rss;
    const { values } = await read();
    expect(values).toMatchObject([{ type: "user", uuid: "u-1", words: 'behind "it"' }, { n: 2 }]);
    const { image } = values[0] as { image: string };
    expect(image).toMatch(/A … \(56000000 bytes more\)$/);
    expect(image.length).toBeLessThan(4_000_100);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });
});

it("a text in a line of many megabytes is whole, or cut between words", async () => {
  const [whole, long] = [3_000_000, 9_000_000].map((length) => "word and ".repeat(length / 9));
  writeFileSync(path, `${JSON.stringify({ whole, copy: whole, long: `${long} secretword` })}\n`);
  const { values } = await read();
  const [found] = values as { whole: string; copy: string; long: string }[];
  expect(found!.whole).toBe(whole);
  expect(found!.copy).toBe(whole);
  expect(found!.long).toMatch(/(?:word|and|word and)? … \(\d+ bytes more\)$/);
});

describe("JSON that comes in pieces", () => {
  const samples = [
    { a: [1, -2.5e3, true, null, 'x\\"\n\u{1F600}é'], b: { c: {}, d: [] }, __proto__x: "" },
    [],
    "text",
    12,
    { deep: [[[["a", { b: "\u0000\u2028" }]]]] },
  ];

  it.each(samples.map((sample) => [JSON.stringify(sample), sample]))("is what JSON.parse gives: %s", (json, value) => {
    const bytes = Buffer.from(json as string);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const parser = new BoundedJson();
      for (let at = 0; at < bytes.length; at += size) parser.push(bytes, at, Math.min(bytes.length, at + size));
      expect(parser.end()).toEqual(value);
    }
  });

  it.each(['{"a":1', '{"a"', '["a', "{]", '{"a":nope}', ""])("is undefined if it is invalid: %s", (json) => {
    const parser = new BoundedJson();
    parser.push(Buffer.from(json));
    expect(parser.end()).toBeUndefined();
  });

  it("is cut between characters and between escapes", () => {
    for (const [transcript, shift] of [
      ["é", 1],
      ["\\u00e9", 1],
      ["\\n", 1],
      ["\\\\", 1],
    ] as const) {
      for (let i = 0; i < 7; i++) {
        const parser = new BoundedJson();
        parser.push(Buffer.from(`"${"a".repeat(i * shift)}${transcript.repeat(600_000)}"`));
        const value = parser.end() as string;
        expect(new Set(value.replace(/^a+/, "")).size).toBe(1);
        expect(value).not.toContain("\uFFFD");
      }
    }
  });
});
