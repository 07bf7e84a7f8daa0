// The state of the disk when an event is reported.
import { fstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Statement } from "./event.ts";
import { openLog } from "./event-log.ts";

const synced = vi.hoisted(() => [] as number[]);

vi.mock("../../files/disk/sync.ts", async (original) => {
  type Sync = (file: number) => Promise<void>;
  const { sync } = await original<{ sync: Sync }>();
  const recording = async (file: number) => {
    await sync(file);
    synced.push(fstatSync(file).ino);
  };
  return { sync: recording, syncBeside: recording };
});

const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-log-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => void (synced.length = 0));

const vault = join(home, "vault");
mkdirSync(vault);
const folder = join(vault, ".commonplace", "memory");
const log = openLog({ folder: { path: folder, isInVault: true }, device: "0a1b2c3d", check: () => {} });
const event = (): Statement => ({ type: "session", of: "s", set: {}, weight: "said", ...log.moment() });
const inodes = (...paths: string[]) => paths.map((path) => statSync(path).ino).toSorted();

test.skipIf(process.platform === "win32")(
  "the first event is synced with its file and the folders that were created for it",
  async () => {
    await log.appendDurably([event()]);
    const file = join(folder, readdirSync(folder)[0]!);
    expect(synced.toSorted()).toEqual(inodes(file, folder, join(vault, ".commonplace"), vault));
  },
);

test.skipIf(process.platform === "win32")(
  "the next events are synced with the file alone, and a trace is not synced",
  async () => {
    await log.appendDurably([event()]);
    expect(synced).toEqual(inodes(join(folder, readdirSync(folder)[0]!)));
    synced.length = 0;
    log.append([event()]);
    expect(synced).toEqual([]);
  },
);
