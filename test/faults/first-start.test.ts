// A first start that is killed, or has no disk or network in its middle, leaves
// nothing that the next one believes: it ends with the same files as one that
// was never disturbed.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fits } from "../../bin/node-range.js";
import { CAMPAIGN, IS_LONG, repeats } from "../campaign.ts";
import { mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";
import { servePackages, type PackageRegistry } from "../processes/package-registry.ts";
import { temporaryFolder } from "../processes/program.ts";
import { randomFrom } from "./children/operations.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** All that a fresh clone has and a first start reads. */
const SOURCES = [
  "package.json",
  "tsconfig.json",
  ".npmrc",
  "test/package.json",
  "assets",
  "bin",
  "scripts",
  "src",
  "web",
];

/** What is made by a first start. */
const MADE = ["node_modules", "dist", ".node"];

/** Ctrl-C and a closed terminal reach the whole group; `kill` reaches one process, whose steps may go on without it. */
const KILLS = [
  { signal: "SIGKILL", reaches: "one" },
  { signal: "SIGTERM", reaches: "one" },
  { signal: "SIGINT", reaches: "all" },
  { signal: "SIGHUP", reaches: "all" },
  { signal: "SIGKILL", reaches: "all" },
  { signal: "SIGHUP", reaches: "one" },
] as const;

let registry: PackageRegistry;

beforeAll(async () => {
  registry = await servePackages(ROOT, join(ROOT, ".node"));
});
afterAll(async () => {
  await registry.close();
  unmountAll();
});

/** A fresh clone. Its lock file has no checksums: the archives here are packed again. */
function freshClone(at = join(temporaryFolder(), "a checkout's folder")): string {
  for (const path of SOURCES) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    cpSync(join(ROOT, path), join(at, path), { recursive: true });
  }
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  writeFileSync(join(at, "package-lock.json"), lock.replace(/\n *"integrity": "[^"]*",/g, ""));
  return at;
}

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

function start(clone: string, { node = process.execPath, cache = join(dirname(clone), "cache") } = {}): Run {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) if (/^npm_|proxy$|^TMPDIR$/i.test(name)) delete env[name];
  const child = spawn(node, ["scripts/run.mjs", "build"], {
    cwd: clone,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...env,
      PATH: `${dirname(node)}:${env["PATH"]}`,
      npm_config_registry: registry.url,
      npm_config_cache: cache,
      npm_config_userconfig: join(dirname(clone), "npmrc"),
      npm_config_fetch_retries: "0",
      npm_config_update_notifier: "false",
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (said += data));
  // The streams of steps that outlive it stay open.
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.on("exit", (code) => setImmediate(() => resolve({ code, said }))),
  );
  return { child, ended };
}

/** Every file with its size, and those of the program with their contents; npm's own notes have times in them. */
function filesOf(clone: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const made of ["node_modules", "dist"])
    for (const entry of readdirSync(join(clone, made), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory() || entry.name === ".package-lock.json") continue;
      const bytes = entry.isFile() ? readFileSync(path) : "link";
      files[path.slice(clone.length)] = createHash("sha1").update(bytes).digest("hex");
    }
  return files;
}

/** A run to its end, after which everything is there and no draft is left by it. */
async function expectWhole(clone: string, whole: Record<string, string>, node?: string): Promise<string> {
  const { code, said } = await start(clone, node === undefined ? {} : { node }).ended;
  expect(code, said).toBe(0);
  const files = filesOf(clone);
  expect(Object.keys(whole).filter((path) => files[path] !== whole[path])).toEqual([]);
  expect(Object.keys(files).filter((path) => whole[path] === undefined)).toEqual([]);
  return said;
}

/** A Node that does not fit brings one that does into the checkout: another folder that may be torn. */
const OLD_NODE = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => existsSync(path) && !isFitting(path));

function isFitting(node: string): boolean {
  const version = /\d[\d.]*/.exec(execFileSync(node, ["--version"], { encoding: "utf8" }))?.[0];
  return version === undefined || fits(version);
}

