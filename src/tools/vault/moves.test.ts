// Moving a folder by its tool: progress, giving up, and what the history says. And what a
// preview leaves behind: nothing.
import { afterEach, describe, expect, it, vi } from "vitest";
import { servicesWith } from "../../../test/fixtures/services.ts";
import { vaultWith, type TestVault } from "../../../test/fixtures/vaults.ts";
import { CONTEXT } from "../../../test/contract/vault.ts";
import { joinJournals } from "../../journal/journals.ts";
import type { CallTrace, Memory } from "../../memory/memory.ts";
import { callTool } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { Tool } from "../definition/define-tool.ts";
import { editFolder, moveFolder, moveNote } from "./moves.ts";
import { history, undo } from "../every/undo.ts";

const COUNT = 60;

/** Each leads to the next by its path, so that all of them are rewritten. */
function linkedVault(): TestVault {
  const notes = Array.from({ length: COUNT }, (_, i) => [`Old/Note ${i}.md`, `[[Old/Note ${(i + 1) % COUNT}]]`]);
  return vaultWith(Object.fromEntries(notes) as Record<string, string>);
}

function callerOf({ vault }: TestVault, memory = {}) {
  const services = servicesWith({
    vault: () => Promise.resolve(vault),
    memory: () => Promise.resolve(memory as Memory),
    journals: async () => joinJournals([() => Promise.resolve([vault.journal])]),
  });
  return (tool: Tool, sent: object, more: Partial<Caller> = {}) =>
    callTool(
      tool,
      { ...sent, context: CONTEXT },
      {
        services,
        log: () => {},
        protocolVersion: "2025-11-25",
        asker: "server",
        ...more,
      },
    );
}

const MOVE = { path: "Old", newPath: "New" };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Every look at the clock takes longer than a turn, so that progress is reported after each note. */
function slowly(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
}

describe("the move of a folder with many notes", () => {
  it("reports its progress to the caller", async () => {
    const call = callerOf(linkedVault());
    const heard: string[] = [];
    slowly();
    const result = await call(moveFolder, MOVE, {
      onProgress: (done, total, message) => heard.push(`${message} ${done}/${total}`),
    });
    expect(result.isError).toBeUndefined();
    expect(heard).toContain(`Looking for links to rewrite ${COUNT / 2}/${COUNT}`);
    expect(heard.at(-1)).toBe(`Writing the notes whose links change ${2 * COUNT}/${2 * COUNT}`);
  });

  it("reports cancellation and changes nothing if it is cancelled before the first write", async () => {
    const vault = linkedVault();
    const before = vault.files();
    const call = callerOf(vault);
    const cancelling = new AbortController();
    slowly();
    const result = await call(moveFolder, MOVE, { signal: cancelling.signal, onProgress: () => cancelling.abort() });
    vi.restoreAllMocks();
    expect(result).toMatchObject({ isError: true, structuredContent: { error: "The call was cancelled." } });
    // The next change waits for what the first one still does.
    await vault.vault.journal.change({ tool: "next" }, () => ({ message: "", steps: [] }));
    expect(vault.files()).toEqual(before);
    expect((await call(history, {})).structuredContent["entries"]).toEqual([]);
  });

  it("is one entry of the history, which names the folder first and only some of its notes", async () => {
    const vault = linkedVault();
    const call = callerOf(vault);
    await call(moveFolder, MOVE);
    const [entry] = (await call(history, {})).structuredContent["entries"] as { message: string; paths: string[] }[];
    expect(entry!.message).toBe("Moved Old to New");
    expect(entry!.paths).toHaveLength(51);
    expect(entry!.paths.slice(0, 3)).toEqual(["Old", "New", "Old/Note 0.md"]);
    expect(entry!.paths.at(-1)).toBe(`… (${COUNT + 2} in all)`);
    // A note that is not named is looked for all the same.
    const { entries } = (await call(history, { path: "Old/Note 9.md" })).structuredContent;
    expect(entries).toHaveLength(1);
    expect((await call(undo, {})).structuredContent["paths"]).toHaveLength(51);
  });
});

describe("the preview of a move", () => {
  it("leaves no trace in memory, no entry in the history and no id to undo", async () => {
    const vault = vaultWith({ "A.md": "", "B.md": "[[A]]" });
    const before = vault.files();
    const traces: CallTrace[] = [];
    const call = callerOf(vault, { leaveTrace: (trace: CallTrace) => void traces.push(trace) });
    const move = { path: "A", newPath: "C" };
    const { structuredContent } = await call(moveNote, { ...move, preview: true }, { asker: "host" });
    expect(structuredContent).toEqual({
      success: true,
      path: "A.md",
      newPath: "C.md",
      recommendations: [
        { type: "preview", message: "Nothing was moved: send it without preview to move it" },
        { type: "link_update", message: "Would rewrite 1 link in B.md" },
      ],
    });
    expect(vault.files()).toEqual(before);
    expect(traces).toEqual([]);
    expect((await call(history, {})).structuredContent["entries"]).toEqual([]);
    const moved = await call(moveNote, { ...move, preview: false }, { asker: "host" });
    expect(moved.structuredContent).toHaveProperty("undoId");
    expect(traces).toMatchObject([{ tool: "vaultManager_moveNote", paths: ["A.md", "C.md"] }]);
  });

  it.each([
    [moveFolder, { path: "F", newPath: "G" }],
    [editFolder, { path: "F", newName: "G" }],
  ])("of a folder does the same: %#", async (tool: Tool, sent) => {
    const vault = vaultWith({ "F/A.md": "", "B.md": "[[F/A]]" });
    const before = vault.files();
    const traces: CallTrace[] = [];
    const call = callerOf(vault, { leaveTrace: (trace: CallTrace) => void traces.push(trace) });
    const { structuredContent } = await call(tool, { ...sent, preview: true }, { asker: "host" });
    expect(structuredContent).toEqual({
      success: true,
      path: "F",
      newPath: "G",
      recommendations: [
        { type: "preview", message: "Nothing was moved: send it without preview to move it" },
        { type: "link_update", message: "Would rewrite 1 link in B.md" },
      ],
    });
    expect(vault.files()).toEqual(before);
    expect(traces).toEqual([]);
  });
});
