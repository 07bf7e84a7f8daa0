// A person looks for something and reads it: `search` shows what to read and waits
// for a first index, `read` shows it, in a terminal by a pager.
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_CONVERSATIONS, writeConversations } from "../../page/sample-conversations.ts";
import { collect, runProgram, temporaryFolder } from "../../processes/program.ts";
import { hasTerminal, inTerminal, startInTerminal } from "../../processes/terminal.ts";

const LONG = `A long answer. ${"all of it ".repeat(4000)}and its end.`;
const ID = SAMPLE_CONVERSATIONS[0]!.id;
const LONG_ID = "7a0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e09";

const home = temporaryFolder();
const run = (args: readonly string[], env: Record<string, string> = {}) => runProgram(args, { home, env });

beforeAll(async () => {
  writeConversations(home, [
    ...SAMPLE_CONVERSATIONS,
    {
      id: LONG_ID,
      age: 1,
      said: [
        { role: "user", text: "How long is a walrus?" },
        ...Array.from({ length: 30 }, (_, n) => ({
          role: "assistant" as const,
          text: `Part ${n} of it${n === 20 ? ", a narwhal" : ""}.`,
        })),
        { role: "assistant", text: LONG },
      ],
    },
  ]);
  await run(["index"]);
});

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly message: string;
}

async function hitFor(words: string): Promise<Hit> {
  const { results } = JSON.parse((await run(["search", words, "--json"])).stdout) as { results: Hit[] };
  return results.find(({ kind }) => kind === "conversation")!;
}

