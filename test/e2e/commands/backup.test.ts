// What exists only in our own folders, written to one file and brought back, by
// the built program.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tarEntry, TAR_END } from "../../../src/commands/backup/tar.ts";
import { claudeCodeStore } from "../../program-stores/claude-code.ts";
import { madeConversations } from "../../program-stores/made-conversation.ts";
import { connectStdio, runProgram, temporaryFolder } from "../../processes/program.ts";
import { callContext } from "../../fixtures/call-context.ts";

const OURS = "ours";

interface Used {
  readonly home: string;
  readonly vault: string;
  readonly run: (
    words: readonly string[],
    folder?: string,
  ) => Promise<{ code: number | null; out: string; error: string }>;
}

/** A home in which conversations, memory, a journal, settings and the embedded outline came about. */
async function usedHome(): Promise<Used> {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  writeFileSync(join(vault, "Note.md"), "one\n");
  claudeCodeStore.write(home, madeConversations(2, 2));
  mkdirSync(join(home, OURS));
  writeFileSync(join(home, OURS, "config.json"), JSON.stringify({ vault }));
  const run: Used["run"] = async (words, folder = OURS) => {
    const { code, stdout, stderr } = await runProgram([...words, "--home", join(home, folder)], { home });
    return { code, out: stdout, error: stderr };
  };
  await run(["call", "contentManager_appendContent", sent({ filePath: "Note.md", content: "two" })]);
  await run(["call", "insert_content", sent({ content: "A row" })]);
  await run(["index"]);
  return { home, vault, run };
}

function sent(values: object): string {
  return JSON.stringify({ ...values, context: callContext() });
}

interface Recalled {
  readonly conversations: readonly unknown[];
  readonly sources: Readonly<Record<string, { readonly archived?: number }>>;
}

/** Deletes one transcript. */
function lost(home: string): void {
  const projects = join(home, ".claude", "projects");
  rmSync(join(projects, inside(projects)[0]!));
}

const inside = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile());

