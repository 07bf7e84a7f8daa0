// Tests the memories of assistants: found where each keeps them, one passage of
// each file, nothing hidden, and nothing that is not about the question.
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn } from "../../test/source-reader.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { redact } from "../redaction/redaction.ts";
import { memoriesAbout } from "./host-memories.ts";

function write(path: string, text: string, at = Date.UTC(2026, 0, 1)): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, at / 1000, at / 1000);
}

const about = (question: string, home: string, projects: string[] = [], isHidden = (_: string) => false) =>
  memoriesAbout(question, homeIn(home), projects, { isHidden, redact, most: 3 });

describe("what hosts remember", () => {
  it.each([
    [".claude/CLAUDE.md", "Claude Code"],
    [".claude/projects/-code-shop/memory/prices.md", "Claude Code"],
    [".codex/AGENTS.md", "Codex CLI"],
    [".codex/memories/prices.md", "Codex CLI"],
    [".gemini/GEMINI.md", "Gemini CLI"],
    [".codeium/windsurf/memories/global_rules.md", "Windsurf"],
    ["shop/CLAUDE.md", "Claude Code"],
    ["shop/AGENTS.md", "Codex CLI and others"],
    ["shop/.github/copilot-instructions.md", "GitHub Copilot"],
    ["shop/.cursor/rules/prices.mdc", "Cursor"],
    ["shop/.windsurf/rules/prices.md", "Windsurf"],
  ])("is found in %s", (path, host) => {
    const home = temporaryFolder();
    write(join(home, path), "# Prices\n\nRound half-even, always.\n\n# Taxes\n\nSeven percent.\n");
    expect(about("round prices", home, [join(home, "shop")])).toMatchObject([
      {
        host,
        path: join(home, path),
        updated: Date.UTC(2026, 0, 1),
        snippet: expect.stringContaining("half-even") as string,
      },
    ]);
  });

  it("is the best passage of each file, the newest first of equal ones, and the same text once", () => {
    const home = temporaryFolder();
    const shop = join(home, "shop");
    write(join(shop, "AGENTS.md"), "- Never round prices.\n- Round taxes.\n", Date.UTC(2026, 1, 1));
    symlinkSync("AGENTS.md", join(shop, "CLAUDE.md"));
    write(join(home, ".claude", "CLAUDE.md"), "Always round prices up.\n", Date.UTC(2026, 2, 1));
    write(join(home, ".gemini", "GEMINI.md"), "Always round prices up.\n");
    const found = about("round prices", home, [shop]).map(({ snippet }) => snippet);
    expect(found).toEqual(["Always round prices up.", "- Never round prices."]);
  });

  it("is nothing for other questions, for words that every text has, and in hidden files", () => {
    const home = temporaryFolder();
    write(join(home, ".claude", "CLAUDE.md"), "Always round prices up, and the taxes.\n");
    expect(about("round birds", home)).toEqual([]);
    expect(about("and the", home)).toEqual([]);
    expect(about("", home)).toEqual([]);
    expect(about("round prices", home, [], () => true)).toEqual([]);
  });

  it("is redacted by all that its file says, before a passage is cut out", () => {
    const home = temporaryFolder();
    const labels = Array.from({ length: 12 }, (_, at) => `    label-${at}: ${"walrus herd ".repeat(3)}`).join("\n");
    const secret = "cGxlYXNlLW5ldmVyLXNob3ctdGhpcw==";
    write(
      join(home, ".claude", "CLAUDE.md"),
      `# Cluster\n\napiVersion: v1\nkind: Secret\nmetadata:\n  labels:\n${labels}\ndata:\n  walrus-gateway: ${secret}\n`,
    );
    const [found] = about("walrus gateway", home);
    expect(found?.snippet).toContain("walrus");
    expect(found?.snippet).not.toContain(secret);
  });

  it("is not read through a link that leads out of its project", () => {
    const home = temporaryFolder();
    const shop = join(home, "shop");
    write(join(home, "private.md"), "Always round prices up, said the doctor.\n");
    mkdirSync(join(shop, ".cursor", "rules"), { recursive: true });
    symlinkSync("../private.md", join(shop, "CLAUDE.md"));
    symlinkSync("../../../private.md", join(shop, ".cursor", "rules", "prices.md"));
    expect(about("round prices", home, [shop])).toEqual([]);
  });
});
