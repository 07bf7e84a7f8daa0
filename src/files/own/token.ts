// The token of the HTTP server: created on first use, and stored in a private
// file. Used by the command `serve`.
import { dirname } from "node:path";
import { nodeCrypto, Problem } from "../../kernel/kernel.ts";
import { createWhole } from "./create-whole.ts";
import { readText } from "../disk/open-file.ts";
import { closeToOthers, makeOwnFolder } from "./own-files.ts";

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
    throw new Problem("invalid", `The token in ${path} is too short.`, "Delete the file: a new one is created.");
  closeToOthers(path);
  return token;
}

/** Two processes may do this at once: only one token is stored. */
function makeToken(path: string): string {
  makeOwnFolder(dirname(path));
  createWhole(path, `${nodeCrypto().randomBytes(32).toString("base64url")}\n`);
  return readToken(path)!;
}
