// The program goes on if nobody reads its log any more, as after the end of a
// program that collected it; over stdio it ends if nobody reads its answers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { NODE } from "../../processes/child.ts";
import { atTheEnd, environmentIn, PROGRAM, temporaryFolder, TOKEN } from "../../processes/program.ts";

function start(...args: string[]) {
  const home = temporaryFolder();
  const env = { ...environmentIn(home), COMMONPLACE_TOKEN: TOKEN };
  const child = spawn(NODE, [PROGRAM, "serve", ...args, "--home", home], { cwd: home, env });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  child.stdin.on("error", () => {});
  child.stderr.destroy();
  atTheEnd(async () => {
    child.kill();
    await ended;
  });
  return { child, ended };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

it("a server over HTTP goes on serving without a reader of its log", async () => {
  const port = await freePort();
  // It logs that it serves.
  const { child, ended } = start("--http", String(port));
  const isServing = async (): Promise<boolean> => {
    while (child.exitCode === null) {
      const answered = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (answered !== undefined) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  };
  expect(await isServing()).toBe(true);
  // After the message: a failed write is reported in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await isServing()).toBe(true);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("a server over stdio goes on without a reader of its log, and ends without one of its answers", async () => {
  const { child, ended } = start();
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = (line: string) => child.stdin.write(`${line}\n`);
  for (let i = 1; i <= 3; i++) {
    // What is refused is logged.
    ask("nonsense");
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ error: { code: -32700 } });
    ask(JSON.stringify({ jsonrpc: "2.0", id: i, method: "ping" }));
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ id: i });
  }
  child.stdout.destroy();
  ask("nonsense");
  await ended;
});
