// A person's notes in a terminal: the note of today, a line for it, tasks and links.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram, temporaryFolder } from "../../processes/program.ts";

const home = temporaryFolder();
const vault = join(home, "notes");
mkdirSync(join(vault, ".obsidian"), { recursive: true });
writeFileSync(join(vault, ".obsidian", "daily-notes.json"), '{"folder": "Days", "template": "T"}');
writeFileSync(join(vault, "T.md"), "# {{title}}\n\n## Log\n\n## Later\n");
writeFileSync(
  join(vault, "Flat.md"),
  "- [ ] Pay the rent 📅 2001-01-01\n- [ ] Paint\n- [x] Move\nSee [[Walrus]], [[Nowhere]].\n",
);
writeFileSync(join(vault, "Walrus.md"), "# Walrus\n");

const run = (args: readonly string[], input?: string) =>
  runProgram(["--vault", vault, "--time-zone", "UTC", ...args], { home, ...(input !== undefined && { input }) });
const said = async (...args: string[]) => {
  const { stdout, stderr, code } = await run(args);
  expect([stderr, code]).toEqual(["", 0]);
  return stdout;
};

describe("today and add", () => {
  it("show the day before it has a note, begin the note, and add to it and to others", async () => {
    expect(await said("today")).toMatch(
      /^It stands for Days\/[-\d]+\.md, which does not exist yet\. '.* add TEXT…' begins it\.\n\nDue\n\[ \] Pay the rent \(due 2001-01-01\) {2}Flat\.md:1\n$/,
    );
    const added = await said("add", "Saw", "a walrus", "--heading", "Log");
    const [, path] = /^Added to (Days\/[-\d]+\.md), which is new\.\n$/.exec(added)!;
    expect(readFileSync(join(vault, path!), "utf8")).toMatch(/## Log\nSaw a walrus\n+## Later\n$/);
    expect(await run(["add", "-"], "- one\n- two\n")).toMatchObject({ stdout: `Added to ${path}.\n`, code: 0 });
    expect(await said("today")).toMatch(/^Days\/\S+\n# \S+[^]*Saw a walrus[^]*- one\n- two\n\nDue\n\[ \] Pay/);
    expect(await said("add", "--to", "[[Walrus]]", "-", "[", "]", "Feed", "it")).toBe("Added to Walrus.md.\n");
    expect(readFileSync(join(vault, "Walrus.md"), "utf8")).toBe("# Walrus\n- [ ] Feed it\n");
    expect(JSON.parse(await said("today", "--json"))).toMatchObject({
      note: { filePath: path },
      tasks: [{ text: "Pay the rent" }],
    });
    expect(await said("undo")).toContain("Walrus.md");
    expect(readFileSync(join(vault, "Walrus.md"), "utf8")).toBe("# Walrus\n");
    // As one argument, a shell hands it over without its quotes.
    expect(await said("add", "- [ ] Weigh it", "--to", "[[Walrus]]")).toBe("Added to Walrus.md.\n");
    expect(readFileSync(join(vault, "Walrus.md"), "utf8")).toBe("# Walrus\n- [ ] Weigh it\n");
    await said("undo");
  });

  it("show no day of a vault that is missing", async () => {
    const { stdout, stderr, code } = await runProgram(["today", "--vault", join(home, "gone")], { home });
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toContain("The vault folder is missing");
  });

  it.each([
    [["add", " "], 2, "Say what to add: "],
    [["add", "x", "--to", "Nowhere"], 1, "File not found: Nowhere."],
    [["add", "x", "--read-only"], 2, "Nothing was added: the server is read-only."],
  ])("%j ends with %i and says why", async (args, code, sentence) => {
    expect(await run(args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  });
});

describe("tasks", () => {
  it("are the open ones, with their places, or those that are asked for", async () => {
    expect(await said("tasks")).toBe(
      "[ ] Pay the rent (due 2001-01-01)  Flat.md:1\n[ ] Paint  Flat.md:2\n2 of 2 tasks\n",
    );
    expect(await said("tasks", "-n", "1", "--group", "path")).toMatch(
      /^Flat\.md\n\[ \] Pay .*\n1 of 2 tasks; -n N shows more\n$/,
    );
    expect(await said("tasks", "paint", "--status", "all")).toMatch(/^\[ \] Paint .*\n1 of 1 task\n$/);
    expect(await said("tasks", "--overdue", "--path", "Walrus.md")).toBe("No tasks found.\n");
    expect(JSON.parse(await said("tasks", "--due", "tomorrow", "--json"))).toMatchObject({ totalTasks: 1 });
  });
});

describe("links", () => {
  it("are those to a note, of another type, or those that lead nowhere", async () => {
    expect(await said("links", "Walrus")).toBe("The backlinks of Walrus.md:\nFlat.md\n");
    expect(await said("links", "Flat", "--type", "outgoing")).toMatch(/^The outgoing links of Flat\.md:\n[^]*Walrus/);
    expect(await said("links")).toBe("The unresolved links of the vault:\nFlat.md -> Nowhere\n");
    expect(await said("links", "T")).toBe("No backlinks of T.md\n");
  });

  it.each([
    [["links", "Nobody"], 1, "File not found: Nobody."],
    [["links", "--type", "outgoing"], 2, "Say of which note: "],
    [["links", "--type", "none"], 2, "--type must be one of backlinks, outgoing, "],
  ])("%j ends with %i and says why", async (args, code, sentence) => {
    expect(await run(args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  });
});
