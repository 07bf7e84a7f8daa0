// Finds in the other vaults what a call that named none did not find in the
// default one. Used by call.ts.
import { Ambiguous, type Problem } from "../../kernel/kernel.ts";
import { readableFields, type Fields } from "../definition/field.ts";
import type { Services, Tool } from "../definition/define-tool.ts";

/** Possible meanings of a sent value. Not part of the result: the server asks the person with it. */
export interface Choices {
  /** Several notes have the name that was sent, or other vaults have the note. */
  readonly of: "note" | "vault";
  readonly sent: string;
  readonly values: readonly string[];
}

interface Asked {
  readonly tool: Tool;
  readonly fields: Fields;
  readonly values: Readonly<Record<string, unknown>>;
  readonly services: Services;
}

/** The other vaults that have what was not found in the default one; undefined if that is not the problem, or nothing says what. */
export async function vaultsWithIt(
  problem: Problem,
  { tool, fields, values, services }: Asked,
): Promise<Choices | undefined> {
  const isMissingInDefault =
    problem.code === "not_found" && fields["vault"]?.presence === "optional" && services.askedVaults.length > 1;
  if (!isMissingInDefault) return undefined;
  const [path] = tool.touches?.(readableFields(fields, values) as never, undefined) ?? [];
  if (path === undefined || !(await isThere(services.vaults[0]!.vault))) return undefined;
  const having: string[] = [];
  for (const { name, vault } of services.vaults.slice(1)) if (await has(vault, path)) having.push(name);
  return { of: "vault", sent: path, values: having };
}

/** Names the vaults that have it, for the hint of the problem. */
export function whereItIs({ values }: Choices): string {
  if (values.length === 0) return "No other vault has it either.";
  return `It is in the vault${values.length === 1 ? "" : "s"} ${values.join(" and ")}: send vault.`;
}

/** A note of the same name elsewhere is another one, so nothing is looked for while the default vault is missing. */
async function isThere(vault: Services["vault"]): Promise<boolean> {
  try {
    await vault();
    return true;
  } catch {
    return false;
  }
}

/** Whatever reads take for a note or folder. */
async function has(vault: Services["vault"], path: string): Promise<boolean> {
  try {
    const { meantPlace } = await import("../../vault/vault.ts");
    return (await meantPlace(await vault(), path)) !== undefined;
  } catch (error) {
    // Several notes there have the name; other problems are of a vault that is not there, or of a path that none can have.
    return error instanceof Ambiguous;
  }
}
