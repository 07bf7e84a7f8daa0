// The token that guards the HTTP server: made on first use, and kept in a file
// that only its owner can read.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Problem } from "../text/problem.ts";
import { createWhole } from "./create-whole.ts";
import { readText } from "./open-file.ts";

export function keptToken(path: string): string {
  try {
    return readToken(path) ?? makeToken(path);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      "denied",
      `The token cannot be kept: ${(error as Error).message}`,
      "Set COMMONPLACE_TOKEN instead.",
    );
  }
}

function readToken(path: string): string | undefined {
  let token: string;
  try {
    token = readText(path, { followsLinks: true }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (token.length < 16)
    throw new Problem("invalid", `The token in ${path} is too short.`, "Delete the file: a new one is made.");
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return token;
}

/** Two processes may come here at once: one token is the kept one, whole from the start. */
function makeToken(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createWhole(path, `${randomBytes(32).toString("base64url")}\n`);
  return readToken(path)!;
}
