// A data folder that cannot be used: every tool says so in a sentence, and what
// needs no data folder is answered.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram, temporaryFolder } from "../../processes/program.ts";
import { callContext } from "../../fixtures/call-context.ts";

/** A home in which the data folder cannot be made, and a vault. */
function refusedHome(): { readonly home: string; readonly vault: string; readonly data: string } {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  writeFileSync(join(vault, "a.md"), "alpha\n");
  // Holds for root as well: a file cannot be a folder.
  const file = join(home, "file");
  writeFileSync(file, "");
  return { home, vault, data: join(file, "data") };
}

async function call(tool: string, sent: object, { home, vault, data }: ReturnType<typeof refusedHome>) {
  const args = ["call", tool, JSON.stringify(sent), "--vault", vault, "--home", data];
  const { stdout, stderr, code } = await runProgram(args, { home });
  return { text: stdout + stderr, code };
}

const context = callContext({ sessionId: "s" });

describe("a data folder that cannot be used", () => {
  it.each([
    ["undo", {}],
    ["redo", {}],
    ["history", {}],
    ["contentManager_appendContent", { filePath: "a.md", content: "more", context }],
    ["contentManager_createContent", { filePath: "b.md", content: "more", context }],
    ["vaultLibrarian_searchContent", { query: "alpha", context }],
    ["search", { query: "alpha" }],
    ["recall_conversations", {}],
    ["memoryManager_createSession", { name: "a", context }],
    ["memoryManager_listSessions", { context }],
    ["get_outline_structure", {}],
    ["add_row", { topic: "a" }],
    ["check_connection", {}],
  ])("is a sentence in the answer of %s", async (tool, sent) => {
    const { text } = await call(tool, sent, refusedHome());
    expect(text).not.toMatch(/mistake in the server|internal_error|INTERNAL_ERROR|\n\s+at /);
    expect(text).not.toMatch(/E[A-Z]+: .*'\//);
    expect(text).not.toBe("");
  });

  it("does not prevent reading a note", async () => {
    const { text, code } = await call("contentManager_readContent", { filePath: "a.md", context }, refusedHome());
    expect(text).toContain("alpha");
    expect(code).toBe(0);
  });

  it.runIf(process.platform !== "win32" && process.getuid?.() !== 0)("that is read-only is named too", async () => {
    const { home, vault } = refusedHome();
    const data = join(home, "closed");
    mkdirSync(data);
    chmodSync(data, 0o500);
    for (const tool of ["undo", "history"]) {
      const { text } = await call(tool, {}, { home, vault, data: join(data, "data") });
      expect(text).toMatch(/cannot be|permission|read-only/);
    }
    chmodSync(data, 0o700);
  });
});
