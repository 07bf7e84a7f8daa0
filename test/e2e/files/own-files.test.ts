// The program's own folders and files, whatever the umask and whatever an
// earlier release left: closed to others, below --home if that is given,
// and free of what other releases left long ago.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { writeConversations } from "../../page/sample-conversations.ts";
import { NODE } from "../../processes/child.ts";
import {
  atTheEnd,
  collect,
  COMPILED_IN_HOME,
  environmentIn,
  PROGRAM,
  temporaryFolder,
} from "../../processes/program.ts";

const hasModes = process.platform !== "win32";

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

/** The program under a umask. */
function start(home: string, umask: string, args: readonly string[]) {
  const script = `umask ${umask} && exec "$0" "$@"`;
  const env = { ...environmentIn(home), ...COMPILED_IN_HOME };
  return spawn("/bin/sh", ["-c", script, NODE, PROGRAM, ...args], { cwd: home, env });
}

async function run(home: string, umask: string, ...args: string[]) {
  const child = start(home, umask, args);
  child.stdin.end();
  const ended = await collect(child);
  expect({ args, code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
  return ended;
}

async function call(home: string, umask: string, settings: readonly string[], name: string, sent: object) {
  await run(home, umask, "call", name, JSON.stringify(sent), ...settings);
}

/** Serves until it says where: by then the token is kept. */
async function serve(home: string, umask: string, settings: readonly string[]) {
  const child = start(home, umask, ["serve", "--http", "0", ...settings]);
  atTheEnd(() => child.kill("SIGKILL"));
  const ended = collect(child);
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (text: Buffer) => text.includes("serving on") && resolve());
    void ended.then(() => resolve());
  });
  child.kill("SIGTERM");
  expect((await ended).stderr).toContain("serving on");
}

/** Something of everything that the program keeps. */
async function useEverything(home: string, umask: string, vault: string, settings: readonly string[]) {
  const inVault = [...settings, "--vault", vault];
  await call(home, umask, inVault, "contentManager_createContent", { filePath: "New", content: "n", context: CONTEXT });
  await call(home, umask, inVault, "contentManager_appendContent", { filePath: "Old", content: "o", context: CONTEXT });
  await call(home, umask, inVault, "memoryManager_createSession", { name: "Session", context: CONTEXT });
  await call(home, umask, inVault, "search", { query: "old" });
  await call(home, umask, settings, "insert_content", { content: "Row" });
  await call(home, umask, settings, "vaultManager_listDirectory", { path: "/", context: CONTEXT });
  await run(home, umask, "export", "--output", join(home, "exported"), ...settings);
  await run(home, umask, "connect", "cursor", "--yes", ...inVault);
  await run(home, umask, "connect", "cursor", "--yes", "--read-only", ...inVault);
  await serve(home, umask, inVault);
}

/** What others can reach below a folder of ours, and what its owner cannot. The notes of the embedded vault are the user's. */
function wrongModesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    ({ parentPath }) => !/\/vault(?:\/|$)/.test(parentPath),
  );
  return [
    ...(modeOf(folder) === 0o700 ? [] : [`${folder} ${modeOf(folder).toString(8)}`]),
    ...all
      .map((entry) => ({ path: join(entry.parentPath, entry.name), mode: entry.isDirectory() ? 0o700 : 0o600 }))
      .filter(({ path, mode }) => modeOf(path) !== mode)
      .map(({ path }) => `${path} ${modeOf(path).toString(8)}`),
  ];
}

function newHome() {
  const home = temporaryFolder();
  chmodSync(home, 0o755);
  writeConversations(home);
  mkdirSync(join(home, ".cursor"));
  writeFileSync(join(home, ".cursor", "mcp.json"), "{}");
  const vault = join(home, "notes");
  mkdirSync(vault);
  chmodSync(vault, 0o755);
  writeFileSync(join(vault, "Old.md"), "old");
  chmodSync(join(vault, "Old.md"), 0o640);
  return {
    home,
    vault,
    data: join(home, ".local", "share", "commonplace"),
    cache: join(home, ".cache", "commonplace"),
  };
}

