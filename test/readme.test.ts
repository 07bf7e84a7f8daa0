// The README is up to date: its table of tools is generated from the table of
// tools (`npm run renew` writes it), and it names every host. docs/guide/commands.md
// names every command.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOSTS } from "../src/setup/hosts/known-hosts.ts";
import { TOOLSETS } from "../src/settings.ts";
import { LEAN, TOOLS } from "../src/tools/toolbox.ts";

const ROOT = join(import.meta.dirname, "..");
const README = join(ROOT, "README.md");
const RENEW = process.env["RENEW"] === "1";

const SUBJECTS: Readonly<Record<(typeof TOOLSETS)[number] | "every", string>> = {
  vault: "notes",
  memory: "memory",
  outline: "outlines",
  recall: "past conversations",
  project: "code projects",
  every: "all of them",
};

/** A row for each toolset, the tools that are listed by default before the others. */
function toolTable(): string {
  const rows = [...TOOLSETS, "every" as const].flatMap((toolset) => {
    const names = (isDefault: boolean) =>
      TOOLS.filter((tool) => tool.toolset === toolset && tool.byDefault === isDefault)
        .map(({ name }) => `\`${name}\``)
        .join(", ");
    const [byDefault, others] = [names(true), names(false)];
    const subject = toolset === "every" ? SUBJECTS.every : `${SUBJECTS[toolset]} (\`${toolset}\`)`;
    return byDefault + others === "" ? [] : [`| ${subject} | ${byDefault} | ${others} |`];
  });
  const count = TOOLS.filter(({ byDefault }) => byDefault).length;
  return [
    `${count} tools by default; \`--toolsets NAME\` lists a whole set, \`--toolsets all\` every one of the ${TOOLS.length}, and \`--toolsets lean\` ${LEAN.size} for hosts that load every tool at once. \`--read-only\` leaves out those that write.`,
    "",
    "| about | by default | also |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

describe("the README", () => {
  it("has the table of tools that there are", () => {
    const text = readFileSync(README, "utf8");
    const between = /(<!-- tools: made by npm run renew -->\n)[^]*?(<!-- end of tools -->)/;
    expect(text).toMatch(between);
    const right = text.replace(between, (_, start: string, end: string) => `${start}${toolTable()}\n${end}`);
    if (RENEW) writeFileSync(README, right);
    expect(readFileSync(README, "utf8"), "if this is what you want: 'npm run renew'").toBe(right);
  });

  it("connects every host", () => {
    const text = readFileSync(README, "utf8");
    for (const { name, title } of HOSTS)
      expect(text).toContain(`| ${title} | \`node bin/commonplace.js connect ${name}\``);
  });
});

describe("docs/guide/commands.md", () => {
  it("has the commands that there are", () => {
    const table = /const COMMANDS[^]*?\n\};/.exec(
      readFileSync(join(ROOT, "src", "commands", "commands.ts"), "utf8"),
    )![0];
    const commands = [...table.matchAll(/^ {2}(\w+): \{/gm)].map((match) => match[1]!);
    const rows = [
      ...readFileSync(join(ROOT, "docs", "guide", "commands.md"), "utf8").matchAll(/^\| `commonplace.*?\|/gm),
    ].join("\n");
    // A command may have a row for each way to use it.
    const named = new Set([...rows.matchAll(/(?:`commonplace |, `)([a-z]+)/g)].map((match) => match[1]!));
    expect([...named].toSorted()).toEqual(commands.toSorted());
  });
});
