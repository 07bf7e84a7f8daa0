import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zipArchive, type ZipMember } from "../../../test/fixtures/zip-archives.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { openZipFile, type ZipFile } from "./zip-file.ts";

function fileOf(bytes: Buffer): string {
  const path = join(temporaryFolder(), "archive.zip");
  writeFileSync(path, bytes);
  return path;
}

async function contentsOf(zip: ZipFile, name: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of zip.contents(zip.members.find((member) => member.name === name)!)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

async function readAll(bytes: Buffer): Promise<Record<string, string>> {
  const zip = openZipFile(fileOf(bytes))!;
  try {
    const entries: [string, string][] = [];
    for (const { name } of zip.members) entries.push([name, await contentsOf(zip, name)]);
    return Object.fromEntries(entries);
  } finally {
    zip.close();
  }
}

const MEMBERS: ZipMember[] = [
  { name: "a.json", content: "[1, 2]" },
  { name: "folder/größe.txt", content: "x".repeat(700_000), isStored: true },
  { name: "empty", content: "" },
];

describe("a zip archive in a file", () => {
  it.each([
    ["is read member by member", {}],
    ["may have a comment", { comment: "PK\u0005\u0006 of the archive" }],
    ["may be a Zip64 archive", { isZip64: true }],
  ])("%s", async (_, options) => {
    expect(await readAll(zipArchive(MEMBERS, options))).toEqual(
      Object.fromEntries(MEMBERS.map(({ name, content }) => [name, String(content)])),
    );
  });

  it("is not recognised if the file is something else", () => {
    expect(openZipFile(fileOf(Buffer.from('[{"uuid": "x"}]')))).toBeUndefined();
    expect(openZipFile(fileOf(Buffer.alloc(0)))).toBeUndefined();
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
    ["cut off in its directory", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 300), bytes.subarray(-22)])],
    [
      "damaged in a member",
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 40), Buffer.from("?"), bytes.subarray(41)]),
    ],
    [
      "without its members",
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(bytes.length - 226), bytes.subarray(-222)]),
    ],
  ])("that is %s is refused with a sentence", async (_, damage) => {
    await expect(readAll(damage(zipArchive(MEMBERS)))).rejects.toThrow("The zip archive is damaged");
  });

  it("has its large values in the Zip64 field, whatever other fields precede it", async () => {
    const zip = zipArchive(MEMBERS, { isZip64: true, isDated: true });
    expect(Object.keys(await readAll(zip))).toEqual(MEMBERS.map(({ name }) => name));
  });

  it("is refused if its Zip64 directory is not where its locator says", async () => {
    // The comment begins like the directory's end, and is too short for one.
    const comment = "PK\u0006\u0006";
    const zip = zipArchive(MEMBERS, { isZip64: true, comment });
    const located = zip.length - comment.length - 22 - 20 + 8;
    const unsigned = Buffer.from(zip);
    unsigned.writeUInt32LE(0, Number(zip.readBigUInt64LE(located)));
    zip.writeBigUInt64LE(BigInt(zip.length - comment.length), located);
    for (const damaged of [unsigned, zip]) await expect(readAll(damaged)).rejects.toThrow("The zip archive is damaged");
  });

  it("that is encrypted is refused", async () => {
    await expect(readAll(zipArchive([{ name: "a", content: "x", isEncrypted: true }]))).rejects.toThrow("is encrypted");
  });

  it("never gives more than a member declares, nor what no archive of texts expands to", async () => {
    const bomb = { name: "bomb", content: Buffer.alloc(80 << 20) };
    await expect(readAll(zipArchive([bomb]))).rejects.toThrow("expands to more");
    await expect(readAll(zipArchive([{ ...bomb, declared: 1000 }]))).rejects.toThrow("damaged");
  });

  it("is not read at once: a member is given in pieces", async () => {
    const zip = openZipFile(fileOf(zipArchive([{ name: "a", content: "abcdefgh".repeat(400_000) }])))!;
    let pieces = 0;
    for await (const piece of zip.contents(zip.members[0]!)) {
      expect(piece.length).toBeLessThanOrEqual(1 << 18);
      pieces++;
    }
    zip.close();
    expect(pieces).toBeGreaterThan(10);
  });
});
