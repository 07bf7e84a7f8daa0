// A full disk of the home, of which our own caches take most: they give way, so that
// changes and undo go on. Each on a real small disk, with the packed program.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  appendFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";

afterAll(unmountAll);

const disk = join(temporaryFolder(), "disk");
const hasDisk = mountSmallDisk(disk, 12);

/** Takes all room that is left, as other programs do. */
function fill(file: string): void {
  for (const bytes of [65_536, 4096, 512]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes, 1));
    } catch {
      // Full.
    }
  }
}

const bytesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    : 0;

describe.skipIf(!hasDisk)("a full disk of the home (needs permission to mount one)", () => {
  test.each([
    ["the vault elsewhere", false],
    ["the vault on it", true],
  ])("gives changes and undo the room that our caches took, with %s", async (_, isVaultThere) => {
    const base = temporaryFolder();
    const home = join(disk, "home");
    const vault = join(isVaultThere ? disk : base, "Notes");
    mkdirSync(vault);
    const words = (i: number) =>
      Array.from({ length: 250 }, (_, word) => `w${(i * 250 + word).toString(36)}`).join(" ");
    for (let i = 0; i < (isVaultThere ? 150 : 400); i++) writeFileSync(join(vault, `${i}.md`), words(i));
    const note = join(vault, "0.md");
    const before = readFileSync(note, "utf8");
    const args = ["--home", home, "--vault", vault];
    const client = await connectStdio(base, ERAS["2025-11-25 and before"], args);
    const call = async (name: string, sent: object) => {
      const { isError, content } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
      return { isError: isError === true, text: JSON.stringify(content) };
    };
    await call("contentManager_appendContent", { filePath: "0.md", content: "one" });
    await call("search", { query: "w1" });
    await call("contentManager_appendContent", { filePath: "0.md", content: "two" });
    const inCache = bytesIn(join(home, "cache"));
    expect(inCache).toBeGreaterThan(500_000);
    fill(join(disk, "filler"));
    expect(statfsSync(disk).bavail).toBe(0);
    expect(await call("undo", {})).toMatchObject({ isError: false });
    expect(await call("undo", {})).toMatchObject({ isError: false });
    expect(readFileSync(note, "utf8")).toBe(before);
    // Logs of databases go first, then the caches. Filled again until there is nothing of ours to give: refused, and
    // nothing is changed.
    let refused = { isError: false, text: "" };
    let last = before;
    for (let round = 0; round < 10 && !refused.isError; round++) {
      fill(join(disk, "filler"));
      last = readFileSync(note, "utf8");
      refused = await call("contentManager_appendContent", { filePath: "0.md", content: "x".repeat(2_000_000) });
    }
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/full/);
    expect(readFileSync(note, "utf8")).toBe(last);
    expect(bytesIn(join(home, "cache"))).toBeLessThan(inCache / 2);
    await client.close();
    rmSync(join(disk, "filler"));
    // What was dropped is built again.
    const { stdout } = await runProgram(["search", "w1", ...args], { home: base });
    expect(stdout).toContain("0.md");
    for (const folder of [home, vault]) rmSync(folder, { recursive: true });
  });
});
