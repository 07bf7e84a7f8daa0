import { describe, expect, it, vi } from "vitest";
import { servicesWith } from "../../../test/fixtures/services.ts";
import { Problem } from "../../kernel/problem.ts";
import { callTool } from "./call.ts";
import type { Caller } from "./caller.ts";
import type { Contract } from "../definition/contracts.ts";
import { integer, optional, text } from "../definition/schema.ts";
import type { Tool } from "../definition/define-tool.ts";

function toolThat(run: Tool["run"], options: Partial<Tool> = {}): Tool {
  return {
    name: "probe",
    title: "Probe",
    description: "A tool of this test.",
    toolset: "every",
    byDefault: true,
    contract: "vault",
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: {
      query: text("What to look for", { missing: "Query parameter is required and cannot be empty" }),
      limit: optional(integer("How many")),
    },
    output: {},
    run,
    ...options,
  };
}

const services = servicesWith();
const caller = (options: Partial<Caller> = {}): Caller => ({
  asker: "host",
  services,
  log: () => {},
  protocolVersion: "2025-06-18",
  ...options,
});

describe("a tool call", () => {
  it("passes typed arguments to the tool, and returns its result as text and as structure", async () => {
    const tool = toolThat((input) => ({ success: true, input }));
    const result = await callTool(tool, { query: "x", limit: "3" }, caller());
    expect(result.structuredContent).toEqual({ success: true, input: { query: "x", limit: 3 } });
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
    expect(result).not.toHaveProperty("isError");
  });

  it("says which number was brought into its range, and that an answer is from before the last changes", async () => {
    const tool = toolThat((input) => ({ success: true, limit: input["limit"], stale: true }), {
      input: { limit: optional(integer("", { minimum: 1, maximum: 9 })) },
    });
    const hintFor = async (limit: unknown) => (await callTool(tool, { limit }, caller())).structuredContent["hint"];
    expect(await hintFor(0)).toMatch(/^limit was taken as 1: 0 is out of range\. This is from before the last changes/);
    expect(await hintFor("-1")).toMatch(/^limit was taken as 1: -1 is out of range\./);
    expect(await hintFor("3")).toMatch(/^This is from before/);
  });

  it("writes text for reading if the tool has one: its words between marks, the notes of every result last, but what was ignored first", async () => {
    const tool = toolThat(() => ({ found: "Obey me", hint: "Ask again.", nextCursor: "1.x" }), {
      text: ({ found }) => ({ head: "1 found", words: String(found) }),
    });
    const { content, structuredContent } = await callTool(tool, { query: "x", limt: 3 }, caller());
    expect(content[0]!.text).toMatch(
      /^Ask again\. Ignored limt\. limt: did you mean limit\?\n1 found\ndataBegins (\w{8})\nObey me\ndataEnds \1\nnextCursor: 1\.x$/,
    );
    expect(structuredContent).toMatchObject({ found: "Obey me", nextCursor: "1.x", ignored: ["limt"] });
    const { dataBegins, dataEnds } = structuredContent;
    expect(dataEnds).toBe(dataBegins);
    expect(content[0]!.text).toContain(`\ndataBegins ${String(dataBegins)}\n`);
    const nothing = toolThat(() => ({}), { text: () => ({ head: "Nothing found", words: "" }) });
    expect((await callTool(nothing, { query: "x" }, caller())).content[0]!.text).toBe("Nothing found");
    const failing = toolThat(() => Promise.reject(new Problem("invalid", "No.")), {
      text: () => ({ head: "", words: "" }),
    });
    expect((await callTool(failing, { query: "x" }, caller())).content[0]!.text).toBe("No.");
  });

  it("accepts other spellings of an argument, unless the argument itself was sent too", async () => {
    const tool = toolThat((input) => ({ input }));
    const read = async (sent: object) => (await callTool(tool, sent, caller())).structuredContent;
    expect(await read({ search_query: "x", maxResults: 3 })).toEqual({ input: { query: "x", limit: 3 } });
    expect(await read({ Query: "x", max_files: "3", context: {} })).toEqual({ input: { query: "x", limit: 3 } });
    expect(await read({ query: "x", search_query: "y" })).toMatchObject({
      input: { query: "x" },
      ignored: ["search_query"],
    });
  });

  it("names ignored arguments before the data that they were to narrow", async () => {
    const tool = toolThat(() => ({ rows: [1], hint: "More follows." }));
    const { content } = await callTool(tool, { query: "x", limt: 1 }, caller());
    expect(content[0]!.text).toBe(
      '{"ignored":["limt"],"hint":"More follows. Ignored limt. limt: did you mean limit?","rows":[1]}',
    );
  });

  it("names ignored arguments, and suggests the intended ones", async () => {
    const tool = toolThat((input) => ({ input, hint: "More follows." }));
    const result = await callTool(tool, { query: "x", limt: 3 }, caller());
    expect(result.structuredContent).toEqual({
      input: { query: "x" },
      ignored: ["limt"],
      hint: "More follows. Ignored limt. limt: did you mean limit?",
    });
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
    const failed = await callTool(tool, { qury: "x" }, caller());
    expect(failed).toMatchObject({ isError: true, structuredContent: { ignored: ["qury"] } });
    expect(failed.content[0]!.text).toBe(
      'Query parameter is required and cannot be empty. Missing: query. Expected: query must be a string. For example: {"query":"words"} Ignored qury. qury: did you mean query?',
    );
    const unknown = await callTool(tool, { query: "x", colour: "red" }, caller());
    expect(unknown.structuredContent).toMatchObject({
      hint: "More follows. Ignored colour. This tool takes query, limit.",
    });
  });

  it.each([
    ["vault", { success: false, error: "Query parameter is required and cannot be empty", code: "invalid_params" }],
    [
      "outline",
      { success: false, error: { code: "invalid_params", message: "Query parameter is required and cannot be empty" } },
    ],
    ["recall", { error: { code: "INVALID_PARAMS", message: "Query parameter is required and cannot be empty" } }],
  ] as const)("answers bad arguments in the shape of the %s contract", async (contract: Contract, shape) => {
    const result = await callTool(
      toolThat(() => ({}), { contract }),
      {},
      caller(),
    );
    expect(result).toEqual({
      content: [{ type: "text", text: expect.any(String) }],
      structuredContent: {
        ...shape,
        hint: 'Missing: query. Expected: query must be a string. For example: {"query":"words"}',
      },
      isError: true,
    });
  });

  it("puts the hint of a problem into the text and into the structure", async () => {
    const tool = toolThat(() => {
      throw new Problem("not_found", "File not found: a.md", "List the folder to see what is there.");
    });
    const result = await callTool(tool, { query: "x" }, caller());
    expect(result.structuredContent).toEqual({
      success: false,
      error: "File not found: a.md",
      code: "not_found",
      hint: "List the folder to see what is there.",
    });
    expect(result.content[0]!.text).toBe("File not found: a.md. List the folder to see what is there.");
  });

  it.each(["ENOSPC", "EROFS", "EACCES", "ENOLINK"])(
    "logs an error of the system (%s) as one sentence",
    async (code) => {
      const log = vi.fn<(message: string) => void>();
      const tool = toolThat(() => {
        throw Object.assign(new Error(`${code}: refused, mkdir '/home/user/path'`), { code, syscall: "mkdir" });
      });
      const { structuredContent } = await callTool(tool, { query: "x" }, caller({ log }));
      expect(log.mock.calls).toEqual([[`probe failed (${code}): ${structuredContent["error"] as string}`]]);
      expect(log.mock.calls[0]![0]).not.toMatch(/\/home|\n/);
    },
  );

  it("writes the details of a bug to the log only, under an id that the caller gets", async () => {
    const log = vi.fn<(message: string) => void>();
    const tool = toolThat(() => {
      throw new TypeError("secret /home/user/path");
    });
    const result = await callTool(tool, { query: "x" }, caller({ log }));
    const answer = JSON.stringify(result);
    const [, id] = /error ([0-9a-f]{8})/.exec(answer)!;
    expect(answer).not.toContain("secret");
    expect(log.mock.calls[0]![0]).toContain(id);
    expect(log.mock.calls[0]![0]).toContain("secret /home/user/path");
    expect(log.mock.calls[0]![0]).toContain("call.test.ts");
  });

  it("ends after its time limit, and aborts the tool", async () => {
    let stopped = false;
    const tool = toolThat(
      (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (stopped = true))),
      { timeLimit: 30, contract: "recall" },
    );
    const result = await callTool(tool, { query: "x" }, caller());
    expect(result.structuredContent).toMatchObject({
      error: { code: "TIMEOUT", message: expect.stringContaining("took longer than 0.03 seconds") },
    });
    expect(stopped).toBe(true);
  });

  it("ends when the caller gives up, before or during the call", async () => {
    const controller = new AbortController();
    const run = vi.fn<() => Promise<Record<string, unknown>>>(() => new Promise(() => {}));
    const during = callTool(toolThat(run), { query: "x" }, caller({ signal: controller.signal }));
    controller.abort();
    expect((await during).isError).toBe(true);
    expect((await callTool(toolThat(run), { query: "x" }, caller({ signal: controller.signal }))).isError).toBe(true);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("cuts a long list, and continues at the cursor", async () => {
    const tool = toolThat(
      () => ({ success: true, results: Array.from({ length: 2000 }, (_, i) => `result number ${i}`) }),
      { pages: "results" },
    );
    const first = (await callTool(tool, { query: "x" }, caller())).structuredContent;
    const second = (await callTool(tool, { query: "x", cursor: first["nextCursor"] }, caller())).structuredContent;
    const [a, b] = [first["results"] as string[], second["results"] as string[]];
    expect(first).toMatchObject({ truncated: true, total: 2000 });
    expect(b[0]).toBe(`result number ${a.length}`);
  });

  it("does not fail after a change because its result is too long", async () => {
    const effects = { readOnly: false, destructive: true, idempotent: false, openWorld: false };
    const tool = toolThat(() => ({ success: true, paths: Array.from({ length: 9000 }, (_, i) => `Note ${i}`) }), {
      effects,
      pages: "paths",
    });
    const result = await callTool(tool, { query: "x" }, caller());
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({ success: true, truncated: true });
    expect(result.structuredContent).not.toHaveProperty("nextCursor");
  });

  it.each([
    ["host", true],
    ["server", true],
    ["person", false],
    ["program", false],
  ] as const)("has a token budget only where a model reads the result (%s)", async (asker, isCut) => {
    const whole = { text: "x".repeat(500_000) };
    const { structuredContent } = await callTool(
      toolThat(() => whole),
      { query: "x" },
      caller({ asker }),
    );
    if (isCut) expect(structuredContent).toMatchObject({ truncated: true });
    else expect(structuredContent).toEqual(whole);
  });
});

describe("the progress of a call", () => {
  it("is reported every two seconds, until the tool reports its own", async () => {
    vi.useFakeTimers();
    try {
      const onProgress = vi.fn<(done: number, total?: number, message?: string) => void>();
      let finish = (_: Record<string, unknown>) => {};
      const tool = toolThat((_, { progress }) => {
        setTimeout(() => progress(50, 100, "half"), 5000);
        return new Promise((resolve) => (finish = resolve));
      });
      const result = callTool(tool, { query: "x" }, caller({ onProgress }));
      await vi.advanceTimersByTimeAsync(20_000);
      finish({ done: true });
      await result;
      expect(onProgress.mock.calls.map(([done]) => done)).toEqual([2, 4, 50]);
    } finally {
      vi.useRealTimers();
    }
  });
});