describe.runIf(hasModes)("whatever the umask", () => {
  const umasks = ["000", "022", "077", "0377", "0777"];
  // Where the umask takes the owner's own rights away, only root can still read a new note.
  const isUsable = (umask: string) => process.getuid?.() === 0 || (Number.parseInt(umask, 8) & 0o700) === 0;
  it.for(umasks)("%s: our files are closed to others", async (umask, { skip }) => {
    skip(!isUsable(umask), "needs root");
    const { home, vault, data, cache } = newHome();
    await useEverything(home, umask, vault, []);
    expect([...wrongModesIn(data), ...wrongModesIn(cache)]).toEqual([]);
    const names = readdirSync(data, { recursive: true, encoding: "utf8" });
    for (const part of [
      "token",
      "device",
      "conversations.db",
      "outline.opml",
      "journal/",
      "outlines/",
      "backups/",
      "memory/",
    ])
      expect(names.some((name) => name.startsWith(part))).toBe(true);
    // Files of the vault keep their mode, or take the umask's.
    expect(modeOf(join(vault, "Old.md"))).toBe(0o640);
    expect(modeOf(join(vault, "New.md"))).toBe(0o666 & ~Number.parseInt(umask, 8));
    expect(modeOf(vault)).toBe(0o755);
  });

  it("others cannot write memory in the vault", async () => {
    const { home, vault } = newHome();
    const settings = ["--vault", vault, "--memory", "vault"];
    await call(home, "000", settings, "memoryManager_createSession", { name: "Session", context: CONTEXT });
    const folder = join(vault, ".commonplace");
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
    expect(all).toHaveLength(2);
    expect([folder, ...all].filter((path) => modeOf(path) & 0o002)).toEqual([]);
    // Left open by an earlier release.
    for (const path of [folder, ...all]) chmodSync(path, 0o777);
    await call(home, "000", settings, "memoryManager_createSession", { name: "Another", context: CONTEXT });
    expect([folder, ...all].filter((path) => modeOf(path) & 0o002)).toEqual([]);
  });
});

describe.runIf(hasModes)("folders that an earlier release left open", () => {
  it("are closed by the first call", async () => {
    const { home, vault, data, cache } = newHome();
    await useEverything(home, "022", vault, []);
    const all = [data, cache].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(({ parentPath }) => !parentPath.includes("compiled"))
        .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() })),
    );
    for (const { path, isFolder } of all) chmodSync(path, isFolder ? 0o755 : 0o644);
    chmodSync(data, 0o755);
    chmodSync(cache, 0o755);
    const config = join(home, ".config", "commonplace");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), "{}");
    chmodSync(config, 0o755);
    chmodSync(join(config, "config.json"), 0o644);
    await call(home, "022", ["--vault", vault], "search", { query: "old" });
    expect([...wrongModesIn(data), ...wrongModesIn(cache), ...wrongModesIn(config)]).toEqual([]);
    expect(modeOf(join(home, ".config"))).not.toBe(0o700);
  });

  it("are not changed if they contain other files, nor is the folder that --home names", async () => {
    const { home, vault } = newHome();
    const shared = join(home, "shared");
    mkdirSync(join(shared, "data"), { recursive: true });
    writeFileSync(join(shared, "data", "measurements.csv"), "1");
    for (const path of [shared, join(shared, "data")]) chmodSync(path, 0o775);
    chmodSync(join(shared, "data", "measurements.csv"), 0o664);
    await useEverything(home, "022", vault, ["--home", shared]);
    expect([shared, join(shared, "data")].map(modeOf)).toEqual([0o775, 0o775]);
    expect(modeOf(join(shared, "data", "measurements.csv"))).toBe(0o664);
    expect(wrongModesIn(join(shared, "cache"))).toEqual([]);
    for (const name of ["journal", "outlines", "backups", "vault"])
      expect(wrongModesIn(join(shared, "data", name))).toEqual([]);
    for (const name of ["token", "device", "conversations.db"]) expect(modeOf(join(shared, "data", name))).toBe(0o600);
  });
});

const LONG_AGO = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);

