// A machine with Windows, for end-to-end tests: Wine with Windows' Node, drives
// of its own, and no network but loopback if the system supports that.
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { findWine } from "../../scripts/windows/wine.mjs";
import { atTheEnd, collect, ERAS, PROGRAM, type Ended } from "./program.ts";

/** Wine and a busy machine are slow: no time is measured there. */
export const PATIENCE = { timeout: 300_000 };

const OUTSIDE = join(import.meta.dirname, "wine", "outside.mjs");
const SERVERS = join(import.meta.dirname, "wine", "servers.cjs");

export interface WindowsMachine {
  /** The user's home folder, on drive C:. */
  readonly home: string;
  /** The folder that is drive D:. */
  readonly folder: string;
  /** The folder that is drive E:, which is empty. */
  readonly emptyDrive: string;
  /** Runs the packed program to its end. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** Runs a script of Windows' Node to its end. */
  readonly script: (source: string) => Promise<Ended>;
  /**
   * Runs a script that may start the packed program itself, several at once.
   * @param source has `program` (its path), and `run`, `serve` and `serveHttp` of wine/servers.cjs
   * @returns what its last expression is, as JSON
   */
  readonly drive: (source: string) => Promise<unknown>;
  /** A client that started the packed program; it is closed with the machine. */
  readonly connect: (args: readonly string[]) => Promise<Client>;
}

/** Undefined without Wine. The machine is deleted after the tests of this file. */
export async function windowsMachine(): Promise<WindowsMachine | undefined> {
  const wine = findWine();
  if (wine === undefined) return undefined;
  const made = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-windows-")));
  const drives = { c: "prefix/drive_c", d: "D", e: "E" };
  const [system, folder, emptyDrive] = Object.values(drives).map((path) => join(made, path)) as [
    string,
    string,
    string,
  ];
  for (const drive of [system, folder, emptyDrive]) mkdirSync(drive, { recursive: true });
  const prefix = join(made, "prefix");
  // The system's own files are shared; registry, users and drives are this machine's.
  for (const name of readdirSync(wine.prefix))
    if (/\.reg$|^\.update/.test(name)) copyFileSync(join(wine.prefix, name), join(prefix, name));
  for (const name of readdirSync(join(wine.prefix, "drive_c")))
    if (name === "users")
      cpSync(join(wine.prefix, "drive_c", name), join(system, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(wine.prefix, "drive_c", name), join(system, name));
  mkdirSync(join(prefix, "dosdevices"));
  for (const [drive, path] of Object.entries({ ...drives, z: "/" }))
    symlinkSync(resolve(made, path), join(prefix, "dosdevices", `${drive}:`));

  const env = { ...wine.env, WINEPREFIX: prefix } as Record<string, string>;
  const server = await startServer(env);
  atTheEnd(async () => {
    spawnSync("wineserver", ["-k", "-w"], { env });
    server.kill();
    await server.ended;
    rmSync(made, { recursive: true, force: true });
  });

  const started = (args: readonly string[]) => [
    ...server.entering,
    process.execPath,
    OUTSIDE,
    wine.program,
    wine.node,
    ...args,
  ];
  const runNode = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const [command = "", ...rest] = started(args);
    return collect(spawn(command, rest, { cwd: folder, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] }));
  };
  return {
    home: join(system, "users", userInfo().username),
    folder,
    emptyDrive,
    run: (args, more) => runNode([onDriveZ(PROGRAM), ...args], more),
    script: (source) => runNode(["-e", source]),
    drive: async (source) => {
      const given = `const { run, serve, serveHttp } = require(${JSON.stringify(onDriveZ(SERVERS))});
        const program = ${JSON.stringify(onDriveZ(PROGRAM))};`;
      const { stdout, stderr, code } = await runNode([
        "-e",
        `(async () => { ${given}\n${source} })().then((result) => console.log(JSON.stringify(result)))`,
      ]);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    connect: async (args) => {
      const client = new Client({ name: "test", version: "1" }, ERAS["2025-11-25 and before"]);
      const [command = "", ...rest] = started([onDriveZ(PROGRAM), ...args]);
      const transport = new StdioClientTransport({ command, args: rest, cwd: folder, env, stderr: "ignore" });
      await client.connect(transport, PATIENCE);
      atTheEnd(() => client.close());
      return client;
    },
  };
}

/** A path of Linux, as Windows calls it. */
export function onDriveZ(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}

/**
 * Wine's server makes the sockets of all that runs on the machine, so that it
 * decides which network there is.
 */
async function startServer(env: Record<string, string>) {
  const isAlone = spawnSync("unshare", ["-n", "ip", "link", "set", "lo", "up"]).status === 0;
  const alone = isAlone ? ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"] : [];
  const [command = "", ...args] = [...alone, "wineserver", "-f", "-p"];
  const server = spawn(command, args, { env, stdio: "ignore" });
  const ended = new Promise<void>((end) => void server.on("close", () => end()));
  // Loopback is up when the server has taken the place of the shell.
  while (server.exitCode === null && !nameOf(server.pid).startsWith("wineserver")) await pause(10);
  const entering = isAlone ? ["nsenter", `--net=/proc/${server.pid}/ns/net`] : [];
  return { kill: () => server.kill(), ended, entering };
}

/** Empty if the process has none any more. */
function nameOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}
