// Stands for Windows' Node: its arguments, standard streams and exit code are
// those of that Node in Wine (see inside.cjs).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";

/** @import { AddressInfo, Socket } from "node:net" */

const [wine = "", node = "", ...args] = process.argv.slice(2);
process.exitCode = await runInWine();

async function runInWine() {
  const [stdin, stdout, stderr, exit] = await Promise.all([listen(), listen(), listen(), listen()]);
  const ports = [stdin, stdout, stderr, exit].map(({ port }) => port).join(",");
  const inside = `Z:${join(import.meta.dirname, "inside.cjs").replaceAll("/", "\\")}`;
  const child = spawn(wine, [node, inside, ports, ...args], { stdio: "ignore" });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT"])) process.on(signal, () => child.kill(signal));
  void stdin.socket.then((socket) => process.stdin.pipe(socket));
  const ended = Promise.all([carried(stdout, process.stdout), carried(stderr, process.stderr), textOf(exit)]);
  const [wineCode] = await once(child, "exit");
  for (const { server } of [stdin, stdout, stderr, exit]) server.close();
  process.stdin.destroy();
  // Where Wine ends before it has connected, nothing is to be waited for.
  const [, , code] = wineCode === 0 ? await ended : [];
  return code === undefined || !/^\d+$/.test(code) ? 1 : Number(code);
}

/** A port for one stream. */
async function listen() {
  const server = createServer();
  /** @type {Promise<Socket>} */
  const socket = once(server, "connection").then(([connected]) => connected.on("error", () => {}));
  socket.catch(() => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, socket, port: /** @type {AddressInfo} */ (server.address()).port };
}

/** @param {{ socket: Promise<Socket> }} from @param {NodeJS.WriteStream} stream */
async function carried({ socket }, stream) {
  for await (const bytes of await socket) if (!stream.write(bytes)) await once(stream, "drain");
}

/** @param {{ socket: Promise<Socket> }} from */
async function textOf({ socket }) {
  let text = "";
  for await (const bytes of await socket) text += bytes;
  return text;
}
