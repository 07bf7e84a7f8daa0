// Archives with names and sizes of any length, written and read, also by the
// system's own tar.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { TAR_END, tarEntry, tarFiles } from "./tar.ts";

const NAMES = [
  "a",
  "data/größe – 日本語.md",
  "x".repeat(100),
  "y".repeat(101),
  `${"folder/".repeat(60)}${"ö".repeat(120)}.md`,
];

function archiveOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  return Buffer.concat([...files.flatMap(([name, bytes]) => [...tarEntry(name, bytes.length, [bytes])]), TAR_END]);
}

async function* chunksOf(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(bytes: Buffer, length: number): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { name, content } of tarFiles(chunksOf(bytes, length))) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    found.push([name, Buffer.concat(pieces).toString("latin1")]);
  }
  return found;
}

const FILES = NAMES.map((name, i) => [name, Buffer.alloc([0, 1, 511, 512, 5000][i]!, `${i}`)] as const);

describe("an archive", () => {
  it.each([1, 7, 512, 4096, 1 << 20])("is read as it was written, in chunks of %i bytes", async (length) => {
    const expected = FILES.map(([name, bytes]) => [name, bytes.toString("latin1")]);
    expect(await read(archiveOf(FILES), length)).toEqual(expected);
  });

  it("whose files are not read is gone through all the same", async () => {
    const names: string[] = [];
    for await (const { name } of tarFiles(chunksOf(archiveOf(FILES), 100))) names.push(name);
    expect(names).toEqual(NAMES);
  });

  it.skipIf(process.platform === "win32")("is unpacked by tar", () => {
    const folder = mkdtempSync(join(tmpdir(), "tar-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.tar"), archiveOf(FILES));
    execFileSync("tar", ["xf", "a.tar"], { cwd: folder });
    for (const [name, bytes] of FILES) expect(readFileSync(join(folder, name)).equals(bytes), name).toBe(true);
  });

  it("that is cut off anywhere is refused", async () => {
    const whole = archiveOf(FILES.slice(0, 4));
    for (let length = 0; length < whole.length - 1024; length += 97)
      await expect(read(whole.subarray(0, length), 300)).rejects.toThrow("damaged");
  });

  it("with one changed byte in a header is refused", async () => {
    const whole = archiveOf(FILES.slice(1, 2));
    for (let at = 0; at < 512; at += 13) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 0x15;
      await expect(read(changed, 4096)).rejects.toThrow("damaged");
    }
  });

  it("notices a file that is longer or shorter than it said", () => {
    expect(() => [...tarEntry("a", 3, [Buffer.from("ab")])]).toThrow("has 2 bytes, not 3");
  });
});