describe("a first start", CAMPAIGN, () => {
  const clone = freshClone();
  let whole: Record<string, string> = {};
  let duration = 0;

  beforeAll(async () => {
    const started = Date.now();
    const { code, said } = await start(clone).ended;
    duration = Date.now() - started;
    if (code !== 0) throw new Error(`An undisturbed run failed:\n${said}`);
    whole = filesOf(clone);
  }, CAMPAIGN.timeout);

  const wipe = () => {
    for (const made of MADE) rmSync(join(clone, made), { recursive: true, force: true });
  };

  it(`is repaired by the next one when it is killed at any moment (${repeats({ short: 3, long: 36 })} kills)`, async () => {
    const random = randomFrom(7);
    const counts = { killed: 0, overBefore: 0, repaired: 0 };
    for (let kill = 0; kill < repeats({ short: 3, long: 36 }); kill++) {
      const node = IS_LONG && kill % 6 === 5 ? OLD_NODE : undefined;
      const { signal, reaches } = KILLS[kill % KILLS.length]!;
      // Two of three begin with what a kill has left.
      if (kill % 3 === 0) wipe();
      const { child, ended } = start(clone, node === undefined ? {} : { node });
      const moment = random() * duration * (node === undefined ? 1 : 1.7);
      const timer = setTimeout(() => process.kill(reaches === "all" ? -child.pid! : child.pid!, signal), moment);
      const { code } = await ended;
      clearTimeout(timer);
      counts[code === 0 ? "overBefore" : "killed"]++;
      if (!IS_LONG || kill % 3 < 2) continue;
      await expectWhole(clone, whole, node);
      counts.repaired++;
    }
    expect(counts.killed, JSON.stringify(counts)).toBeGreaterThan(0);
  });

  it("does its work once when two begin at the same time, after one that was killed", async () => {
    if (IS_LONG) wipe();
    const runs = await Promise.all([start(clone).ended, start(clone).ended]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const said = runs.map((one) => one.said).join("");
    for (const work of ["Installing", "Building"]) expect(said.split(work).length, said).toBeLessThanOrEqual(2);
    await expectWhole(clone, whole);
  });

  it("is repaired when files are missing from a package, are cut off, or a whole package is gone", async () => {
    const packages = join(clone, "node_modules");
    rmSync(join(packages, "pdfjs-dist", "legacy", "build", "pdf.worker.mjs"));
    truncateSync(join(packages, "yaml", "package.json"), 10);
    rmSync(join(packages, "@modelcontextprotocol"), { recursive: true });
    const said = await expectWhole(clone, whole);
    expect(said).toMatch(/^node_modules is incomplete: \S+ and \d+ more files are missing or cut off\. Installing/m);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect((await expectWhole(clone, whole)).trim()).toBe("");
  });

  it.runIf(IS_LONG)(
    "is repaired when a file is missing from the program, or packages come from elsewhere",
    async () => {
      rmSync(join(clone, "dist", "pdf-process.mjs"));
      expect(await expectWhole(clone, whole)).toBe(
        "dist is incomplete: pdf-process.mjs is missing or cut off. Building the program into dist.\n",
      );
      rmSync(join(clone, ".node", "lists"), { recursive: true });
      expect(await expectWhole(clone, whole)).toMatch(/^It is not known whether node_modules is complete\. Installing/);
    },
  );

  it("says so when the network goes in the middle, and the next one goes on", async () => {
    wipe();
    const cache = temporaryFolder();
    registry.cutAfter(40);
    const { code, said } = await start(clone, { cache }).ended;
    registry.cutAfter(Infinity);
    expect(code).not.toBe(0);
    expect(said).toContain("The packages could not be installed. This is done once, and needs the network.");
    expect(existsSync(join(clone, "node_modules"))).toBe(false);
    expect(readdirSync(join(clone, ".node", "drafts"))).toEqual([]);
    if (IS_LONG) await expectWhole(clone, whole);
  });

  it("leaves nothing behind on a full disk, and goes on when there is room", async ({ skip }) => {
    const disk = join(temporaryFolder(), "disk");
    if (!mountSmallDisk(disk, 60)) skip("no disk can be mounted here");
    const small = freshClone(join(disk, "clone"));
    const cache = join(dirname(clone), "cache");
    const { code } = await start(small, { cache }).ended;
    expect(code).not.toBe(0);
    expect(MADE.flatMap((made) => (made === ".node" ? [] : [existsSync(join(small, made))]))).toEqual([false, false]);
    if (!IS_LONG) return;
    execFileSync("mount", ["-o", "remount,size=300m", disk]);
    const after = await start(small, { cache }).ended;
    expect(after.code, after.said).toBe(0);
    expect(Object.keys(filesOf(small)).toSorted()).toEqual(Object.keys(whole).toSorted());
  });
});