describe("a backup", () => {
  it("brings conversations, memory, changes and settings back into an empty folder", async () => {
    const { home, vault, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    const { out: written } = await run(["backup", file]);
    expect(written).toContain("not redacted");
    expect(written).toMatch(/ \d+ kB in /);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(join(home, ".claude"), { recursive: true });
    const restored = await run(["restore", file, "--json"], "new");
    expect(JSON.parse(restored.out)).toMatchObject({ droppedChanges: 0 });
    const found = await run(["search", "prompt1x1", "--json"], "new");
    expect(found.out).toContain("prompt1x1");
    expect((await run(["undo"], "new")).code).toBe(0);
    expect(readFileSync(join(vault, "Note.md"), "utf8")).toBe("one\n");
    const memory = (folder: string) =>
      inside(join(home, folder, "data", "memory")).map((name) => name.replace(/[^/\\]*$/, ""));
    expect(memory("new")).toEqual(expect.arrayContaining(memory(OURS)));
    expect(readFileSync(join(home, "new", "config.json"), "utf8")).toContain(JSON.stringify(vault));
    expect(readFileSync(join(home, "new", "data", "outline.opml"), "utf8")).toContain("A row");
  });

  it("has neither the token nor locks, and can be listed by any tar", async () => {
    const { home, run } = await usedHome();
    writeFileSync(join(home, OURS, "data", "token"), "SECRET-TOKEN");
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    const bytes = gunzipSync(readFileSync(file));
    expect(bytes.includes("SECRET-TOKEN")).toBe(false);
    expect(bytes.includes(".lock.db")).toBe(false);
    if (process.platform === "win32") return;
    const names = execFileSync("tar", ["tzf", file], { encoding: "utf8" }).trim().split("\n");
    expect(names).toEqual(expect.arrayContaining(["READ ME.txt", "data/conversations.db", "config.json"]));
    expect(names.at(-1)).toBe("commonplace-backup.json");
  });

  it("of a database that is being written has what was committed", async () => {
    const { home, run } = await usedHome();
    const database = new DatabaseSync(join(home, OURS, "data", "conversations.db"));
    database.exec("PRAGMA journal_mode = WAL; BEGIN; UPDATE conversation SET title = 'Not committed'");
    const file = join(home, "backup.tar.gz");
    const { code } = await run(["backup", file]);
    database.exec("ROLLBACK");
    database.close();
    expect(code).toBe(0);
    await run(["restore", file], "new");
    const copy = new DatabaseSync(join(home, "new", "data", "conversations.db"));
    expect(copy.prepare("SELECT count(*) AS count FROM conversation").get()).toEqual({ count: 2 });
    expect(copy.prepare("SELECT * FROM conversation WHERE title = 'Not committed'").all()).toEqual([]);
    copy.close();
  });

  it("is never written over a file", async () => {
    const { home, run } = await usedHome();
    const file = join(home, "mine.txt");
    writeFileSync(file, "mine");
    const { code, error } = await run(["backup", file]);
    expect([code, error]).toEqual([1, expect.stringContaining("exists")]);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(readdirSync(home).filter((name) => name.startsWith(".mine"))).toEqual([]);
  });

  it("of nothing is refused", async () => {
    const { home, run } = await usedHome();
    const { code, error } = await run(["backup", join(home, "x.tar.gz")], "empty");
    expect([code, error]).toEqual([1, expect.stringContaining("nothing to back up")]);
  });
});

describe("restoring a backup", () => {
  it("replaces what one search has made, and keeps what is of this machine", async () => {
    const { home, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    // Another machine: one conversation of its own, and none of those in the backup.
    rmSync(join(home, ".claude"), { recursive: true });
    const [, , own] = madeConversations(3, 1);
    claudeCodeStore.write(home, [own!]);
    await run(["search", "prompt2x0"], "new");
    const client = await connectStdio(home, {}, ["--home", join(home, "new")]);
    await client.callTool({ name: "search", arguments: { query: "prompt2x0" } });
    await client.close();
    writeFileSync(join(home, "new", "data", "token"), "OF-THIS-MACHINE");
    expect(await run(["restore", file], "new")).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, "new", "data", "token"), "utf8")).toBe("OF-THIS-MACHINE");
    expect(readdirSync(home).filter((name) => name.includes("restoring"))).toEqual([]);
    const store = new DatabaseSync(join(home, "new", "data", "conversations.db"), { readOnly: true });
    expect(store.prepare("SELECT value FROM state WHERE key = 'swept'").get()).toEqual({ value: 1 });
    store.close();
    for (const words of ["prompt0x1", "prompt1x1", "prompt2x0"])
      expect((await run(["search", words, "--json"], "new")).out, words).toContain(`"snippet":"`);
  });

  it("does not make its conversations deleted ones, whatever is renewed; those that are there again go on", async () => {
    const { home, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    renameSync(join(home, ".claude"), join(home, "elsewhere"));
    await run(["restore", file], "new");
    const states = async () => {
      const { out } = await run(
        ["call", "recall_conversations", '{"since":"all","min_score":0,"project":"all"}'],
        "new",
      );
      const { conversations, sources } = JSON.parse(out) as Recalled;
      return [conversations.length, sources["claude-code"]!.archived];
    };
    for (const renewal of [["index"], ["index", "--rebuild"], ["index", "--forget", "--yes"]]) {
      await run(renewal, "new");
      expect(await states(), renewal.join(" ")).toEqual([2, undefined]);
    }
    const messages = async () => (await run(["read", madeConversations(2, 2)[0]!.id, "--tools"], "new")).out;
    const before = await messages();
    renameSync(join(home, "elsewhere"), join(home, ".claude"));
    await run(["index"], "new");
    expect(await messages()).toBe(before);
    rmSync(join(home, ".claude"), { recursive: true });
    await run(["index"], "new");
    expect(await states()).toEqual([2, 2]);
  });

  it.each([
    ["a conversation that its program has deleted", "1 conversation that no program has any more", lost],
    [
      "a note",
      "the note Mine.md of the embedded vault",
      (home: string) => writeFileSync(join(home, "new/data/vault/Mine.md"), "x"),
    ],
    ["settings", "the settings in ", (home: string) => writeFileSync(join(home, "new/config.json"), "{}")],
    ["something else", "something.txt", (home: string) => writeFileSync(join(home, "new/data/something.txt"), "x")],
  ])("is refused where there is %s, which is named", async (_, name, make) => {
    const { home, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    await run(["search", "prompt1x1"], "new");
    make(home);
    const before = inside(join(home, "new", "data"));
    const { code, error } = await run(["restore", file], "new");
    expect([code, error]).toEqual([1, expect.stringContaining(name)]);
    expect(inside(join(home, "new", "data"))).toEqual(before);
  });

  it("is refused where anything is, and leaves that as it was", async () => {
    const { home, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    const before = inside(join(home, OURS)).map((name) => [name, statSync(join(home, OURS, name)).mtimeMs]);
    const { code, error } = await run(["restore", file]);
    expect([code, error]).toEqual([1, expect.stringMatching(/exists only here: .*the journal of changes/)]);
    expect(inside(join(home, OURS)).map((name) => [name, statSync(join(home, OURS, name)).mtimeMs])).toEqual(before);
  });

  it("of a file that is not there is refused with a sentence", async () => {
    const { home, run } = await usedHome();
    const { code, error } = await run(["restore", join(home, "none.tar.gz")], "new");
    expect([code, error]).toEqual([1, expect.stringContaining("There is no file")]);
    expect(error).not.toMatch(/\n\s+at /);
  });

  it("drops changes that were being made", async () => {
    const { home, vault, run } = await usedHome();
    const journals = join(home, OURS, "data", "journal");
    const name = readdirSync(journals).find((one) => /^\w+\.db$/.test(one) && holds(join(journals, one), "Note.md"));
    const journal = new DatabaseSync(join(journals, name!));
    journal.exec(
      "INSERT INTO entry SELECT number + 1, 0, time, tool, 'half', origin, latest, undone, actions, removed FROM entry ORDER BY number DESC LIMIT 1",
    );
    journal.close();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    const { out } = await run(["restore", file, "--json"], "new");
    expect(JSON.parse(out)).toMatchObject({ droppedChanges: 1 });
    const text = readFileSync(join(vault, "Note.md"), "utf8");
    expect((await run(["history"], "new")).out).not.toContain("half");
    expect(readFileSync(join(vault, "Note.md"), "utf8")).toBe(text);
  });

  it("brings back a store of version 0.1.0, which is upgraded", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, OURS, "data"), { recursive: true });
    const earlier = join(import.meta.dirname, "../../samples/stores/conversations-0.1.0.db.gz");
    writeFileSync(join(home, OURS, "data", "conversations.db"), gunzipSync(readFileSync(earlier)));
    const file = join(home, "backup.tar.gz");
    const run = (words: string[], folder: string) => runProgram([...words, "--home", join(home, folder)], { home });
    await run(["backup", file], OURS);
    await run(["restore", file], "new");
    const { stdout } = await run(["search", "flamingo", "--json"], "new");
    expect(stdout).toContain("flamingo");
  });

  it.each([
    ["is cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 2000)],
    ["is cut off in its first bytes", (bytes: Buffer) => bytes.subarray(0, 20)],
    ["is no archive", () => Buffer.from("hello")],
    ["is empty", () => Buffer.alloc(0)],
    [
      "has another content than it says",
      (bytes: Buffer) => {
        const plain = gunzipSync(bytes);
        plain[plain.indexOf("A row")] = 0x42;
        return gzipSync(plain);
      },
    ],
    ["leads out of the folder", () => archive({ "data/../../../escaped.txt": "x" })],
    ["names an absolute path", () => archive({ "/tmp/escaped.txt": "x" })],
    ["has a path of Windows", () => archive({ "data/..\\escaped.txt": "x" })],
    ["has a damaged database", () => archive({ "data/conversations.db": "SQLite format 3\0 and nothing else" })],
    ["is of a newer release", () => archive({ "data/x": "x" }, 99)],
  ])("of a file that %s is refused, and leaves nothing behind", async (_, change) => {
    const { home, run } = await usedHome();
    const file = join(home, "backup.tar.gz");
    await run(["backup", file]);
    writeFileSync(file, change(readFileSync(file)));
    const before = readdirSync(home);
    const { code, error } = await run(["restore", file], "new");
    expect([code, error]).toEqual([1, expect.stringMatching(/no backup of Commonplace|newer release/)]);
    expect(error).not.toMatch(/\n\s+at /);
    expect(existsSync(join(home, "new", "data"))).toBe(false);
    expect(readdirSync(home).filter((name) => name !== "new")).toEqual(before.filter((name) => name !== "new"));
    expect(existsSync(join(home, "..", "escaped.txt"))).toBe(false);
  });
});

/** An archive as the program writes it, of any files. */
function archive(files: Readonly<Record<string, string>>, format = 1): Buffer {
  const listed = Object.entries(files).map(([name, text]) => ({
    name,
    size: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
  }));
  const manifest = JSON.stringify({ format, version: "0.0.0", created: "", isRedacted: false, files: listed });
  const entries = [...Object.entries(files), ["commonplace-backup.json", manifest]] as const;
  const parts = entries.flatMap(([name, text]) => [...tarEntry(name!, Buffer.byteLength(text!), [Buffer.from(text!)])]);
  return gzipSync(Buffer.concat([...parts, TAR_END]));
}

function holds(file: string, text: string): boolean {
  return statSync(file).size > 0 && readFileSync(file).includes(text);
}
