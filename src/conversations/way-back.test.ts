// The way back into a conversation: whose command it is, and that a line copied
// from it is harmless in a shell, whatever a conversation is called.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { operatingSystem } from "../kernel/kernel.ts";
import { loadSources } from "./sources/sources.ts";
import { wayBack } from "./way-back.ts";

const ID = "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01";
const FACTS = { id: ID, source: "claude-code", folder: "/home/person/layers", isArchived: false };
const sources = await loadSources();

const wayOf = (
  changes: Partial<typeof FACTS> & { readonly shared?: { member: string; space: string } },
  on = "linux",
) => wayBack({ ...FACTS, ...changes }, sources, operatingSystem(on as NodeJS.Platform));
const lineOf = (...given: Parameters<typeof wayOf>) => {
  const way = wayOf(...given);
  return "line" in way ? way.line : way.reason;
};

describe("the way back into a conversation", () => {
  it.each([
    ["claude-code", ID, `claude --resume ${ID}`],
    ["codex", ID, `codex resume ${ID}`],
    ["traex", ID, `traex resume ${ID}`],
    ["gemini", ID, `gemini --resume ${ID}`],
    ["qwen", ID, `qwen --resume ${ID}`],
    ["copilot-cli", ID, `copilot --resume=${ID}`],
    ["droid", ID, `droid --resume ${ID}`],
    ["vibe", ID, `vibe --resume ${ID}`],
    ["pi", ID, `pi --session ${ID}`],
    ["crush", ID, `crush --session ${ID}`],
    ["opencode", "ses_3f00aZ", "opencode --session ses_3f00aZ"],
    ["kilo", "ses_3f00aZ", "kilo --session ses_3f00aZ"],
    ["amp", `T-${ID}`, `amp threads continue T-${ID}`],
    ["grok", ID, `grok --resume ${ID}`],
    ["kimi", ID, `kimi --session ${ID}`],
    ["kiro", ID, `kiro-cli chat --resume-id ${ID}`],
    ["goose", "20251108_1", "goose session --resume --session-id 20251108_1"],
  ])("is the command of %s", (source, id, command) => {
    expect(wayOf({ source, id })).toEqual({
      command: command.split(" "),
      folder: FACTS.folder,
      line: `cd /home/person/layers && ${command}`,
    });
  });

  it.each([
    [
      "its program has no command",
      { source: "windsurf" },
      "Windsurf has no command that opens a conversation by its id",
    ],
    ["its program has deleted it", { isArchived: true }, "Claude Code has deleted it"],
    ["it is somebody else's", { shared: { member: "ada", space: "team" } }, "It is on a machine of ada"],
    ["its id is not one of the program's", { id: "--dangerous" }, "Its id is not one that Claude Code makes"],
    ["an id has more than one of the program's", { id: `${ID}\n` }, "Its id is not one that Claude Code makes"],
  ])("is not there where %s", (_, changes, reason) => expect(lineOf(changes)).toBe(reason));

  it.each(["C:\\work", "notes", "/tmp/a\nb", "/tmp/\u001B[201~x", "/tmp/\u009Bx"])(
    "is not there where the folder is %j",
    (folder) => expect(lineOf({ folder })).toMatch(/^Its folder/),
  );

  it("has no folder where the conversation has none", () => {
    expect(wayBack({ ...FACTS, folder: undefined }, sources)).toMatchObject({ line: `claude --resume ${ID}` });
  });

  it.skipIf(process.platform === "win32").each(["$(touch x)", "a; rm b", "it's", '"`id`"', "-rf", "~", "*"])(
    "quotes a folder named %j as one word",
    (name) => {
      const [, word = ""] = /^cd (.*) && claude --resume \S+$/s.exec(lineOf({ folder: `/tmp/${name}` })) ?? [];
      expect(execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(`/tmp/${name}`);
    },
  );

  it("is a line of PowerShell on Windows, where curly quotes end a word too", () => {
    expect(lineOf({ folder: "C:\\it's\u2019 $(x)" }, "win32")).toBe(
      `Set-Location -LiteralPath 'C:\\it''s\u2019\u2019 $(x)'; claude --resume ${ID}`,
    );
  });
});
