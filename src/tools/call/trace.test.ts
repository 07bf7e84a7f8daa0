import { servicesWith } from "../../../test/fixtures/services.ts";
import { readSettings } from "../../settings.ts";
import { Problem } from "../../kernel/problem.ts";
import type { CallTrace, Memory } from "../../memory/memory.ts";
import { describe, expect, it } from "vitest";
import { callTool } from "./call.ts";
import type { Asker } from "./caller.ts";
import { optional, text } from "../definition/schema.ts";
import type { Tool } from "../definition/define-tool.ts";
import { CONTEXT, WORKSPACE_CONTEXT } from "../definition/context-fields.ts";

const context = {
  sessionId: "s",
  workspaceId: "w",
  sessionDescription: "d",
  sessionMemory: "m",
  toolContext: "why",
  primaryGoal: "goal",
  subgoal: "step",
};

function tool(options: Partial<Tool> = {}): Tool {
  return {
    name: "probe",
    title: "Probe",
    description: "A tool of this test.",
    toolset: "vault",
    byDefault: true,
    contract: "vault",
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: { filePath: text("", { missing: "File path is required" }), query: optional(text()), ...CONTEXT },
    output: {},
    touches: ({ filePath }, result) => [pathOf(result?.["data"]) ?? pathOf({ filePath })],
    about: ({ query }) => (typeof query === "string" ? query : undefined),
    run: () => ({ success: true }),
    ...options,
  };
}

function pathOf(data: unknown): string | undefined {
  const { filePath } = (data ?? {}) as { readonly filePath?: unknown };
  return typeof filePath === "string" ? filePath : undefined;
}

/** Calls a tool, and gives back the traces that it left. */
async function called(
  sent: object,
  {
    flags = {},
    warning,
    asker = "host",
    ...options
  }: { flags?: object; warning?: string; asker?: Asker } & Partial<Tool> = {},
) {
  const traces: CallTrace[] = [];
  const memory = {
    leaveTrace: (trace: CallTrace) => {
      traces.push(trace);
      return warning;
    },
    workspaceContext: async (workspaceId: string) => ({ workspaceId, workspacePath: ["Name"], activeWorkspace: true }),
  } as unknown as Memory;
  const settings = readSettings({ home: "/nowhere", ...flags }, {}, "/");
  const services = servicesWith({ settings, memory: async () => memory });
  const caller = { services, log: () => {}, protocolVersion: "2025-06-18", asker };
  const { structuredContent } = await callTool(tool(options), sent, caller);
  return { traces, result: structuredContent };
}

const BASE = {
  session: "s",
  workspace: "w",
  description: "d",
  goal: "goal",
  subgoal: "step",
  why: "why",
  tool: "probe",
};

describe("the trace of a call", () => {
  it("holds the tool, the reason, and the paths in the vault's spelling", async () => {
    const run = () => ({ success: true, data: { filePath: "A.md" } });
    const { traces, result } = await called({ filePath: "/A", query: "q", content: "secret text", context }, { run });
    expect(traces).toEqual([{ ...BASE, paths: ["A.md"], about: "q", error: undefined }]);
    expect(result).not.toHaveProperty("memoryWarning");
  });

  it("holds the error of a call that failed, even if its arguments were refused", async () => {
    const run = () => {
      throw new Problem("not_found", "File not found: A");
    };
    expect((await called({ filePath: "A", context }, { run })).traces).toMatchObject([
      { paths: ["A"], error: "File not found: A" },
    ]);
    expect((await called({ context })).traces).toMatchObject([{ error: "File path is required" }]);
    expect((await called({ context: JSON.stringify(context) })).traces).toMatchObject([{ session: "s" }]);
  });

  it("is not left without a context, without memory, read-only, or unless an assistant or a script asked", async () => {
    expect((await called({ filePath: "A" })).traces).toEqual([]);
    expect((await called({ filePath: "A", context: { sessionId: 5 } })).traces).toEqual([]);
    expect((await called({ filePath: "A", context }, { flags: { memory: "off" } })).traces).toEqual([]);
    expect((await called({ filePath: "A", context }, { flags: { "read-only": true } })).traces).toEqual([]);
    expect((await called({ filePath: "A", context }, { asker: "person" })).traces).toEqual([]);
    expect((await called({ filePath: "A", context }, { asker: "server" })).traces).toEqual([]);
    expect((await called({ filePath: "A", context }, { asker: "program" })).traces).toHaveLength(1);
  });

  it("names each touched path once, without the root of the vault and unreadable arguments", async () => {
    const touches: Tool["touches"] = ({ filePath, query }) => [
      pathOf({ filePath }),
      pathOf({ filePath: query }),
      "B.md",
      "/",
    ];
    expect((await called({ filePath: "B.md", context }, { touches })).traces).toMatchObject([{ paths: ["B.md"] }]);
    expect((await called({ filePath: 5, query: "A.md", context }, { touches })).traces).toMatchObject([
      { paths: ["A.md", "B.md"], error: "filePath must be a string" },
    ]);
  });

  it("belongs to another session, or is omitted, if the tool decides so", async () => {
    expect((await called({ filePath: "A", context }, { trace: () => ({ session: "new" }) })).traces).toMatchObject([
      { session: "new", workspace: "w" },
    ]);
    expect((await called({ filePath: "A", context }, { trace: () => false })).traces).toEqual([]);
  });

  it("adds a warning to the result if it could not be kept, and does not change it otherwise", async () => {
    const { result } = await called({ filePath: "A", context }, { warning: "This call left no trace." });
    expect(result).toEqual({ success: true, memoryWarning: "This call left no trace." });
    const failed = await called({ context }, { warning: "This call left no trace." });
    expect(failed.result).toMatchObject({
      success: false,
      error: "File path is required",
      code: "invalid_params",
      memoryWarning: "This call left no trace.",
    });
  });

  it("adds only a warning if memory cannot be opened", async () => {
    const services = servicesWith({ memory: () => Promise.reject(new Error("secret /path")) });
    const caller = { asker: "host" as const, services, log: () => {}, protocolVersion: "2025-06-18" };
    const { structuredContent } = await callTool(
      tool({ output: WORKSPACE_CONTEXT }),
      { filePath: "A", context },
      caller,
    );
    expect(structuredContent).toEqual({
      success: true,
      workspaceContext: { workspaceId: "w", workspacePath: ["w"], activeWorkspace: true },
      memoryWarning: "This call left no trace in memory: memory could not be opened.",
    });
  });
});

describe("the workspace of a call", () => {
  it("is in the results of tools that declare it", async () => {
    const { result } = await called({ filePath: "A", context }, { output: WORKSPACE_CONTEXT });
    expect(result).toEqual({
      success: true,
      workspaceContext: { workspaceId: "w", workspacePath: ["Name"], activeWorkspace: true },
    });
    expect((await called({ filePath: "A", context })).result).toEqual({ success: true });
  });
});
