// A process that tests kill: it runs operations one after the other and reports
// each when it is done, or only recovers what another left. On request it kills
// itself before its n-th system call.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { everythingIn } from "../../fixtures/vault-content.ts";

export interface Orders {
  readonly folder: string;
  readonly journals: string;
  readonly seed: number;
  readonly from: number;
  /** None: only the lock is taken, and with it recovered what was left. */
  readonly count: number;
  readonly killAt?: number;
  /** As on exFAT, which knows no hard links. */
  readonly withoutLinks?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as Orders;

/** Whatever changes something on the disk. */
const CALLS = [
  "openSync",
  "writeSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "rmdirSync",
  "fsync",
] as const;

if (orders.withoutLinks) {
  fs.linkSync = () => {
    throw Object.assign(new Error("no links"), { code: "EISDIR" });
  };
  syncBuiltinESMExports();
}
if (orders.killAt !== undefined) {
  let left = orders.killAt;
  const killBefore = (holder: object, name: string) => {
    const call = Reflect.get(holder, name) as (...values: unknown[]) => unknown;
    Reflect.set(holder, name, function (this: unknown, ...values: unknown[]) {
      if (left-- === 0) process.kill(process.pid, "SIGKILL");
      return Reflect.apply(call, this, values);
    });
  };
  for (const name of CALLS) killBefore(fs, name);
  syncBuiltinESMExports();
  const { DatabaseSync, StatementSync } = process.getBuiltinModule("node:sqlite");
  killBefore(DatabaseSync.prototype, "exec");
  for (const name of ["run", "get"]) killBefore(StatementSync.prototype, name);
}

const { openVaultRoot } = await import("../../../src/files/vault/vault-root.ts");
const { openJournal } = await import("../../../src/journal/journal.ts");
const { operation } = await import("./operations.ts");

const root = openVaultRoot(orders.folder);
const journal = openJournal(orders.journals, root, { log: () => {} });
await journal.change({ tool: "recover" }, () => ({ message: "", steps: [] }));
fs.writeSync(1, "ready\n");
for (let index = orders.from; index < orders.from + orders.count; index++) {
  const planned = operation(orders.seed, index, everythingIn(orders.folder));
  if (typeof planned === "string") await journal[planned]();
  else await journal.change({ tool: "fault" }, () => ({ message: `operation ${index}`, steps: planned.steps }));
  fs.writeSync(1, `${index}\n`);
}
