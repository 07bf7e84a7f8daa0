// Zip and gzip: everything that is not replaced keeps its bytes; damaged and
// unusual archives and decompression bombs are refused.
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../../test/growth.ts";
import { V5, zipOf } from "../../../test/fixtures/outline-files.ts";
import { membersOf, readRows } from "../../../test/references/outline-reader.ts";
import { Problem } from "../../kernel/problem.ts";
import { emptyDocument } from "./new-document.ts";
import { openContainer, parseOutline } from "./format-detection.ts";

const MEMBERS = { "metadata.xml": "<m/>", "contents.xml": V5, "editors.xml": "<editors/>".repeat(50) };
const contents = (bytes: Buffer) => openContainer(bytes).contents();

/** A copy with some bytes changed. */
function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

describe("a zip archive", () => {
  const zip = zipOf(MEMBERS);

  it("returns its contents", () => {
    expect(contents(zip).toString()).toBe(V5);
  });

  it("keeps the order, the headers and the compressed bytes of the other members", async () => {
    const longer = Buffer.from(V5.replace("First", "First of all, and longer"));
    const replaced = await openContainer(zip).replaced(longer);
    expect([...membersOf(replaced).keys()]).toEqual(Object.keys(MEMBERS));
    for (const [name, { packed, header }] of membersOf(zip)) {
      if (name !== "contents.xml") expect(membersOf(replaced).get(name)).toMatchObject({ packed, header });
    }
    expect(contents(replaced)).toEqual(longer);
    // Time, attributes and name of the member itself stay too: all but its sizes and checksum.
    const [before, after] = [zip, replaced].map((bytes) => membersOf(bytes).get("contents.xml")!.header);
    expect(after!.subarray(0, 14)).toEqual(before!.subarray(0, 14));
    expect(after!.subarray(26)).toEqual(before!.subarray(26));
    // And back again.
    expect(contents(await openContainer(replaced).replaced(Buffer.from(V5))).toString()).toBe(V5);
  });

  it("with data descriptors is read, and written without them", async () => {
    const { header, packed } = membersOf(zip).get("contents.xml")!;
    const start = zip.indexOf(header);
    const descriptor = Buffer.concat([Buffer.from("PK\x07\x08"), header.subarray(14, 26)]);
    const streamed = Buffer.concat([
      zip.subarray(0, start + header.length + packed.length),
      descriptor,
      zip.subarray(start + header.length + packed.length),
    ]);
    const end = streamed.length - 22;
    streamed.writeUInt16LE(8, start + 6);
    streamed.fill(0, start + 14, start + 26);
    const directory = streamed.readUInt32LE(end + 16) + descriptor.length;
    streamed.writeUInt32LE(directory, end + 16);
    const entry = streamed.indexOf("PK\x01\x02", directory + 1);
    streamed.writeUInt16LE(8, entry + 8);
    const last = streamed.indexOf("PK\x01\x02", entry + 1);
    streamed.writeUInt32LE(streamed.readUInt32LE(last + 42) + descriptor.length, last + 42);
    expect(contents(streamed).toString()).toBe(V5);
    const replaced = await openContainer(streamed).replaced(Buffer.from(V5.replace("First", "2nd")));
    expect([...membersOf(replaced).keys()]).toEqual(Object.keys(MEMBERS));
    expect(contents(replaced).toString()).toContain("2nd");
  });

  const end = zip.length - 22;
  const entry = zip.indexOf("PK\x01\x02", zip.indexOf("PK\x01\x02") + 1);
  it.each([
    ["cut off", zip.subarray(0, -1), "damaged"],
    ["without a directory", zip.subarray(0, 200), "damaged"],
    ["with a flipped bit", changed(zip, (copy) => (copy[zip.indexOf("contents.xml") + 40]! ^= 1)), "damaged"],
    ["with a wrong checksum", changed(zip, (copy) => copy.writeUInt32LE(1, entry + 16)), "damaged"],
    ["without contents.xml", zipOf({ "a.xml": "<a/>" }), "it has no contents.xml"],
    ["encrypted", changed(zip, (copy) => copy.writeUInt16LE(1, entry + 8)), "encrypted"],
    ["with another compression", changed(zip, (copy) => copy.writeUInt16LE(12, entry + 10)), "compression"],
    ["in Zip64 format", changed(zip, (copy) => copy.writeUInt32LE(0xffffffff, end + 16)), "Zip64"],
    ["over several disks", changed(zip, (copy) => copy.writeUInt16LE(1, end + 4)), "several files"],
    [
      "with something hidden in it",
      changed(zip, (copy) => copy.writeUInt32LE(zip.readUInt32LE(end + 16) - 10, end + 16)),
      "not in the form that OmniOutliner writes",
    ],
    ["with a member outside the file", changed(zip, (copy) => copy.writeUInt32LE(0x7fffffff, entry + 42)), "damaged"],
  ])("%s is refused", (_, bytes, reason) => {
    expect(() => contents(bytes)).toThrow(reason);
  });

  it("that declares too small a size is refused at that size", () => {
    const bomb = zipOf({ "contents.xml": Buffer.alloc(1_000_000) });
    const member = bomb.indexOf("PK\x01\x02");
    expect(() => contents(changed(bomb, (copy) => copy.writeUInt32LE(10, member + 24)))).toThrow("damaged");
  });

  it("that expands a thousandfold is refused before it is unpacked", () => {
    const bomb = zipOf({ "contents.xml": Buffer.alloc(40_000_000) });
    const before = process.memoryUsage().arrayBuffers;
    expect(() => contents(bomb)).toThrow("expands to more");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });
});

