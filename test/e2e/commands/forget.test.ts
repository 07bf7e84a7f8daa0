// commonplace forget: what it says it takes is in none of our files afterwards, to
// the byte, and does not come back; everything else stays.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, runProgram, temporaryFolder } from "../../processes/program.ts";

const id = (n: number) => `4b0f1c1e-2b7a-4c52-9d5e-00000000000${n}`;
const [SECRET, FORK, OTHER, OLD, ABROAD] = [1, 2, 3, 4, 5].map(id) as [string, string, string, string, string];
/** Words that nobody else says: in a prompt, a title, a long text of a tool, and a call of ours. */
const RARE = {
  prompt: "quagmirish",
  title: "zyzzyvan",
  tool: "frobnicated",
  trace: "xylographic",
  folder: "harrowgate",
};

let home: string;
let clock = Date.now() - 30_000;
const run = (...args: string[]) => runProgram(args, { home });

function write(session: string, records: readonly object[], cwd = "/code/shop"): void {
  const folder = join(home, ".claude", "projects", cwd.replaceAll("/", "-"));
  mkdirSync(folder, { recursive: true });
  const lines = records.map((record) => {
    clock += 1000;
    return `${JSON.stringify({ sessionId: session, cwd, timestamp: new Date(clock).toISOString(), ...record })}\n`;
  });
  writeFileSync(join(folder, `${session}.jsonl`), lines.join(""));
}

const user = (uuid: string, content: unknown, more: object = {}) => ({
  type: "user",
  uuid,
  message: { role: "user", content },
  ...more,
});
const assistant = (uuid: string, content: readonly object[]) => ({
  type: "assistant",
  uuid,
  message: { id: `m-${uuid}`, role: "assistant", content },
});

/** Every file of ours: not those of the program, nor exports. */
function ourFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /[/\\](?:\.local|\.cache|AppData|Library)[/\\]/.test(path) && statSync(path).isFile());
}

function filesWith(word: string): string[] {
  return ourFiles(home).filter((path) => readFileSync(path).toString("latin1").toLowerCase().includes(word));
}

async function found(word: string): Promise<string[]> {
  const { stdout } = await run(
    "call",
    "recall_conversations",
    JSON.stringify({ search_query: word, since: "all", project: "all", fast_mode: false }),
  );
  const { conversations } = JSON.parse(stdout) as { conversations: { id: string }[] };
  return conversations.map((one) => one.id).toSorted();
}

beforeAll(async () => {
  home = temporaryFolder();
  const sessionId = "session_1700000000000_abcdefghi";
  const context = {
    workspaceId: "default",
    sessionId,
    sessionDescription: "Beds",
    toolContext: `Looks for the ${RARE.trace} bed`,
    primaryGoal: "Plant",
    subgoal: "Look",
  };
  write(SECRET, [
    user("u1", `Where is the ${RARE.prompt} marsh?`),
    assistant("a1", [
      { type: "tool_use", id: "t1", name: "mcp__commonplace__search", input: { query: "bed", context } },
    ]),
    user("u2", [{ type: "tool_result", tool_use_id: "t1", content: `${RARE.tool} `.repeat(8_000) }]),
    assistant("a2", [{ type: "text", text: "Behind the north bed, where the reeds begin." }]),
    { type: "summary", summary: `The ${RARE.title} marsh`, leafUuid: "a2" },
  ]);
  write(FORK, [user("u1", `Where is the ${RARE.prompt} marsh?`), user("f1", "And the curlew?")]);
  write(OTHER, [user("o1", "How do curlews nest?")]);
  write(OLD, [user("p1", "What of bitterns?", { timestamp: "2026-01-05T10:00:00.000Z" })]);
  write(ABROAD, [user("q1", "And avocets?")], `/code/${RARE.folder}`);
  const client = await connectStdio(home, {});
  await client.callTool({ name: "search", arguments: { query: "curlew", context } });
  await client.callTool({
    name: "search",
    arguments: { query: "curlew", context: { ...context, sessionId: "other", toolContext: "Keeps corncrakes" } },
  });
  await client.close();
  await run("index");
  await run("export", "--format", "md", "--output", join(home, "out"), "--all");
});

