// Where the server over HTTP is found: what it prints, who has a port that is
// taken, and that an address is the same after a restart.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { NODE } from "../../processes/child.ts";
import {
  atTheEnd,
  collect,
  environmentIn,
  PROGRAM,
  runProgram,
  temporaryFolder,
  type Ended,
} from "../../processes/program.ts";

interface Running {
  readonly url: string;
  readonly port: number;
  /** Once it has said everything. */
  readonly stop: () => Promise<Ended>;
}

/** Starts the program on a port of its choice, or on this one. */
async function serve(home: string, ...args: string[]): Promise<Running> {
  const child = spawn(NODE, [PROGRAM, "serve", "--http", ...args], { cwd: home, env: environmentIn(home) });
  const ended = collect(child);
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      said += text;
      const found = /serving on (\S+)\n[^]*the page is .*\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(`ended before it served: ${stderr}`)));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  atTheEnd(stop);
  return { url, port: Number(new URL(url).port), stop };
}

/** A program that is not ours. @returns its port; undefined where somebody else has that one */
function anotherProgram(port = 0): Promise<number | undefined> {
  const server: Server = createServer((_, response) => response.end("hello"));
  atTheEnd(() => server.close());
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const failing = (home: string, ...args: string[]) =>
  collect(spawn(NODE, [PROGRAM, "serve", "--http", ...args], { cwd: home, env: environmentIn(home) }));

describe("serve --http", () => {
  let home: string;
  const vaultIn = (name: string) => join(home, name);
  beforeAll(async () => {
    home = temporaryFolder();
    for (const name of ["first", "second"]) mkdirSync(vaultIn(name));
    // The usual port is taken for these tests, by us or by another program.
    await anotherProgram(4127);
  });

  it("says where the page is and where the token is kept, but not the token", async () => {
    const { url, stop } = await serve(home, "0");
    const { stderr } = await stop();
    const file = join(home, ".local", "share", "commonplace", "token");
    expect(stderr).toContain(
      `the page is ${new URL("/", url).href} and asks for the token, which is kept in ${file}\n`,
    );
    expect(stderr).not.toContain(readFileSync(file, "utf8").trim());
  });

  it("ends properly if it is stopped as soon as anybody can know that it serves, before it has said so", async () => {
    const own = temporaryFolder();
    const args = [PROGRAM, "serve", "--http", "--welcome", "--vault", vaultIn("first")];
    const child = spawn(NODE, args, { cwd: own, env: environmentIn(own) });
    atTheEnd(() => child.kill("SIGKILL"));
    const ended = collect(child);
    const records = join(own, ".local", "share", "commonplace", "serving");
    const isKnown = () => existsSync(records) && readdirSync(records).some((name) => name.endsWith(".json"));
    while (!isKnown() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect({ code, stderr, signal: child.signalCode }).toMatchObject({ code: 0, signal: null });
  });

  it("says that another program has the port", async () => {
    const port = (await anotherProgram())!;
    const { code, stderr } = await failing(home, String(port));
    expect(stderr).toContain(`Port ${port} is taken by another program.`);
    expect(code).toBe(2);
  });

  it("keeps the address of each vault over a restart, and says which program has a port", async () => {
    const [first, second] = [
      await serve(home, "--vault", vaultIn("first")),
      await serve(home, "--vault", vaultIn("second")),
    ];
    const taken = await failing(home, String(first.port), "--vault", vaultIn("second"));
    expect(taken.stderr).toContain(
      `Port ${first.port} is taken by commonplace, which serves the vault ${vaultIn("first")}.`,
    );
    const elsewhere = await failing(temporaryFolder(), String(first.port));
    expect(elsewhere.stderr).toContain("is taken by another commonplace, with a data folder of its own.");
    await Promise.all([first.stop(), second.stop()]);
    // In the other order.
    const secondAgain = await serve(home, "--vault", vaultIn("second"));
    const firstAgain = await serve(home, "--vault", vaultIn("first"));
    expect([firstAgain.url, secondAgain.url]).toEqual([first.url, second.url]);
    // A second server for the same vault says that the vault is served already.
    const third = await serve(home, "--vault", vaultIn("first"));
    const said = (await third.stop()).stderr;
    expect(said).toContain(
      `port ${first.port} is taken by commonplace, which serves the vault ${vaultIn("first")}: port ${third.port} is used instead`,
    );
    await Promise.all([firstAgain.stop(), secondAgain.stop()]);
  });

  it("is named by commands that used the guide's vault instead", async () => {
    const guide = await runProgram(["search", "welcome"], { home: temporaryFolder() });
    expect(guide.stderr).not.toContain("--vault");
    await (await serve(home, "--vault", vaultIn("first"))).stop();
    for (const args of [["search", "xylophone"], ["history"]]) {
      const { stderr } = await runProgram(args, { home });
      expect(stderr).toContain(
        `No vault was named, so this is the guide's vault. For yours: --vault ${vaultIn("first")}`,
      );
      expect((await runProgram([...args, "--json"], { home })).stderr).not.toContain("Yours is");
      expect((await runProgram([...args, "--vault", vaultIn("first")], { home })).stderr).not.toContain("Yours is");
    }
  });

  it("does not reuse a port that was named once", async () => {
    const before = await serve(home, "--vault", vaultIn("first"));
    await before.stop();
    const named = await serve(home, String((await freePort())!), "--vault", vaultIn("first"));
    await named.stop();
    const after = await serve(home, "--vault", vaultIn("first"));
    expect(after.url).toBe(before.url);
    await after.stop();
  });
});

function freePort(): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