describe("search", () => {
  it("shows the kind of each hit, and the id and message that read takes", async () => {
    const { id, message } = await hitFor("north bed potatoes");
    expect(id).toBe(ID);
    const { stdout } = await run(["search", "north bed potatoes"]);
    expect(stdout).toMatch(/^conversation {2}Which of my beds .*\d{4}-\d\d-\d\d$/m);
    expect(stdout).toContain(`\n  id ${id}  message ${message}\n`);
    expect(stdout).toMatch(/commonplace.* read ID \[--around MESSAGE\] opens one, a note by its path\.\n$/);
    const notes = (await run(["search", "welcome"])).stdout;
    expect(notes).toMatch(/^note {2}\S/m);
    expect(notes).toMatch(/read ID opens one, a note by its path\.\n$/);
  });

  it("finds only what is asked for, as many as are asked for, and scores them in JSON", async () => {
    const found = async (...args: string[]) => {
      const { stdout, code } = await run(["search", "bed", "welcome", "note", ...args, "--json"]);
      expect(code).toBe(0);
      return JSON.parse(stdout) as { results: (Hit & { score: number })[]; totalResults: number };
    };
    const kindsIn = async (...args: string[]) => new Set((await found(...args)).results.map(({ kind }) => kind));
    expect(await kindsIn("--kind", "conversation")).toEqual(new Set(["conversation"]));
    expect(await kindsIn("--kind", "note")).toEqual(new Set(["note"]));
    expect(await kindsIn("--kind", "conversation,note", "-n", "100")).toEqual(new Set(["conversation", "note"]));
    const { results, totalResults } = await found("-n", "2");
    expect(results).toHaveLength(2);
    expect(totalResults).toBeGreaterThan(2);
    const scores = (await found("-n50")).results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0.01 && score <= 1)).toBe(true);
  });

  it("prints with --paths one whole path per note, and nothing else", async () => {
    const { stdout, stderr, code } = await run(["search", "bed", "welcome", "note", "--paths", "-n", "100"]);
    const paths = stdout.trimEnd().split("\n");
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    expect([new Set(paths).size, stderr, code]).toEqual([paths.length, "", 0]);
  });

  it("says how to see more, and nothing that is meant for a model", async () => {
    const { stdout } = await run(["search", "bed", "welcome", "note", "-n", "2"]);
    expect(stdout).toMatch(/\n2 of \d+; -n N shows more\n/);
    expect(stdout).not.toMatch(/cursor|argument/i);
  });

  it.each([
    ["finds nothing", ["zzqqyy"], "Nothing found for: zzqqyy\n"],
    ["finds nothing that a program reads", ["zzqqyy", "--json"], '"totalResults":0'],
    ["finds no path", ["zzqqyy", "--paths"], ""],
  ])("ends with 1 if it %s", async (_, args, said) => {
    const { stdout, code } = await run(["search", ...args]);
    expect(stdout).toContain(said);
    expect(code).toBe(1);
  });

  it.each([
    [["--kind", "notes,x"], "--kind must be one of note, outline, conversation."],
    [["--paths", "--kind", "conversation"], "--paths finds notes: leave out --kind."],
    [["--paths", "--json"], "--paths and --json do not go together."],
    [["-n", "x"], "--limit must be a number from 1 to 100."],
    [["-nuts"], "Unknown option -n. Write -- before arguments that begin with -."],
  ])("%j ends with 2 and says what is right", async (args, sentence) => {
    const { stdout, stderr, code } = await run(["search", "bed", ...args]);
    expect(stdout + stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  it("searches what tools returned with --tools, and says that nobody said it", async () => {
    expect((await run(["search", "brassicas"])).stdout).not.toContain(ID);
    const { stdout } = await run(["search", "brassicas", "--tools"]);
    expect(stdout).toMatch(new RegExp(`\n  id ${ID}  message (\\S+)\n  \\(tool\\) .*brassicas`));
    expect(stdout).toMatch(/read ID \[--around MESSAGE\] --tools opens one/);
    const message = / message (\S+)/.exec(stdout)![1]!;
    expect((await run(["read", ID, "--around", message, "--tools"])).stdout).toContain("brassicas");
  });

  it.skipIf(!hasTerminal)("waits for a first index, and shows how far it is", async () => {
    const other = temporaryFolder();
    const vault = join(other, "notes");
    mkdirSync(vault);
    const settings = ["--vault", vault, "--home", other];
    await runProgram(["index", ...settings], { home: other });
    writeFileSync(join(vault, "Walrus.md"), "A walrus has tusks.\n");
    writeConversations(other);
    // As if another process indexed everything for the first time, and were in the middle of it.
    const cache = readdirSync(join(other, "cache")).find((name) => /^notes.*\.db$/.test(name))!;
    const indexes = [join(other, "cache", cache), join(other, "data", "conversations.db")].map((file) => {
      const database = new DatabaseSync(file, { timeout: 120_000 });
      database.exec("DELETE FROM state WHERE key = 'swept'");
      database.exec("INSERT OR REPLACE INTO state VALUES ('done', 3), ('total', 1000)");
      return database;
    });
    const hold = () => {
      for (const database of indexes)
        database.prepare("INSERT OR REPLACE INTO lease VALUES ('sweep', 'another', 1, ?)").run(Date.now() + 4500);
    };
    hold();
    const holding = setInterval(hold, 500);
    try {
      const child = startInTerminal(other, `search walrus --vault '${vault}' --home '${other}'`);
      let seen = "";
      child.stdout.on("data", (text: Buffer) => {
        seen += text.toString();
        if (!/indexing notes █*░+ 3 of 1000/.test(seen)) return;
        clearInterval(holding);
        for (const database of indexes) database.exec("DELETE FROM lease");
      });
      const { stdout, code } = await collect(child);
      expect(stdout).toContain("indexing notes");
      expect(stdout).toContain("Walrus.md");
      expect(code).toBe(0);
    } finally {
      clearInterval(holding);
      for (const database of indexes) database.close();
    }
  });
});

describe("read", () => {
  const notes = join(home, "own-notes");
  const outline = join(home, "plan.opml");
  const own = (...args: string[]) => run(["read", "--vault", notes, "--outline", outline, ...args]);

  beforeAll(() => {
    mkdirSync(join(notes, "Projects"), { recursive: true });
    writeFileSync(join(notes, "Projects", "Walrus.md"), "# Walrus\n\nTusks.\n\n## Food\n\nClams.\n");
    const rows = '<outline text="Trip"><outline text="Pack" _note="warm"/><outline text="Go"/></outline>';
    writeFileSync(outline, `<opml version="2.0"><head/><body>${rows}</body></opml>`);
  });

  it.each([
    ["its path", "Projects/Walrus.md", "# Walrus\n\nTusks.\n\n## Food\n\nClams.\n"],
    ["its name", "Walrus", "# Walrus\n\nTusks.\n\n## Food\n\nClams.\n"],
    ["a link to a part of it", "[[Walrus#Food]]", "## Food\n\nClams.\n"],
  ])("shows a note as it is, by %s", async (_, what, text) => {
    expect(await own(what)).toMatchObject({ stdout: text, stderr: "", code: 0 });
  });

  it("shows a row of the outline with the rows below it, by the id that search shows", async () => {
    const found = await run(["search", "trip", "--kind", "outline", "--vault", notes, "--outline", outline]);
    const id = /\n {2}id (\S+)/.exec(found.stdout)![1]!;
    const { stdout, code } = await own("--", id);
    expect(stdout).toContain("# Trip");
    expect(stdout).toMatch(/Pack[^]*warm[^]*Go/);
    expect(code).toBe(0);
    const { stdout: json } = await own("--json", "--", id);
    expect(JSON.parse(json)).toMatchObject({ row: { topic: "Trip", id }, content: { totalRows: 2 } });
  });

  it("takes what search shows where there are several vaults", async () => {
    const several = ["--vault", `Work=${notes}`, "--vault", `Other=${temporaryFolder()}`];
    const { stdout } = await run(["read", "Work: Projects/Walrus.md", ...several]);
    expect(stdout).toContain("Clams.");
  });

  it("shows a conversation by its id, source/id or the beginning of its id", async () => {
    for (const id of [ID, `claude-code/${ID}`, `conversation://claude-code/${ID}`, LONG_ID.slice(0, 8)]) {
      const { stdout, code } = await run(["read", id]);
      expect(code, id).toBe(0);
      expect(stdout).toMatch(/^User {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+\n {2}\S/m);
    }
    const { stdout } = await run(["read", ID]);
    expect(stdout).toMatch(/^Which of my beds .*\nclaude-code\/6f0f1c1e-.*\n.* · 4 messages.*\n/);
    expect(stdout).toContain("  The **north bed**: it had potatoes last year");
    expect(stdout).toContain("\n  - Poles two metres high\n");
    expect(stdout).not.toContain("Crop rotation.md");
  });

  it("shows what tools did on request", async () => {
    const { stdout } = await run(["read", ID, "--tools"]);
    expect(stdout).toMatch(/^tool: contentManager_readContent {2}/m);
    expect(stdout).toContain("Crop rotation.md");
  });

  it("shows every message whole, and all of them", async () => {
    const { stdout } = await run(["read", LONG_ID]);
    expect(stdout).toContain(LONG);
    for (let n = 0; n < 30; n++) expect(stdout).toContain(`  Part ${n} of it`);
  });

  it("starts shortly before a message, and marks it", async () => {
    const { id, message } = await hitFor("narwhal");
    const { stdout } = await run(["read", id, "--around", message]);
    expect(stdout).toMatch(new RegExp(`^→ Assistant .*${message}\\n {2}Part 20 of it`, "m"));
    expect(stdout).toContain("Part 16 of it.");
    expect(stdout).not.toContain("Part 15 of it.");
    expect(stdout).toContain(LONG);
    const unknown = await run(["read", id, "--around", "nothing-like-it"]);
    expect(unknown.stdout).toContain("The conversation has no message nothing-like-it: this is its beginning.");
    expect(unknown.stdout).toContain("How long is a walrus?");
    expect(unknown.code).toBe(0);
  });

  it("prints one line of JSON, as read_conversation returns it but whole", async () => {
    const { stdout, stderr, code } = await run(["read", LONG_ID, "--json"]);
    expect(stdout.trimEnd()).not.toContain("\n");
    const answer = JSON.parse(stdout) as { messages: { id: string; text: string }[] };
    expect(answer).toMatchObject({ conversation: { id: LONG_ID, source_tool: "claude-code" }, total: 32 });
    expect(answer.messages).toHaveLength(32);
    expect(answer.messages.at(-1)!.text).toBe(LONG);
    expect(answer).not.toHaveProperty("hint");
    expect([stderr, code]).toEqual(["", 0]);
  });

  it.each([
    [["read"], 2, "Say what to read: "],
    [["read", " "], 2, "Say what to read: "],
    [["read", ID, "more"], 2, "Too many arguments: "],
    [["read", ID, "--around"], 2, "--around needs a value"],
    [["read", "6f0f1c1e"], 2, "Several conversations have an id that begins so: claude-code/6f0f1c1e"],
    [["read", "no-such-id"], 1, "There is no note, row or conversation no-such-id. "],
    [["read", "no-such-id"], 1, " search WORDS…' shows what there is."],
    [["read", "no-such-id", "--kind", "outline"], 1, "There is no row no-such-id. "],
    [["read", "Welcome", "--kind", "conversation"], 1, "There is no conversation Welcome. "],
    [["read", "Welcome#No such part"], 1, 'The note has no heading "No such part".'],
    [["read", "Welcome", "--kind", "note,row"], 2, "--kind must be one of note, outline, conversation."],
  ])("%j ends with %i and says what is right", async (args, code, sentence) => {
    const ended = await run(args);
    expect(ended.stderr).toContain(sentence);
    expect(ended).toMatchObject({ code, stdout: "" });
  });

  describe("a pager", () => {
    const PAGED = { PAGER: "sed s/^/PAGED:/", NO_COLOR: "1" };

    it("is used only in a terminal", async () => {
      expect((await run(["read", ID], PAGED)).stdout).not.toContain("PAGED:");
    });

    it.skipIf(!hasTerminal)("is the one that $PAGER names", async () => {
      const { stdout, code } = await inTerminal(home, "", `read ${ID}`, PAGED);
      expect(stdout).toContain("PAGED:  The **north bed**");
      expect(code).toBe(0);
      expect((await inTerminal(home, "", `read ${ID} --json`, PAGED)).stdout).toMatch(/^\{/);
    });

    it.skipIf(!hasTerminal)("may be closed before the end", async () => {
      const { stdout, code } = await inTerminal(home, "", `read ${LONG_ID}`, { PAGER: "head -n 1", NO_COLOR: "1" });
      expect(stdout.trim().split("\n")).toEqual(["How long is a walrus?"]);
      expect(code).toBe(0);
    });

    it.skipIf(!hasTerminal).each(["", "cat", "no-such-pager-here"])("is not used if $PAGER is '%s'", async (PAGER) => {
      const { stdout, code } = await inTerminal(home, "", `read ${ID}`, { PAGER, NO_COLOR: "1" });
      expect(stdout).toContain("The **north bed**");
      expect(code).toBe(0);
    });

    it.skipIf(!hasTerminal)("is less, otherwise more, otherwise none", async () => {
      const programs = temporaryFolder();
      const env = { PATH: programs, NO_COLOR: "1" };
      const shown = async () => (await inTerminal(home, "", `read ${ID}`, env)).stdout;
      expect(await shown()).toContain("\n  The **north bed**");
      for (const name of ["more", "less"]) {
        const script = `#!/bin/sh\nwhile IFS= read -r line; do printf '%s\\n' "${name}:$LESS:$line"; done\n`;
        writeFileSync(join(programs, name), script);
        chmodSync(join(programs, name), 0o755);
        expect(await shown()).toContain(`${name}:FRX:  The **north bed**`);
      }
    });
  });
});

it("search finds what an assistant remembers, with its name, and recall names it beside conversations", async () => {
  const path = join(home, ".claude", "projects", "-there", "memory", "birds.md");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "# Birds\n\nThe kingfisher nests in March.\n");
  const { stdout } = await run(["search", "kingfisher nests"]);
  expect(stdout).toMatch(/^memory {2}birds\.md {2}remembered by Claude Code {2}\d{4}-\d\d-\d\d$/m);
  expect(stdout).toContain("The kingfisher nests in March.");
  const recalled = await run(["call", "recall_conversations", JSON.stringify({ search_query: "kingfisher" })]);
  expect(JSON.parse(recalled.stdout)).toMatchObject({ memories: [{ kind: "memory", host: "Claude Code", path }] });
});

describe.skipIf(process.platform === "win32")("resume", () => {
  const project = "/home/person/layers";
  const folder = join(home, "here");
  const HERE = "8b0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e0a";
  const bin = join(home, "bin");
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  beforeAll(async () => {
    mkdirSync(bin);
    mkdirSync(folder);
    writeFileSync(join(bin, "claude"), '#!/bin/sh\necho "$PWD|$*"\nexit 7\n');
    chmodSync(join(bin, "claude"), 0o755);
    // A program of this name in the folder of a project is not what the person means.
    writeFileSync(join(folder, "claude"), "#!/bin/sh\necho hostile\n");
    chmodSync(join(folder, "claude"), 0o755);
    const record = {
      type: "user",
      uuid: "r1",
      sessionId: HERE,
      cwd: folder,
      message: { role: "user", content: "Ibis?" },
    };
    const transcripts = join(home, ".claude", "projects", "-here");
    mkdirSync(transcripts, { recursive: true });
    writeFileSync(join(transcripts, `${HERE}.jsonl`), `${JSON.stringify(record)}\n`);
    await run(["index"]);
  });

  it("starts the program in the folder of the conversation, and ends as it does", async () => {
    const { code, stdout } = await run(["resume", HERE.slice(0, 8)], { PATH: `.:${env.PATH}` });
    expect([stdout, code]).toEqual([`${folder}|--resume ${HERE}\n`, 7]);
  });

  it("prints the command and starts nothing with --print", async () => {
    const { code, stdout } = await run(["resume", ID, "--print"], env);
    expect([stdout, code]).toEqual([`cd ${project} && claude --resume ${ID}\n`, 0]);
  });

  it("says what is missing: the folder, the program, or the conversation", async () => {
    expect((await run(["resume", ID], env)).stderr).toContain(
      `The folder of this conversation is not there: ${project}`,
    );
    const without = await run(["resume", HERE], { PATH: "" });
    expect(without.stderr).toContain(
      `claude is not installed, or not on the PATH. The command is: cd ${folder} && claude`,
    );
    expect(without.code).toBe(1);
    expect((await run(["resume", "nowhere"], env)).stderr).toContain("shows the ids.");
  });

  it("hands it to another assistant in the same folder, as one argument, or prints what that is given", async () => {
    writeFileSync(join(bin, "gemini"), '#!/bin/sh\necho "$PWD|$#|$1"\nprintf "%s" "$2"\nexit 3\n');
    chmodSync(join(bin, "gemini"), 0o755);
    const { code, stdout } = await run(["handoff", HERE, "--to", "gemini"], env);
    expect([stdout.split("# Go on")[0], code]).toEqual([`${folder}|2|--prompt-interactive\n`, 3]);
    expect(stdout).toContain("## What was asked\n- Ibis? [r1]");
    const printed = await run(["handoff", HERE, "--print"], env);
    expect(stdout.slice(stdout.indexOf("# Go on with"))).toContain(printed.stdout.trim());
    expect((await run(["handoff", HERE], env)).code).not.toBe(0);
    expect((await run(["handoff", HERE, "--to", "nobody"], env)).stderr).toContain("--to must be one of claude-code");
  });
});
