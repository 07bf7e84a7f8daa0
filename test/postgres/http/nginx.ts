// A real nginx in front of several servers, with an address and a folder of its
// own. Used by the tests in this folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findNginx } from "../../../scripts/nginx.mjs";
import { atTheEnd } from "../../temporary-folder.ts";
import { MUST_NOT_SKIP } from "../../tiers.ts";

export const NGINX = findNginx();
// Where it can be installed.
if (NGINX === undefined && MUST_NOT_SKIP && process.platform === "linux")
  throw new Error("There is no nginx here, and its tests must not be skipped in CI.");

export interface Proxy {
  /** The address under which clients reach the servers. */
  readonly origin: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** The configuration of compose.shared.yaml, without TLS, and with other addresses and folders. */
function configuration(folder: string, port: number, servers: readonly number[]): string {
  const shipped = readFileSync(join(import.meta.dirname, "../../../docker/nginx.conf"), "utf8");
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^/, "daemon off; master_process off;\n"],
    [/\/tmp\//g, `${folder}/`],
    [/\/dev\/stderr/, `${folder}/error.log`],
    [/server server:4127 (.*;)/, servers.map((each) => `server 127.0.0.1:${each} $1`).join("\n")],
    [/listen 8443 ssl;/, `listen 127.0.0.1:${port};`],
    [/^ *ssl_.*\n/gm, ""],
  ];
  return changes.reduce((text, [from, to]) => text.replace(from, to), shipped);
}

export async function startNginx(port: number, servers: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-nginx-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration(folder, port, servers));
  const child = spawn(NGINX!, ["-p", folder, "-c", file], { stdio: "ignore" });
  const ended = once(child, "exit");
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      void once(socket, "connect").then(
        () => socket.destroy(),
        () => {},
      );
    });
    if (isOpen) break;
    if (child.exitCode !== null) throw new Error("nginx ended before it answered.");
    await pause(20);
  }
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  atTheEnd(stop);
  return { origin: `http://127.0.0.1:${port}`, port, stop };
}
