// The properties of a vault as a table: the name, the type that Obsidian keeps for
// it, else that of a value, and how many notes have it, the most frequent first. Used
// by the tool vaultLibrarian_query, for the form of properties in the page.
import { isRecord } from "../../kernel/kernel.ts";
import { knownPropertyType, propertyType, type PropertyType } from "../../markdown/markdown.ts";
import { obsidianSettings } from "../days/days.ts";
import type { Vault } from "../vault.ts";

export async function vaultProperties(
  vault: Pick<Vault, "root" | "index">,
  signal?: AbortSignal,
): Promise<readonly (readonly [name: string, type: PropertyType, notes: number])[]> {
  const { answer: table } = await vault.index.files(signal);
  const counts = new Map<string, number>();
  const types = new Map<string, PropertyType>();
  for (const { properties } of table.files)
    for (const [name, value] of Object.entries(properties)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (!types.has(name) && value !== null && value !== "") types.set(name, propertyType(name, value));
    }
  const kept = (await obsidianSettings(vault, "types.json"))?.["types"];
  for (const [name, type] of Object.entries(isRecord(kept) ? kept : {})) {
    if (typeof type === "string") types.set(name, knownPropertyType(type));
    if (!counts.has(name)) counts.set(name, 0);
  }
  return [...counts]
    .toSorted(([a, many], [b, few]) => few - many || a.localeCompare(b, "en"))
    .map(([name, count]) => [name, types.get(name) ?? "text", count]);
}
