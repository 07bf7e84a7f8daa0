import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryName } from "../../files/disk/atomic.ts";
import { moveLog } from "./log-transfer.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-carrying-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const OWN = "0a1b2c3d-2026-01.jsonl";
let count = 0;

/** A log in a vault, and its place in the data folder. */
function newLog(files: Readonly<Record<string, string>>) {
  const vault = join(root, String(count++));
  const inVault = { path: join(vault, ".commonplace", "memory"), isInVault: true };
  const atHome = { path: join(vault, "..", `data ${count}`, "memory", "of it"), isInVault: false };
  mkdirSync(inVault.path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inVault.path, name), text);
  const device = () => "0a1b2c3d";
  return {
    vault,
    inVault,
    atHome,
    out: () => moveLog({ from: inVault, to: atHome, device }),
    back: () => moveLog({ from: atHome, to: inVault, device }),
  };
}

const textsIn = ({ path }: { readonly path: string }) =>
  existsSync(path)
    ? readdirSync(path)
        .map((name) => readFileSync(join(path, name), "utf8"))
        .toSorted()
    : undefined;

describe("moving the log", () => {
  it("moves every file of this device and of no device, and leaves no folder behind", async () => {
    const { out, atHome, vault } = newLog({ [OWN]: "a\n", "0a1b2c3d-2025-12 (copy).jsonl": "b\n", "odd.jsonl": "c\n" });
    expect(await out()).toBe(3);
    expect(textsIn(atHome)).toEqual(["a\n", "b\n", "c\n"]);
    expect(readdirSync(vault)).toEqual([]);
    expect(await out()).toBe(0);
  });

  it("removes empty folders that a killed process left", async () => {
    const { out, vault, inVault } = newLog({});
    await out();
    expect(readdirSync(vault)).toEqual([]);
    mkdirSync(join(inVault.path, ".."));
    await out();
    expect(readdirSync(vault)).toEqual([]);
  });

  it("leaves other files, and files of other devices", async () => {
    const { out, inVault } = newLog({ [OWN]: "a\n", "ffffffff-2026-01.jsonl": "b\n", "readme.md": "c" });
    expect(await out()).toBe(1);
    expect(readdirSync(inVault.path).toSorted()).toEqual(["ffffffff-2026-01.jsonl", "readme.md"]);
  });

  it("goes there and back under the same names, whatever a killed process left half-way", async () => {
    const { out, back, inVault, atHome } = newLog({ [OWN]: "a\n" });
    await out();
    const [name] = readdirSync(atHome.path);
    // Killed before the file was removed that it had copied, and before a copy was whole.
    mkdirSync(inVault.path, { recursive: true });
    writeFileSync(join(inVault.path, OWN.replace(".jsonl", ".carried-0123456789abcdef.jsonl")), "a\n");
    writeFileSync(join(atHome.path, ".commonplace-0123456789ab.tmp"), "half");
    expect(await out()).toBe(1);
    expect(readdirSync(atHome.path)).toEqual([name]);
    expect(existsSync(inVault.path)).toBe(false);
    await back();
    expect(readdirSync(inVault.path)).toEqual([name]);
    expect(textsIn(inVault)).toEqual(["a\n"]);
  });

  it("replaces no file that has the name of the copy and other content", async () => {
    const { out, atHome, inVault } = newLog({ [OWN]: "a\n" });
    await out();
    appendFileSync(join(atHome.path, readdirSync(atHome.path)[0]!), "b\n");
    mkdirSync(inVault.path, { recursive: true });
    writeFileSync(join(inVault.path, OWN), "a\n");
    await out();
    expect(textsIn(atHome)).toEqual(["a\n", "a\nb\n"]);
  });

  it("keeps everything where it is if it cannot be written elsewhere", async () => {
    const { out, atHome, inVault } = newLog({ [OWN]: "a\n" });
    mkdirSync(join(atHome.path, "..", ".."), { recursive: true });
    writeFileSync(join(atHome.path, ".."), "a file in the way");
    await expect(out()).rejects.toThrow();
    expect(textsIn(inVault)).toEqual(["a\n"]);
  });

  it("follows no link into the vault or out of it", async () => {
    const { back, out, atHome, inVault, vault } = newLog({});
    mkdirSync(atHome.path, { recursive: true });
    writeFileSync(join(atHome.path, OWN), "a\n");
    const elsewhere = join(vault, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, OWN), "b\n");
    rmSync(inVault.path, { recursive: true });
    symlinkSync(elsewhere, inVault.path);
    await expect(back()).rejects.toThrow("its folder is a link to another");
    expect(await out()).toBe(0);
    expect([textsIn({ path: elsewhere }), textsIn(atHome)]).toEqual([["b\n"], ["a\n"]]);
  });

  it("creates and removes nothing if the folder of the program is a link", async () => {
    const { back, atHome, inVault, vault } = newLog({});
    mkdirSync(atHome.path, { recursive: true });
    const elsewhere = join(vault, "elsewhere");
    mkdirSync(join(elsewhere, "memory"), { recursive: true });
    const theirs = temporaryName();
    writeFileSync(join(elsewhere, "memory", theirs), "of another vault");
    rmSync(dirname(inVault.path), { recursive: true });
    symlinkSync(elsewhere, dirname(inVault.path));
    expect(await back()).toBe(0);
    expect(readdirSync(join(elsewhere, "memory"))).toEqual([theirs]);
    rmSync(join(elsewhere, "memory"), { recursive: true });
    mkdirSync(atHome.path, { recursive: true });
    writeFileSync(join(atHome.path, OWN), "a\n");
    await expect(back()).rejects.toThrow("its folder is a link to another");
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(atHome.path)).toEqual([OWN]);
  });

  it("does not create a vault that is gone", async () => {
    const { back, atHome, vault } = newLog({});
    mkdirSync(atHome.path, { recursive: true });
    writeFileSync(join(atHome.path, OWN), "a\n");
    rmSync(vault, { recursive: true });
    await expect(back()).rejects.toThrow();
    expect(existsSync(vault)).toBe(false);
    expect(textsIn(atHome)).toEqual(["a\n"]);
  });
});