describe("a gzip file", () => {
  const gzip = gzipSync(V5);

  it("keeps its header, with name and time", async () => {
    const named = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 1, 2, 3, 4, 0, 3]),
      Buffer.from("contents.xml\0"),
      gzip.subarray(10),
    ]);
    const replaced = await openContainer(named).replaced(Buffer.from("<x/>"));
    expect(replaced.subarray(0, 23)).toEqual(named.subarray(0, 23));
    expect(gunzipSync(replaced).toString()).toBe("<x/>");
  });

  it.each([
    ["cut off", gzip.subarray(0, -3)],
    ["with a flipped bit", changed(gzip, (copy) => (copy[100]! ^= 1))],
    ["with a second member", Buffer.concat([gzip, gzip])],
    ["with trailing garbage", Buffer.concat([gzip, Buffer.from("garbage")])],
    ["that consists of a header only", gzip.subarray(0, 18)],
  ])("%s is refused", (_, bytes) => {
    expect(() => contents(bytes)).toThrow("damaged");
  });

  it("that expands a thousandfold is refused", () => {
    expect(() => contents(gzipSync(Buffer.alloc(60_000_000)))).toThrow("expands to more");
  });
});

describe("the format of a file", () => {
  const formatOf = (bytes: Buffer) => parseOutline(contents(bytes)).format;

  it("is detected by its content", () => {
    expect(formatOf(zipOf(MEMBERS))).toBe("ooutline");
    expect(formatOf(Buffer.from(V5))).toBe("ooutline");
    expect(formatOf(Buffer.from("<!-- a --><opml><body/></opml>"))).toBe("opml");
    expect(formatOf(Buffer.from("<b>bold</b>\n- a\n"))).toBe("markdown");
    expect(formatOf(Buffer.alloc(0))).toBe("markdown");
  });

  it.each([
    [
      "OmniOutliner 2",
      Buffer.from(`<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "a" "b">\n<plist version="1.0"><dict/></plist>`),
      "OmniOutliner 2",
    ],
    ["a binary plist", Buffer.from("bplist00\u0001"), "OmniOutliner 2"],
    [
      "a version to come",
      Buffer.from(V5.replace("OmniOutliner/v5", "OmniOutliner/v9")),
      "version that this program does not know",
    ],
    ["other XML", Buffer.from(`<?xml version="1.0"?><html/>`), "not an outline that this program knows"],
    ["UTF-16", Buffer.from("\uFEFF- a", "utf16le"), "UTF-16"],
    ["Latin-1", Buffer.from([0x2d, 0x20, 0xe9, 0x0a]), "not in UTF-8"],
    ["binary", Buffer.from([0x89, 0x50, 0, 1]), "not text"],
  ])("is refused for %s", (_, bytes, reason) => {
    expect(() => formatOf(bytes)).toThrow(reason);
  });

  const beginnings = ["<?a?>", "<!--", "<!-- -->", "<", " ", "<!DOCTYPE a>"];
  it.each(beginnings)("is detected in linear time in a file that repeats %j", (piece) => {
    const readOrRefuse = (bytes: Buffer) => {
      try {
        parseOutline(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
    };
    expectLinearTime((size) => Buffer.from(piece.repeat(size / piece.length)), readOrRefuse, 2_000_000);
  });
});

it.each(["ooutline", "opml", "markdown"] as const)("a new %s document can be read and has no rows", (format) => {
  const bytes = emptyDocument(format, "Tom & Jerry");
  expect(parseOutline(contents(bytes)).count).toBe(0);
  expect(readRows(bytes)).toEqual([]);
});
