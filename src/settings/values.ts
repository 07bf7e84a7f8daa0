// A value of a setting as it was given, and the readers that check it: each throws
// a problem that names the origin of a wrong value and the right ones. Used by
// settings.ts and vaults.ts.
import { homedir } from "node:os";
import { delimiter, isAbsolute, resolve } from "node:path";
import { expandHome, isLoopback, nearest, Problem } from "../kernel/kernel.ts";

/** A value, and where it comes from in words. */
export interface Given {
  readonly value: unknown;
  readonly origin: string;
  /** The folder that relative paths start from. */
  readonly base: string;
}

/** Between several values of a variable: no path of Windows and hardly any other has it, and no drive letter does. */
export const SEPARATOR = "|";

export function pathFrom(given: Given): string {
  const path = textFrom(given);
  const expanded = expandHome(path, homedir());
  return isAbsolute(expanded) ? resolve(expanded) : resolve(given.base, expanded);
}

/** A list in the config file, or a string separated as PATH is. */
export function pathsFrom({ value, ...given }: Given): string[] {
  const paths = Array.isArray(value) ? (value as unknown[]) : String(value).split(delimiter);
  return paths.filter((path) => path !== "").map((path) => pathFrom({ ...given, value: path }));
}

export function textFrom({ value, origin }: Given): string {
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
  throw new Problem("invalid", `${origin} must be a non-empty string.`);
}

export function switchFrom({ value, origin }: Given): boolean {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (["1", "true", "yes", "on"].includes(word)) return true;
  if (["0", "false", "no", "off"].includes(word)) return false;
  throw new Problem("invalid", `${origin} is '${String(value)}', but must be true or false.`);
}

/** The name of a zone, which TZ can be set to: there, an offset such as +02:00 would mean UTC. */
export function timeZoneFrom({ value, origin }: Given): string {
  const sent = String(value);
  const [, sign, hours] = /^([+-])(\d\d)(?::?00)?$/.exec(sent) ?? [];
  // Such names have the sign of POSIX: behind UTC is positive.
  const named = hours === undefined ? sent : `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
  try {
    // It knows every zone of the system, and throws for any other.
    const zone = new Intl.DateTimeFormat("en", { timeZone: named }).resolvedOptions().timeZone;
    if (!/^[+-]/.test(zone)) return zone;
  } catch {
    // An unknown name.
  }
  throw new Problem("invalid", `${origin} is '${sent}', but must be a time zone such as Europe/Berlin.`);
}

/** The address of a server on this machine: text of notes is sent there. */
export function localUrlFrom(given: Given): string {
  const url = URL.parse(textFrom(given));
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const isHere = host === "localhost" || isLoopback(host);
  if (url?.protocol !== "http:" || !isHere || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new Problem(
      "invalid",
      `${given.origin} must be an address of this machine such as http://127.0.0.1:11434/v1: nothing is sent anywhere else.`,
    );
  const path = url.pathname.replace(/\/+$/, "").replace(/\/embeddings$/, "");
  return `${url.origin}${path === "" ? "/v1" : path}`;
}

export const UNITS = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 } as const;

/** In bytes. */
export function sizeFrom({ value, origin }: Given): number {
  const [, number, unit = "b"] = /^(\d+(?:\.\d+)?) ?([kmgt]?b)?$/i.exec(String(value).trim()) ?? [];
  if (number === undefined)
    throw new Problem("invalid", `${origin} is '${String(value)}', but must be a size such as 500MB or 2GB.`);
  return Math.round(Number(number) * UNITS[unit.toLowerCase() as keyof typeof UNITS]);
}

export function oneOf<const T extends string>({ value, origin }: Given, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw unknown(`${origin}: '${String(value)}' is not one of ${choices.join(", ")}.`, String(value), choices);
}

export function unknown(message: string, word: string, names: readonly string[]): Problem {
  const meant = nearest(word, names);
  return new Problem("invalid", meant === undefined ? message : `${message} Did you mean ${meant}?`);
}