describe("forget", () => {
  it("shows what it takes and what stays, and takes nothing without an answer", async () => {
    expect(filesWith(RARE.prompt)).not.toEqual([]);
    expect(filesWith(RARE.trace)).not.toEqual([]);
    const { code, stdout } = await run("forget", SECRET, "--json");
    expect(code).toBe(1);
    const plan = JSON.parse(stdout) as { conversations: object[]; traces: number; left: string[]; result: string };
    expect(plan).toMatchObject({ conversations: [{ id: SECRET, source_tool: "claude-code" }], result: "pending" });
    expect(plan.traces).toBeGreaterThan(0);
    expect(plan.left.join("\n")).toMatch(new RegExp(`exported: .*_4b0f1c1e.*\\.md`));
    expect(plan.left).toContain(`claude-code/${FORK} repeats what was said in ${SECRET}, and keeps it: forget it, too`);
    expect(plan.left.join("\n")).toContain(`its program has it: ${join(home, ".claude")}`);
    expect(await found(RARE.prompt)).toContain(SECRET);
  });

  it("takes nothing of the memory in a vault that is read-only, and says so", async () => {
    const vault = ["--vault", `notes=${join(home, ".local", "share", "commonplace", "vault")}`];
    const { stdout } = await run("forget", SECRET, "--json", ...vault, "--read-only-vault", "notes");
    expect(JSON.parse(stdout)).toMatchObject({
      traces: 0,
      left: expect.arrayContaining([
        expect.stringMatching(/^\d+ traces? in the memory of the vault notes, which is read-only$/),
      ]),
    });
  });

  it("leaves a fork what the fork says itself, and none of the rest in any byte of our files", async () => {
    expect((await run("forget", SECRET, "--yes")).stdout).toContain("1 conversation forgotten.");
    for (const word of [RARE.title, RARE.tool, RARE.trace]) expect(filesWith(word), word).toEqual([]);
    expect(await found(RARE.prompt)).toEqual([FORK]);
    await run("forget", FORK, "--yes");
    expect(filesWith(RARE.prompt)).toEqual([]);
    expect(filesWith("corncrakes")).not.toEqual([]);
  });

  it("does not bring it back with the next index, although its program goes on with it", async () => {
    write(SECRET, [
      user("u1", `Where is the ${RARE.prompt} marsh?`),
      user("u9", "Still there?"),
      { type: "summary", summary: `The ${RARE.title} marsh`, leafUuid: "u9" },
    ]);
    for (const args of [["index"], ["index", "--rebuild"]]) {
      await run(...args);
      for (const word of Object.values(RARE).slice(0, 4)) expect(filesWith(word), word).toEqual([]);
    }
    expect(await found("curlews")).toEqual([OTHER]);
    expect(readFileSync(join(home, ".claude", "projects", "-code-shop", `${SECRET}.jsonl`), "utf8")).toContain(
      RARE.prompt,
    );
  });

  it("takes all of a project, with its folder, or all before a date", async () => {
    await run("forget", "--project", RARE.folder, "--yes");
    expect(filesWith("avocets")).toEqual([]);
    await run("forget", "--before", "2026-02-01", "--yes");
    expect(await found("bitterns")).toEqual([]);
    expect(filesWith("bitterns")).toEqual([]);
    expect(await found("curlews")).toEqual([OTHER]);
    expect((await run("forget", "--before", "2026-02-01", "--yes")).stdout).toBe("No conversation matches.\n");
  });

  it("takes none of two projects of one name, and nothing that has no date", async () => {
    const [work, old] = [id(6), id(7)];
    write(work, [user("w1", "And godwits?")], "/projects/meadow");
    write(old, [user("v1", "And godwits again?")], "/old/meadow");
    await run("index");
    const { code, stderr } = await run("forget", "--project", "meadow", "--yes");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("old/meadow, projects/meadow") });
    expect(await found("godwits")).toEqual([work, old]);
    const store = ourFiles(home).find((path) => path.endsWith("conversations.db"))!;
    const database = new DatabaseSync(store);
    database.exec(`UPDATE conversation SET created = 0, updated = 0 WHERE key = '${old}'`);
    database.close();
    expect((await run("forget", "--before", "2026-02-01", "--yes")).stdout).toBe("No conversation matches.\n");
    await run("forget", "--project", "projects/meadow", "--yes");
    expect(await found("godwits")).toEqual([old]);
  });

  it("keeps what a conversation that stays goes on from, if no file has it any more", async () => {
    const [begun, going] = [id(8), id(9)];
    const at = (time: string) => ({ timestamp: `2025-0${time}-05T10:00:00.000Z` });
    const shared = [user("s1", "Where do dunlins winter?", at("1")), user("s2", "And phalaropes?", at("1"))];
    write(begun, [...shared, user("s3", "Only here", at("1"))], "/code/waders");
    write(going, [...shared, user("s4", "And knots?", at("6"))], "/code/waders");
    await run("index");
    rmSync(join(home, ".claude", "projects", "-code-waders"), { recursive: true });
    const one = await run("forget", begun, "--yes");
    expect(one).toMatchObject({ code: 1, stderr: expect.stringContaining(`claude-code/${going} goes on from`) });
    const { stdout } = await run("forget", "--before", "2025-03-01", "--yes");
    expect(stdout).toContain(`claude-code/${begun}: claude-code/${going} goes on from it`);
    expect(await found("phalaropes")).toContain(begun);
    await run("forget", "--before", "2025-07-01", "--yes");
    expect(await found("phalaropes")).toEqual([]);
    expect(filesWith("phalaropes")).toEqual([]);
  });

  it("wants exactly one of an id, a project and a date", async () => {
    for (const args of [
      [],
      [SECRET, "--before", "2026"],
      ["--project", ""],
      ["--before", "all"],
      ["--before", "soon"],
      ["--before", "2999-01-01", "--yes"],
    ])
      expect((await run("forget", ...args)).code, args.join(" ")).toBe(2);
    expect((await run("forget", "nowhere", "--yes")).code).toBe(1);
  });
});
