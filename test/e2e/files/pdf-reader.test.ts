// PDF files, read by the packed program's own process: in every way in which they
// are written, and hostile ones, which cost that process and nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import * as sample from "../../fixtures/pdf-files.ts";
import { openPdfReader, type PdfReader, UnreadablePdf } from "../../../src/vault/pdf/pdf-reader.ts";

const PROGRAM = join(inject("packageFolder"), "dist", "pdf-process.mjs");
const WHOLE = { from: 1, mostCharacters: 1_000_000, mostPages: 1_000 };
const TEXT = [["First page", "second line"], ["Page two (with brackets)"]];
const READ = { total: 2, pages: ["First page\nsecond line", "Page two (with brackets)"] };

const fileOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)),
});

const readers: PdfReader[] = [];
const open = (options?: Parameters<typeof openPdfReader>[1]) => {
  const reader = openPdfReader(PROGRAM, options);
  readers.push(reader);
  return reader;
};
afterAll(() => readers.forEach((reader) => reader.close()));

const shared = open();
const read = (bytes: Uint8Array, reader = shared) => reader.read({ ...WHOLE, file: fileOf(bytes) });
const reasonOf = async (bytes: Uint8Array, reader = shared) => {
  const failure = await read(bytes, reader).catch((error: unknown) => error);
  return failure instanceof UnreadablePdf ? failure.reason : failure;
};

describe("the text of a PDF file", () => {
  it.each([
    ["as plain objects", sample.pdf(TEXT)],
    ["compressed", sample.pdf(TEXT, { isCompressed: true })],
    ["with objects in compressed streams", sample.pdfWithObjectStreams(TEXT)],
    ["encrypted with an empty password", sample.encryptedPdf(TEXT, "")],
    [
      "with a broken table of objects",
      Buffer.from(
        sample
          .pdf(TEXT)
          .toString("latin1")
          .replace(/startxref\n\d+/, "startxref\n7"),
        "latin1",
      ),
    ],
    ["with bytes before it", Buffer.concat([Buffer.from("\n\n"), sample.pdf(TEXT)])],
  ])("is read %s", async (_, bytes) => {
    expect(await read(bytes)).toEqual(READ);
  });

  it("is read in Chinese and Japanese, by the file's map and by our own", async () => {
    expect(await read(sample.pdfWithUnicodeMap([["漢字とかな", "简体中文"]]))).toMatchObject({
      pages: ["漢字とかな\n简体中文"],
    });
    expect(await read(sample.pdfInShiftJis("93fa967b8cea"))).toMatchObject({ pages: ["日本語"] });
  });

  it("has words that are divided at the end of a line in one", async () => {
    const { pages } = await read(sample.pdf([["some infor-", "mation of 1990-", "1995 by Jean-", "Paul"]]));
    expect(pages).toEqual(["some information of 1990-\n1995 by Jean-\nPaul"]);
  });

  it("comes from the page that is asked for, and no further than asked", async () => {
    const bytes = sample.pdf(Array.from({ length: 9 }, (_, i) => [`Page ${i + 1}`]));
    const some = (from: number, mostCharacters: number, mostPages: number) =>
      shared.read({ file: fileOf(bytes), from, mostCharacters, mostPages });
    expect(await some(3, 1_000, 2)).toEqual({ total: 9, pages: ["Page 3", "Page 4"] });
    expect(await some(8, 1_000, 10)).toEqual({ total: 9, pages: ["Page 8", "Page 9"] });
    expect(await some(2, 7, 10)).toEqual({ total: 9, pages: ["Page 2", "Page 3"] });
    expect(await some(12, 1_000, 10)).toEqual({ total: 9, pages: [] });
  });

  it("is empty if the pages contain themselves", async () => {
    expect(await read(sample.circularPdf())).toEqual({ total: 1, pages: [""] });
  });

  it("is empty on a page without any", async () => {
    expect(await read(sample.pdf([[], ["text"]]))).toEqual({ total: 2, pages: ["", "text"] });
  });
});

describe("a PDF file that cannot be read", () => {
  it.each([
    ["encrypted", "with a password", sample.encryptedPdf(TEXT, "secret")],
    ["damaged", "without anything", Buffer.alloc(0)],
    ["damaged", "of another format", Buffer.from("PK\x03\x04 not a PDF")],
    ["damaged", "of nothing but a first line", Buffer.from("%PDF-1.7\n")],
    ["damaged", "cut before its table of objects", sample.pdf(TEXT).subarray(0, sample.pdf(TEXT).indexOf("xref"))],
  ])("is %s: %s", async (reason, _, bytes) => {
    expect(await reasonOf(bytes)).toBe(reason);
    expect(await read(sample.pdf(TEXT))).toEqual(READ);
  });

  it(
    "because it would fill the memory ends its process alone, which is small until then",
    { timeout: 120_000 },
    async () => {
      const bomb = sample.pdfBomb(8_000);
      expect(bomb.length).toBeLessThan(100_000);
      const peak = watchMemory();
      expect(await reasonOf(bomb)).toBe("memory");
      // The limit of the process, and what it takes between two looks at it.
      expect(peak()).toBeLessThan(1_000_000_000);
      expect(await read(sample.pdf(TEXT))).toEqual(READ);
    },
  );

  it("in time is read as far as the time allows", async () => {
    const reader = open({ timeLimit: 2_000, isInBackground: true });
    await read(sample.pdf(TEXT), reader);
    const found = await read(sample.slowPdf(4_000_000), reader).catch(
      (error: unknown) => (error as UnreadablePdf).reason,
    );
    expect(found).toEqual({ total: 2, pages: ["Before the long page"], problem: "time" });
    expect(await read(sample.pdf(TEXT), reader)).toEqual(READ);
  });

  it("survives any change of its bytes", async () => {
    const reader = open();
    for (const whole of [
      sample.pdfWithObjectStreams(TEXT),
      sample.encryptedPdf(TEXT, ""),
      sample.pdfWithUnicodeMap(TEXT),
    ])
      for (let at = 0; at < whole.length; at += 67) {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= 0x41;
        const found = await read(bytes, reader).catch((error: unknown) => error);
        if (found instanceof UnreadablePdf) expect(["damaged", "encrypted"]).toContain(found.reason);
        else expect(found).toHaveProperty("pages");
      }
  });

  it("for want of a process is not blamed on the file", async () => {
    const reader = openPdfReader(join(PROGRAM, "..", "missing.mjs"));
    expect(await reasonOf(sample.pdf(TEXT), reader)).toBe("no process");
  });

  it("stops when the caller gives up", async () => {
    const stop = new AbortController();
    const reading = open().read({ ...WHOLE, file: fileOf(sample.slowPdf(1_000_000)) }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 300);
    await expect(reading).rejects.toThrow("enough");
  });
});

/** The highest memory of the processes that this one starts, in bytes; 0 where the system does not say. */
function watchMemory(): () => number {
  let highest = 0;
  const look = () => {
    for (const name of process.platform === "linux" ? readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)) : [])
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        if (!status.includes(`PPid:\t${process.pid}\n`)) continue;
        highest = Math.max(highest, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
      } catch {
        // It has ended.
      }
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    return highest;
  };
}
