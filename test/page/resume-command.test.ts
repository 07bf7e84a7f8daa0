// The command that is copied from a conversation must be harmless in a shell.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { resumeCommand } from "../../web/views/conversation/thread/resume-command.ts";

const facts = (changes: Partial<Parameters<typeof resumeCommand>[0]>) => ({
  id: "6f0f1c1e",
  source_tool: "claude-code",
  folder: "/home/person/layers",
  ...changes,
});

describe("the command that resumes a conversation", () => {
  it("changes to the folder of the project first", () => {
    expect(resumeCommand(facts({}))).toBe("cd /home/person/layers && claude --resume 6f0f1c1e");
    expect(resumeCommand(facts({ source_tool: "codex", folder: "" }))).toBe("codex resume 6f0f1c1e");
    expect(resumeCommand(facts({ source_tool: "windsurf" }))).toBeUndefined();
  });

  it.skipIf(process.platform === "win32").each(["$(touch x)", "a; rm b", "it's", '"`id`"', "a\nb", "-rf", "~", "*"])(
    "quotes a project named %j as one word",
    (name) => {
      const command = resumeCommand(facts({ folder: `/tmp/${name}` }))!;
      const [, word = ""] = /^cd (.*) && claude --resume 6f0f1c1e$/s.exec(command) ?? [];
      expect(execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(`/tmp/${name}`);
    },
  );
});
