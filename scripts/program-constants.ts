// What the build puts into the program: its version, and a number for what it
// takes for a secret. Used by the build, and wherever the modules of src/ run as
// they are.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

const REDACTION = join(import.meta.dirname, "..", "src", "redaction");

export const PROGRAM_CONSTANTS = {
  COMMONPLACE_VERSION: packageJson.version,
  COMMONPLACE_REDACTION: redactionVersion(),
} as const;

/** The same, as bundlers take them. */
export const DEFINED_CONSTANTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PROGRAM_CONSTANTS).map(([name, value]) => [name, JSON.stringify(value)]),
);

/** A hash of all source that decides what a secret is. */
function redactionVersion(): number {
  const hash = createHash("sha256");
  const names = readdirSync(REDACTION, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((one) => one.endsWith(".ts") && !one.endsWith(".test.ts")).toSorted())
    hash.update(readFileSync(join(REDACTION, name), "utf8").replaceAll("\r\n", "\n"));
  return hash.digest().readUIntBE(0, 6);
}
