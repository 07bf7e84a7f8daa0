// PDF files in the packed program: found with the page, read from that page on,
// and hostile ones leave the server as it was.
import { execFileSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import * as sample from "../../fixtures/pdf-files.ts";
import { vaultFolder } from "../../fixtures/vaults.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";

const READ = "contentManager_readContent";
const PAPER = sample.pdfWithObjectStreams([["Title"], ["The heron nests in reeds"], ["Conclusion"]]);
const FILES = {
  "Note.md": "See [[Heron study.pdf#page=2]]",
  "Papers/Heron study.pdf": PAPER,
  "Papers/locked.pdf": sample.encryptedPdf([["heron"]], "secret"),
  "Papers/broken.pdf": "not a PDF",
  "Papers/scan.pdf": sample.pdf([[], []]),
};

interface Found {
  readonly results: readonly Record<string, unknown>[];
  readonly waitingPdfs?: number;
}

async function call<R>(client: Client, name: string, sent: Record<string, unknown>): Promise<R> {
  const result = await client.callTool({ name, arguments: sent });
  expect(result.isError, JSON.stringify(result.structuredContent)).toBeFalsy();
  return result.structuredContent as R;
}

/** Searches until all PDF files were read. */
async function searchAll(client: Client, name: string, sent: Record<string, unknown>): Promise<Found> {
  for (;;) {
    const found = await call<Found>(client, name, sent);
    if (found.waitingPdfs === undefined) return found;
    await pause(100);
  }
}

/** How many processes the server has started to read PDF files. */
function pdfProcesses(client: Client): number {
  const { pid } = client.transport as StdioClientTransport;
  return execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("pdf-process.mjs") && line.trim().startsWith(`${pid} `)).length;
}

