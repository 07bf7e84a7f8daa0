// Files that are larger than anything that is read whole: the size is looked at
// first, so that they cost neither memory nor time, and lines of them can be
// read all the same.
import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { LineClient } from "../../../bench/measurement/line-client.ts";
import { atTheEnd, environmentIn, PROGRAM, runProgram, temporaryFolder } from "../../processes/program.ts";
import { callContext } from "../../fixtures/call-context.ts";

const GIGABYTE = 1024 ** 3;
/** What a refusal may cost beside what the server has anyway, in megabytes. */
const MAX_MEGABYTES = 64;

const context = callContext({ sessionId: "large" });

interface Answer {
  readonly result: {
    readonly isError?: true;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: Record<string, unknown>;
  };
}

async function connect(home: string, args: readonly string[]) {
  const client = new LineClient([PROGRAM, ...args, "--toolsets", "all"], environmentIn(home));
  atTheEnd(() => client.close());
  await client.initialize();
  const call = async (name: string, sent: object) =>
    ((await client.request("tools/call", { name, arguments: sent })) as Answer).result;
  return { client, call };
}

/** What the calls add to the server's peak of memory; only Linux reports it. */
async function costOf(client: LineClient, work: () => Promise<unknown>): Promise<number> {
  const before = client.peakMemory() ?? 0;
  await work();
  return (client.peakMemory() ?? 0) - before;
}

