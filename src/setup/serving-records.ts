// Records in the data folder which vault was served over HTTP on which port, so
// that a printed address stays valid after a restart, a taken port can be
// explained, and connect can suggest the vault that was served last.
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { makeOwnFolder, readText, writeOwnFile } from "../files/files.ts";
import { isRunning, log } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";

interface ServingRecord {
  readonly port: number;
  readonly vault: string;
  /** The user named no vault. */
  readonly isGuide: boolean;
  /** The user named the port for this one start. */
  readonly isNamed: boolean;
  readonly process: number;
  /** When it was first served there, in milliseconds. */
  readonly first: number;
  /** When it was last served there. */
  readonly last: number;
}

/** Time limit for the program on a taken port to identify itself, in milliseconds. */
const ANSWER_TIME = 2_000;

const folderOf = ({ folders }: Pick<Settings, "folders">) => join(folders.data, "serving");

export function servingRecords(settings: Pick<Settings, "folders">): readonly ServingRecord[] {
  const folder = folderOf(settings);
  return namesIn(folder).flatMap((name) => recordIn(folder, name));
}

function recordIn(folder: string, name: string): ServingRecord[] {
  try {
    const path = join(folder, name);
    const record = JSON.parse(readText(path)) as Omit<ServingRecord, "port" | "last">;
    if (typeof record.vault !== "string") return [];
    return [{ ...record, port: Number.parseInt(name, 10), last: statSync(path).mtimeMs }];
  } catch {
    // A damaged record is rewritten when the port is used again.
    return [];
  }
}

/** The ports on which this vault was served without being named, in the order in which they were first used. */
export function portsBefore(settings: Settings): number[] {
  const own = servingRecords(settings).filter(({ vault, isNamed }) => vault === settings.vault && !isNamed);
  return own.toSorted((a, b) => a.first - b.first).map(({ port }) => port);
}

export function keepServingRecord(settings: Settings, port: number, isNamed: boolean): void {
  const before = servingRecords(settings).find((record) => record.port === port && record.vault === settings.vault);
  const record = {
    vault: settings.vault,
    isGuide: settings.origins.vault === "default",
    isNamed: isNamed && before?.isNamed !== false,
    process: process.pid,
    first: before?.first ?? Date.now(),
  };
  const path = join(folderOf(settings), `${port}.json`);
  const draft = `${path}.${process.pid}`;
  try {
    makeOwnFolder(folderOf(settings));
    rmSync(draft, { force: true });
    writeOwnFile(draft, JSON.stringify(record));
    renameSync(draft, path);
  } catch (error) {
    log(`cannot record which vault is served on port ${port}: ${(error as Error).message}`);
  }
}

/** Describes the program on a taken port. Sends no token, since it may be any program. */
export async function holderOf(settings: Settings, host: string, port: number): Promise<string> {
  if (!(await isCommonplace(host, port))) return "another program";
  const record = servingRecords(settings).find((each) => each.port === port && isRunning(each.process));
  return record === undefined
    ? "another commonplace, with a data folder of its own"
    : `commonplace, which serves the vault ${record.vault}`;
}

function isCommonplace(host: string, port: number): Promise<boolean> {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  return new Promise((resolve) => {
    const request = get({ host: everywhere[host] ?? host, port, path: "/", timeout: ANSWER_TIME }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        body += part;
        if (body.length > 1_000) response.destroy();
      });
      response.on("close", () => resolve(body.startsWith('{"name":"commonplace"')));
    });
    request.on("timeout", () => request.destroy()).on("error", () => resolve(false));
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}
