import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { callIn, newMemory } from "../../../test/fixtures/memories.ts";
import { Problem } from "../../kernel/problem.ts";
import { deviceName } from "./device.ts";
import { eventOf, type Statement } from "./event.ts";
import { NotKept } from "./log-folder.ts";
import { openLog } from "./event-log.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-log-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let count = 0;
function newLog() {
  const folder = join(home, String(count++), "memory");
  const log = openLog({ folder: { path: folder, isInVault: true }, device: "0a1b2c3d", check: () => {} });
  const say = (name: string): Statement => ({
    type: "session",
    of: "s",
    set: { name },
    weight: "said",
    ...log.moment(),
  });
  const file = () => join(folder, readdirSync(folder)[0]!);
  const names = () =>
    readFileSync(file(), "utf8")
      .split("\n")
      .flatMap((line) => (eventOf(line) as Statement | undefined)?.set["name"] ?? []);
  return { log, folder, say, file, names };
}

describe("the log", () => {
  it("is one file per device and month, created by the first event", () => {
    const { log, folder, say, names } = newLog();
    expect(existsSync(folder)).toBe(false);
    log.append([say("a")]);
    log.append([say("b"), say("c")]);
    expect(readdirSync(folder)).toEqual([`0a1b2c3d-${new Date().toISOString().slice(0, 7)}.jsonl`]);
    expect(names()).toEqual(["a", "b", "c"]);
  });

  it("loses only a line that was torn, never the one after it", async () => {
    const { log, say, file, names } = newLog();
    log.append([say("a")]);
    appendFileSync(file(), '{"v":1,"id":"torn","at":1,"type":"sess');
    log.append([say("b")]);
    appendFileSync(file(), "x");
    await log.appendDurably([say("c")]);
    expect(names()).toEqual(["a", "b", "c"]);
    expect(readFileSync(file(), "utf8")).toContain('"torn"');
  });

  it("gives each event a unique id, and times that never go back", () => {
    const { log } = newLog();
    const moments = Array.from({ length: 1000 }, () => log.moment());
    expect(new Set(moments.map(({ id }) => id)).size).toBe(1000);
    expect(moments).toEqual(moments.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)));
    const later = Date.now() + 60_000;
    expect(log.moment(later).at).toBe(later);
    // Later events are not in the future because of it.
    expect(log.moment().at).toBeLessThan(later);
  });

  it("is created again when its folder was deleted, but not if the vault is gone", () => {
    const { log, folder, say } = newLog();
    log.append([say("a")]);
    rmSync(folder, { recursive: true });
    log.append([say("b")]);
    expect(readdirSync(folder)).toHaveLength(1);
    const gone = openLog({
      folder: { path: join(home, "gone", "memory"), isInVault: true },
      device: "0a1b2c3d",
      check: () => {
        throw new Problem("not_found", "The vault folder is missing");
      },
    });
    expect(() => gone.append([say("c")])).toThrow("The vault folder is missing");
    expect(existsSync(join(home, "gone"))).toBe(false);
  });

  it("does not follow a link out of the vault", () => {
    const { log, folder, say } = newLog();
    mkdirSync(join(home, "elsewhere"));
    mkdirSync(join(folder, ".."));
    symlinkSync(join(home, "elsewhere"), folder);
    expect(() => log.append([say("a")])).toThrow("its folder is a link to another");
    expect(readdirSync(join(home, "elsewhere"))).toEqual([]);
  });

  it.each([
    ["a folder elsewhere", true],
    ["nothing yet", false],
  ])("makes nothing behind a link that the folder above it is: to %s", (_, isThere) => {
    const { log, folder, say } = newLog();
    const elsewhere = join(home, `elsewhere ${count}`);
    if (isThere) mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folder, ".."));
    expect(() => log.append([say("a")])).toThrow("its folder is a link to another");
    expect(existsSync(elsewhere) ? readdirSync(elsewhere) : []).toEqual([]);
  });

  it("writes nothing behind a link that replaces a folder after the first line", () => {
    for (const swapped of ["folder", "above"] as const) {
      const { log, folder, say } = newLog();
      log.append([say("a")]);
      const elsewhere = join(home, `swapped ${swapped}`);
      mkdirSync(join(elsewhere, "memory"), { recursive: true });
      const place = swapped === "folder" ? folder : join(folder, "..");
      renameSync(place, `${place} aside`);
      symlinkSync(elsewhere, place);
      expect(() => log.append([say("b")])).toThrow("its folder is a link to another");
      expect(readdirSync(elsewhere, { recursive: true })).toEqual(["memory"]);
    }
  });

  it("reports why it could not be written", () => {
    const { log, folder, say } = newLog();
    writeFileSync(join(folder, ".."), "", { flag: "a" });
    expect(() => log.append([say("a")])).toThrow(NotKept);
    expect(() => log.append([say("a")])).toThrow(/^Memory could not be written: .*ENOTDIR/);
  });
});

it("memory beside the vault, in a folder whose name begins like the vault's, may be behind a link", () => {
  const memory = newMemory();
  mkdirSync(join(memory.home, "disk"));
  symlinkSync(join(memory.home, "disk"), `${memory.vaultFolder}-data`);
  const folder = join(`${memory.vaultFolder}-data`, "memory");
  const places = { ...memory.places, log: { path: folder, isInVault: false } };
  expect(memory.open("one", { places }).leaveTrace(callIn("s"))).toBeUndefined();
  expect(readdirSync(join(memory.home, "disk", "memory"))).toHaveLength(1);
});

describe("the name of a device", () => {
  it("is created once, and stored", () => {
    const folder = join(home, "data");
    const name = deviceName(folder);
    expect(name).toMatch(/^[0-9a-f]{8}$/);
    expect(deviceName(folder)).toBe(name);
    expect(deviceName(join(home, "other"))).not.toBe(name);
  });

  it("differs for each process if it cannot be stored or is invalid", () => {
    writeFileSync(join(home, "file"), "");
    expect(deviceName(join(home, "file"))).toMatch(/^[0-9a-f]{8}$/);
    mkdirSync(join(home, "odd"));
    writeFileSync(join(home, "odd", "device"), "../../escape");
    expect(deviceName(join(home, "odd"))).toMatch(/^[0-9a-f]{8}$/);
  });
});