describe("a note of a gigabyte", () => {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  const big = join(vault, "big.md");
  let connection: Awaited<ReturnType<typeof connect>>;

  const BEGINNING = "---\ntitle: A big one\n---\nfirst\nsecond\nthird\n";
  const END = "\nthe last line but one\nthe last line\n";

  /** Lines at its beginning and its end; in between a hole, which takes no place on the disk and is read as NULs. */
  function writeWithHole(name: string, size: number): void {
    const path = join(vault, name);
    writeFileSync(path, BEGINNING);
    truncateSync(path, size);
    appendFileSync(path, END);
  }

  beforeAll(async () => {
    mkdirSync(vault);
    writeFileSync(join(vault, "small.md"), "alpha\n");
    writeWithHole("big.md", GIGABYTE);
    const long = Buffer.concat([Buffer.from(BEGINNING), Buffer.alloc(200 * 1024 ** 2, "x"), Buffer.from(END)]);
    writeFileSync(join(vault, "long.md"), long);
    connection = await connect(home, ["--vault", vault]);
    const { call } = connection;
    await call("vaultLibrarian_searchContent", { query: "alpha", context });
    await call("contentManager_readContent", { filePath: "small.md", context });
  });

  it("is found by its name, and the index says why not by its text", async () => {
    const { call } = connection;
    const { structuredContent } = await call("vaultLibrarian_searchDirectory", { query: "big", paths: ["/"], context });
    expect(JSON.stringify(structuredContent)).toContain("big.md");
    const { stdout, stderr } = await runProgram(["index", "--vault", vault], { home });
    expect(stdout + stderr).toMatch(/big\.md.*larger than 64 MB/);
  });

  it.each([
    ["contentManager_readContent", { filePath: "big.md" }],
    ["contentManager_readContent", { filePath: "big.md", heading: "A" }],
    ["contentManager_appendContent", { filePath: "big.md", content: "more" }],
    ["contentManager_findReplaceContent", { filePath: "big.md", findText: "first", replaceText: "last" }],
    ["contentManager_updateProperties", { filePath: "big.md", set: { a: 1 } }],
    ["vaultManager_duplicateNote", { sourcePath: "big.md", targetPath: "copy.md" }],
    ["open_document", { path: "big.md" }],
  ])("is refused by %s %j with its size and the limit, at no cost", async (tool, sent) => {
    const { client, call } = connection;
    let text = "";
    const cost = await costOf(client, async () => {
      const { isError, content } = await call(tool, { ...sent, context });
      expect(isError).toBe(true);
      text = content[0]!.text;
    });
    expect(text).toMatch(/too large: it has 1,025 MB, and at most (?:64|400) MB are read/);
    expect(cost).toBeLessThan(MAX_MEGABYTES);
    expect(statSync(big).size).toBeGreaterThan(GIGABYTE);
  });

  it("returns some of its lines, and other calls are answered in between", async () => {
    const { client, call } = connection;
    const answered: string[] = [];
    const read = (part: object) => call("contentManager_readContent", { filePath: "long.md", ...part, context });
    const cost = await costOf(client, async () => {
      const [last] = await Promise.all([
        read({ offset: 7, limit: 100 }).finally(() => answered.push("big")),
        call("contentManager_readContent", { filePath: "small.md", context }).finally(() => answered.push("small")),
      ]);
      expect(last.structuredContent).toMatchObject({
        success: true,
        data: {
          content: "the last line but one\nthe last line\n",
          startLine: 8,
          endLine: 9,
          totalLines: 9,
          contentHash: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      });
      const first = await read({ offset: 3, limit: 2, includeProperties: true });
      expect(first.structuredContent).toMatchObject({
        success: true,
        data: { content: "first\nsecond\n", startLine: 4, endLine: 5, properties: { title: "A big one" } },
      });
      // What comes after these lines was not looked at.
      for (const unknown of ["totalLines", "contentHash"])
        expect(first.structuredContent["data"]).not.toHaveProperty(unknown);
    });
    expect(answered).toEqual(["small", "big"]);
    expect(cost).toBeLessThan(MAX_MEGABYTES);
  });

  it("returns no lines beyond its end, and refuses lines that are too long", async () => {
    const { call } = connection;
    const read = (part: object) => call("contentManager_readContent", { filePath: "long.md", ...part, context });
    expect((await read({ offset: 9, limit: 1 })).content[0]!.text).toContain("offset must be less than 9");
    expect((await read({ offset: 6, limit: 1 })).content[0]!.text).toContain("These lines have more than 64 MB");
  });

  it("is read up to the last requested line, and is binary if a NUL comes before that", async () => {
    const { call } = connection;
    const read = (part: object) => call("contentManager_readContent", { filePath: "big.md", ...part, context });
    const first = await read({ offset: 3, limit: 3 });
    expect(first.structuredContent).toMatchObject({ data: { content: "first\nsecond\nthird\n", endLine: 6 } });
    for (const offset of [5, 6, 8, 1_000_000])
      expect((await read({ offset, limit: 2 })).content[0]!.text).toContain("The file is binary, not text");
  });

  it("is moved to another name and back, and to the trash and back", async () => {
    const { client, call } = connection;
    const cost = await costOf(client, async () => {
      const moved = await call("vaultManager_moveNote", { path: "big.md", newPath: "bigger.md", context });
      expect(moved.isError).toBeUndefined();
      expect((await call("undo", {})).isError).toBeUndefined();
      expect((await call("vaultManager_deleteNote", { path: "big.md", context })).isError).toBeUndefined();
      expect((await call("undo", {})).isError).toBeUndefined();
    });
    expect(statSync(big).size).toBeGreaterThan(GIGABYTE);
    expect(cost).toBeLessThan(MAX_MEGABYTES);
  });
});

describe("a note that would become too large", () => {
  it("is not written", async () => {
    const home = temporaryFolder();
    const vault = join(home, "vault");
    mkdirSync(vault);
    const text = "x".repeat(63 * 1024 * 1024);
    writeFileSync(join(vault, "a.md"), text);
    const { call } = await connect(home, ["--vault", vault]);
    const content = "y".repeat(2 * 1024 * 1024);
    const answer = await call("contentManager_appendContent", { filePath: "a.md", content, context });
    expect(answer.content[0]!.text).toContain("would have more than 64 MB: nothing was changed");
    expect(readFileSync(join(vault, "a.md"), "utf8")).toBe(text);
  });
});

/** A zip archive with one member, which may say any size. */
function zipOf(name: string, contents: Buffer, said = contents.length): Buffer {
  const packed = deflateRawSync(contents);
  const [local, central, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)];
  local.writeUInt32LE(0x04034b50, 0);
  central.writeUInt32LE(0x02014b50, 0);
  for (const [head, at] of [
    [local, 8],
    [central, 10],
  ] as const) {
    head.writeUInt16LE(8, at);
    head.writeUInt32LE(crc32(contents), at + 6);
    head.writeUInt32LE(packed.length, at + 10);
    head.writeUInt32LE(said, at + 14);
    head.writeUInt16LE(name.length, at + 18);
  }
  const start = 30 + name.length + packed.length;
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

describe("an outline that expands to more than fits in memory", () => {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  const zeros = Buffer.alloc(400 * 1024 * 1024);
  const bombs: Record<string, Buffer> = {
    "gzip.oo3": gzipSync(zeros),
    "many gzips in one.oo3": Buffer.concat([gzipSync(zeros.subarray(0, 60_000_000)), gzipSync(zeros)]),
    "zip.ooutline": zipOf("contents.xml", zeros),
    "zip that says less.ooutline": zipOf("contents.xml", zeros, 1_000),
    "within the limit.oo3": gzipSync(zeros.subarray(0, 31 * 1024 * 1024)),
  };
  // Its size, as it says, is that of a small one.
  const lying = Buffer.from(bombs["gzip.oo3"]!);
  lying.writeUInt32LE(1_000, lying.length - 4);
  bombs["gzip that says less.oo3"] = lying;
  for (const [name, bytes] of Object.entries(bombs)) writeFileSync(join(vault, name), bytes);

  it.each(Object.keys(bombs))("is refused at little cost: %s", async (name) => {
    const { client, call } = await connect(home, ["--vault", vault]);
    await call("open_document", { path: "none.opml" });
    const cost = await costOf(client, async () => {
      const { isError, content } = await call("open_document", { path: name });
      expect(isError).toBe(true);
      expect(content[0]!.text).toMatch(/expands to more|damaged|not text/);
    });
    expect(cost).toBeLessThan(MAX_MEGABYTES);
  });
});
