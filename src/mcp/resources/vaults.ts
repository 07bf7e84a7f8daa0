// Serves resources and prompts where a server has several vaults.
import type { Commonplace } from "../../app/app.ts";

/** The names of all vaults, the default first. */
export function vaultNames({ settings }: Pick<Commonplace, "settings">): readonly string[] {
  return settings.vaults.map(({ name }) => name);
}

/** Returns the answer of the first vault that has one: ids of sessions and workspaces are unique. */
export async function inAnyVault<T>(
  commonplace: Commonplace,
  ask: (vault: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const vault of vaultNames(commonplace)) {
    const found = await ask(vault);
    if (found !== undefined) return found;
  }
  return undefined;
}