describe("PDF files", () => {
  it("are found by both searches with the page, which is read next", async () => {
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vaultFolder(FILES)]);
    const { results } = await searchAll(client, "search", { query: "heron nests" });
    expect(results[0]).toMatchObject({
      kind: "pdf",
      id: "Papers/Heron study.pdf",
      page: 2,
      snippet: "The heron nests in reeds",
    });
    const content = await searchAll(client, "vaultLibrarian_searchContent", { query: "reeds", context: CONTEXT });
    expect(content.results).toMatchObject([
      { filePath: "Papers/Heron study.pdf", page: 2, content: "The heron nests in reeds", searchMethod: "keyword" },
    ]);
    expect(await call(client, READ, { filePath: results[0]!["id"], page: results[0]!["page"] })).toMatchObject({
      data: {
        content: "[Page 2]\nThe heron nests in reeds\n\n[Page 3]\nConclusion\n",
        page: 2,
        endPage: 3,
        file: { type: "application/pdf", pages: 3, size: PAPER.length },
      },
    });
  });

  it("are read as a link says, and from their beginning", async () => {
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vaultFolder(FILES)]);
    expect(await call(client, READ, { filePath: "[[Heron study.pdf#page=3]]" })).toMatchObject({
      data: { content: "[Page 3]\nConclusion\n" },
    });
    expect(await call(client, READ, { filePath: "Papers/Heron study.pdf" })).toMatchObject({
      data: { page: 1, endPage: 3 },
    });
    const beyond = await client.callTool({ name: READ, arguments: { filePath: "Heron study.pdf", page: 4 } });
    expect(beyond).toMatchObject({
      isError: true,
      structuredContent: { error: "page must be at most 3: the file has 3 pages" },
    });
  });

  it.each([
    [{ page: 2, limit: 1 }, "Papers/Heron study.pdf, page 2 of 3\n", [2, 2]],
    [{ offset: 2 }, "Papers/Heron study.pdf, page 3 of 3\n", [3, 3]],
    [{ limit: 2 }, "Papers/Heron study.pdf, pages 1 to 2 of 3\n", [1, 2]],
    [{}, "Papers/Heron study.pdf, pages 1 to 3 of 3\n", [1, 3]],
  ])("are read as many pages as are asked for, and say first which: %j", async (asked, head, [page, endPage]) => {
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vaultFolder(FILES)]);
    const sent = { name: READ, arguments: { filePath: "Papers/Heron study.pdf", ...asked } };
    const { content, structuredContent } = await client.callTool(sent);
    expect((content as { text: string }[])[0]!.text.startsWith(head)).toBe(true);
    expect(structuredContent).toMatchObject({ data: { page, endPage } });
  });

  it("come a good part at a time, and say how to go on", async () => {
    const line = "word ".repeat(20).trim();
    const book = sample.pdf(Array.from({ length: 30 }, () => Array.from({ length: 40 }, () => line)));
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], [
      "--vault",
      vaultFolder({ "book.pdf": book }),
    ]);
    const first = await call<{ data: { endPage: number }; hint: string }>(client, READ, { filePath: "book.pdf" });
    expect(first.data.endPage).toBeGreaterThan(1);
    expect(first.data.endPage).toBeLessThan(30);
    const next = first.data.endPage + 1;
    expect(first.hint).toBe(`These are pages 1 to ${next - 1} of 30. For more, call again with page: ${next}.`);
    expect(await call(client, READ, { filePath: "book.pdf", page: next })).toMatchObject({ data: { page: next } });
  });

  it("that cannot be read are described, without an error", async () => {
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vaultFolder(FILES)]);
    const hintOf = async (filePath: string) => (await call<{ hint?: string }>(client, READ, { filePath })).hint;
    expect(await hintOf("locked.pdf")).toMatch(/encrypted with a password/);
    expect(await hintOf("broken.pdf")).toMatch(/damaged, or not a PDF file/);
    expect(await hintOf("scan.pdf")).toMatch(/^There is no text on these pages/);
  });

  it("of the hostile kind cost a process of their own, and the search goes on", async () => {
    const vault = vaultFolder({ ...FILES, "bomb.pdf": sample.pdfBomb(4_000), "circle.pdf": sample.circularPdf() });
    // The newest are read first.
    utimesSync(join(vault, "Papers", "Heron study.pdf"), new Date(), new Date("2020-01-01"));
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vault]);
    expect(await call<{ hint: string }>(client, READ, { filePath: "bomb.pdf" })).toMatchObject({
      hint: "Its text takes too much memory to read.",
    });
    const { results } = await searchAll(client, "search", { query: "heron nests" });
    expect(results[0]).toMatchObject({ id: "Papers/Heron study.pdf", page: 2 });
  });

  it("are indexed by the command, which names those that cannot be read", async () => {
    const home = temporaryFolder();
    const vault = vaultFolder(FILES);
    const { stdout, code } = await runProgram(["index", "--vault", vault], { home });
    expect(code).toBe(0);
    expect(stdout).toContain("cannot be read: Papers/locked.pdf (encrypted)");
    expect(stdout).toContain("cannot be read: Papers/broken.pdf (damaged)");
    const searched = await runProgram(["call", "search", '{"query":"reeds"}', "--vault", vault], { home });
    expect(JSON.parse(searched.stdout)).toMatchObject({ results: [{ page: 2 }] });
  });

  it("are waited for by the command that searches, however long one takes", async () => {
    const vault = vaultFolder({ ...FILES, "bomb.pdf": sample.pdfBomb(4_000) });
    // The newest are read first.
    utimesSync(join(vault, "Papers", "Heron study.pdf"), new Date(), new Date("2020-01-01"));
    const { stdout } = await runProgram(["search", "heron nests", "--vault", vault, "--json"], {
      home: temporaryFolder(),
    });
    expect((JSON.parse(stdout) as Found).results[0]).toMatchObject({ id: "Papers/Heron study.pdf", page: 2 });
  });

  it.skipIf(process.platform === "win32")("start a process only in a vault that has them", async () => {
    const started = async (files: Record<string, string | Uint8Array>) => {
      const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--vault", vaultFolder(files)]);
      await call(client, "search", { query: "heron" });
      return pdfProcesses(client);
    };
    expect(await started({ "a.md": "heron", "b.png": "" })).toBe(0);
    expect(await started({ "a.md": "heron", "b.pdf": PAPER })).toBe(1);
  });
});
