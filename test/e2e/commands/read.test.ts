// A person looks for a conversation and reads it: `search` shows what to read
// and waits for a first index, `read` shows it, in a terminal by a pager.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
    expect(stdout).toMatch(/commonplace.* read ID \[--around MESSAGE\] shows a conversation\.\n$/);
    const notes = (await run(["search", "welcome"])).stdout;
    expect(notes).toMatch(/^note {2}\S/m);
    expect(notes).not.toContain("read ID");
  });

  it("searches what tools returned with --tools, and says that nobody said it", async () => {
    expect((await run(["search", "brassicas"])).stdout).not.toContain(ID);
    const { stdout } = await run(["search", "brassicas", "--tools"]);
    expect(stdout).toMatch(new RegExp(`\n  id ${ID}  message (\\S+)\n  \\(tool\\) .*brassicas`));
    expect(stdout).toMatch(/read ID \[--around MESSAGE\] --tools shows a conversation/);
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
      const database = new DatabaseSync(file, { timeout: 10_000 });
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
    [["read"], 2, "Say which conversation: "],
    [["read", " "], 2, "Say which conversation: "],
    [["read", ID, "more"], 2, "Too many arguments: "],
    [["read", ID, "--around"], 2, "--around needs a value"],
    [["read", "6f0f1c1e"], 2, "Several conversations have an id that begins so: claude-code/6f0f1c1e"],
    [["read", "no-such-id"], 1, "There is no conversation with the id no-such-id. '"],
    [["read", "no-such-id"], 1, " search WORDS…' shows the ids."],
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
