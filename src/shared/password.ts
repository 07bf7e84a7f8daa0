// Finds the password of a store: in its address, PGPASSWORD, or the
// password file that psql reads too. Used by store.ts.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { codeOf, readText } from "../files/files.ts";
import { operatingSystem, Problem } from "../kernel/kernel.ts";
import type { StoreAddress } from "./address.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Asked for only if the database wants one. Throws if there is none. */
export function passwordFor(address: StoreAddress, environment: Environment = process.env): string {
  const found = address.password ?? (environment["PGPASSWORD"] || passwordInFile(address, environment));
  if (found !== undefined) return found;
  throw new Problem("denied", `The database wants a password for the login ${address.login}.`, PASSWORD_PLACES);
}

export const PASSWORD_PLACES = "The password is taken from COMMONPLACE_STORE, PGPASSWORD or ~/.pgpass.";

function passwordInFile(address: StoreAddress, environment: Environment): string | undefined {
  const isWindows = operatingSystem().family === "win32";
  const file =
    environment["PGPASSFILE"] ||
    (isWindows
      ? join(environment["APPDATA"] ?? "", "postgresql", "pgpass.conf")
      : join(environment["HOME"] || homedir(), ".pgpass"));
  let text: string;
  try {
    // As psql does: a file that others can read is not used.
    if (!isWindows && (statSync(file).mode & 0o077) !== 0) return undefined;
    text = readText(file, { followsLinks: true });
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(codeOf(error))) return undefined;
    throw error;
  }
  const wanted = [address.host, String(address.port), address.database, address.login];
  for (const line of text.split(/\r?\n/)) {
    // A backslash escapes a colon or a backslash.
    const [, ...fields] = FIELDS.exec(line)?.map((field) => field.replaceAll(/\\(.)/g, "$1")) ?? [];
    const password = fields.pop();
    if (password !== undefined && wanted.every((value, i) => fields[i] === "*" || fields[i] === value)) return password;
  }
  return undefined;
}

/** host:port:database:login:password */
const FIELDS = /^(?!#)((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.*)$/;
