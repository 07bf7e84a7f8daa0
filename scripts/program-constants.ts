// What the build puts into the program: its version. Used by the build, and wherever
// the modules of src/ run as they are.
import packageJson from "../package.json" with { type: "json" };

export const PROGRAM_CONSTANTS = {
  COMMONPLACE_VERSION: packageJson.version,
} as const;

/** The same, as bundlers take them. */
export const DEFINED_CONSTANTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PROGRAM_CONSTANTS).map(([name, value]) => [name, JSON.stringify(value)]),
);
