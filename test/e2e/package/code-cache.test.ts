// What V8 compiled of the program is kept for the next start, and never trusted
// blindly.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMPILED_IN_HOME, connectStdio, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";

const isLinux = process.platform === "linux";

/** Where it is kept, what is there, and a run of the program that has to end well. */
function setUp() {
  const home = temporaryFolder();
  const folder = join(home, ".cache", "commonplace", "compiled");
  return {
    home,
    folder,
    kept: () => (existsSync(folder) ? readdirSync(folder) : []),
    run: async (env: Record<string, string> = {}) => {
      const { code, stdout } = await runProgram(["--version"], { home, env: { ...COMPILED_IN_HOME, ...env } });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^commonplace \d/) });
    },
    call: async () => {
      const client = await connectStdio(home, ERAS["2025-11-25 and before"], [], { env: COMPILED_IN_HOME });
      await client.callTool({ name: "get_server_version" });
      await client.close();
    },
  };
}

describe.runIf(isLinux)("the compiled program", () => {
  it("is saved once, for its owner only", async () => {
    const { run, kept, folder } = setUp();
    await run();
    const [name, ...others] = kept();
    expect(name).toMatch(/-start$/);
    expect(others).toEqual([]);
    const file = join(folder, name!);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    const { ino } = statSync(file);
    await run();
    expect(statSync(file).ino).toBe(ino);
  });

  it("is saved again after the first call, with the code of that call", async () => {
    const { run, call, kept, folder } = setUp();
    await run();
    const { size } = statSync(join(folder, kept()[0]!));
    await call();
    expect(kept()).toEqual([expect.stringMatching(/-call$/)]);
    expect(statSync(join(folder, kept()[0]!)).size).toBeGreaterThan(size);
    await run();
    expect(kept()).toHaveLength(1);
  });

  it("is saved by a server that ends soon after much work, too", async () => {
    const { run, kept, home } = setUp();
    await run();
    const vault = join(home, "vault");
    mkdirSync(vault);
    for (let i = 0; i < 300; i++) writeFileSync(join(vault, `${i}.md`), `tide ${"moon salt wave ".repeat(300)}`);
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], ["--vault", vault], {
      env: COMPILED_IN_HOME,
    });
    // Enough garbage for V8 to collect.
    const searches = Array.from({ length: 15 }, () =>
      client.callTool({ name: "search", arguments: { query: "tide moon", limit: 50 } }),
    );
    await Promise.all(searches);
    await client.close();
    expect(kept()).toEqual([expect.stringMatching(/-call$/)]);
  });

  it.each<[string, (file: string) => void]>([
    ["has other bytes", (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 1000, 2000))],
    ["is cut off", (file) => truncateSync(file, 1000)],
    ["is empty", (file) => truncateSync(file, 0)],
  ])("is written again if it %s", async (_, damage) => {
    const { run, kept, folder } = setUp();
    await run();
    const file = join(folder, kept()[0]!);
    const whole = statSync(file).size;
    damage(file);
    const { ino } = statSync(file);
    await run();
    expect(statSync(file).ino).not.toBe(ino);
    expect(statSync(file).size).toBeGreaterThan(whole / 2);
    await run();
  });

  it("of another release is deleted after a month", async () => {
    const { run, kept, folder } = setUp();
    await run();
    const current = kept()[0]!;
    const [old, young] = ["v22.1.0", "v22.2.0"].map((version) => current.replace(/^v[\d.]+/, version));
    for (const name of [old!, young!, "another's"]) writeFileSync(join(folder, name), "");
    const monthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    for (const name of [old!, "another's"]) utimesSync(join(folder, name), monthAgo, monthAgo);
    truncateSync(join(folder, current), 0);
    await run();
    expect(kept().toSorted()).toEqual([current, young, "another's"].toSorted());
  });

  it("is neither used nor saved in a folder that others can write: they could plant code", async () => {
    const { run, kept, folder } = setUp();
    await run();
    const file = join(folder, kept()[0]!);
    const { ino } = statSync(file);
    chmodSync(file, 0o666);
    await run();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).ino).not.toBe(ino);
    rmSync(file);
    chmodSync(folder, 0o777);
    await run();
    expect(kept()).toEqual([]);
  });

  it("is not saved if Node's own compile cache is disabled", async () => {
    const { run, kept } = setUp();
    await run({ NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(kept()).toEqual([]);
  });

  it("is not required if nothing can be written", async () => {
    const { run, home, kept } = setUp();
    writeFileSync(join(home, ".cache"), "a file in the way");
    await run();
    expect(kept()).toEqual([]);
  });
});