describe("with --home", () => {
  it.each<[string, (folder: string) => { args: string[]; env: Record<string, string> }]>([
    ["--home DIR", (folder) => ({ args: ["--home", folder], env: {} })],
    ["--home=DIR", (folder) => ({ args: [`--home=${folder}`], env: {} })],
    ["COMMONPLACE_HOME", (folder) => ({ args: [], env: { COMMONPLACE_HOME: folder } })],
    ["a relative path", () => ({ args: ["--home", "./mine"], env: {} })],
    ["a path from the home folder", () => ({ args: ["--home", "~/mine"], env: {} })],
    ["the last of two", (folder) => ({ args: ["--home", `${folder}2`, "--home", folder], env: {} })],
    ["a flag and a variable", (folder) => ({ args: ["--home", folder], env: { COMMONPLACE_HOME: `${folder}2` } })],
  ])("nothing is written anywhere else: %s", (_, settings) => {
    const home = temporaryFolder();
    const { args, env } = settings(join(home, "mine"));
    const sent = JSON.stringify({ path: "/", context: CONTEXT });
    const { status } = spawnSync(NODE, [PROGRAM, "call", "vaultManager_listDirectory", sent, ...args], {
      cwd: home,
      env: { ...environmentIn(home), ...COMPILED_IN_HOME, ...env },
    });
    expect(status).toBe(0);
    expect(readdirSync(home)).toEqual(["mine"]);
    expect(readdirSync(join(home, "mine", "cache", "compiled"))).toHaveLength(1);
  });

  it("a word after -- is not a setting, nor is a host's placeholder", () => {
    const home = temporaryFolder();
    const env = { ...environmentIn(home), COMMONPLACE_HOME: "${user_config.home}" };
    spawnSync(NODE, [PROGRAM, "search", "--", "--home", "elsewhere"], { cwd: home, env });
    expect(existsSync(join(home, "elsewhere"))).toBe(false);
    expect(existsSync(join(home, ".local", "share", "commonplace"))).toBe(true);
  });
});

describe("files of other releases", () => {
  /** The names of a cache that was used by this release and by others, some of them long ago. */
  async function usedCache() {
    const { home, vault, cache } = newHome();
    const use = () => call(home, "022", ["--vault", vault], "search", { query: "old" });
    await use();
    const own = readdirSync(cache);
    const compiled = join(cache, "compiled");
    const [kept] = readdirSync(compiled);
    const put = (name: string, time?: Date) => {
      writeFileSync(
        join(cache, name),
        readFileSync(
          join(
            cache,
            own.find((file) => file.endsWith(".db"))!,
          ),
        ),
      );
      if (time) utimesSync(join(cache, name), time, time);
    };
    return { home, vault, cache, compiled, kept: kept!, own, put, use };
  }

  it("are removed from the cache if they were not used for a month, and nothing else is", async () => {
    const { cache, own, put, use } = await usedCache();
    const old = ["notes-v1-0123456789abcdef.db", "memory-v1.1-0123456789abcdef.db", "notes-v99-0123456789abcdef.db"];
    for (const name of old) put(name, LONG_AGO);
    put("notes-v1-0123456789abcdee.db");
    const others = ["notes-v1-of-mine.db", "notes.db", "conversations.db", "notes-v1-0123456789abcdef.db.bak"];
    for (const name of others) put(name, LONG_AGO);
    // In use until a moment ago, as its side file shows.
    put("notes-v1-0123456789abcded.db", LONG_AGO);
    put("notes-v1-0123456789abcded.db-wal");
    // An index of this release, of a disk that is not mounted now.
    const current = own.find((name) => /^notes-.*\.db$/.test(name))!;
    const unmounted = current.replace(/[0-9a-f]{16}\.db$/, "0123456789abcdef.db");
    put(unmounted, LONG_AGO);
    await use();
    expect(readdirSync(cache).toSorted()).toEqual(
      [
        ...own,
        ...others,
        unmounted,
        "notes-v1-0123456789abcdee.db",
        "notes-v1-0123456789abcded.db",
        "notes-v1-0123456789abcded.db-wal",
      ].toSorted(),
    );
  });

  it("are removed from the compiled code, once a day, by their names only", async () => {
    const { compiled, kept, use } = await usedCache();
    const named = (version: string) => kept.replace(/^v[\d.]+/, version);
    const put = (name: string, time: Date) => {
      writeFileSync(join(compiled, name), "");
      utimesSync(join(compiled, name), time, time);
    };
    put(named("v22.1.0"), LONG_AGO);
    put(`${named("v22.1.0")}.123.tmp`, LONG_AGO);
    put(named("v22.2.0"), new Date());
    put("mine", LONG_AGO);
    // Looked at no more than once a day.
    await use();
    expect(readdirSync(compiled)).toHaveLength(5);
    const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    utimesSync(join(compiled, kept), dayAgo, dayAgo);
    await use();
    expect(readdirSync(compiled).toSorted()).toEqual([kept, named("v22.2.0"), "mine"].toSorted());
    // What is used stays, however long ago it was made.
    expect(Date.now() - statSync(join(compiled, kept)).mtimeMs).toBeLessThan(60 * 60 * 1000);
  });
});
