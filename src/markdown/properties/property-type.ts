// The type that Obsidian would show a property as, by its name and value. Pure; used
// by the table of a vault's properties, and by their form in the page.

export const PROPERTY_TYPES = ["text", "multitext", "number", "checkbox", "date", "datetime"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

const LISTS = /^(?:tags?|alias(?:es)?|cssclass(?:es)?)$/i;

export function propertyType(name: string, value: unknown): PropertyType {
  if (Array.isArray(value) || LISTS.test(name)) return "multitext";
  if (typeof value === "boolean") return "checkbox";
  if (typeof value === "number") return "number";
  if (/^\d{4}-\d{2}-\d{2}$/.test(String(value))) return "date";
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/.test(String(value)) ? "datetime" : "text";
}

/** The type that the settings of Obsidian name: tags and aliases are lists, unknown ones are text. */
export function knownPropertyType(kept: string): PropertyType {
  if (kept === "tags" || kept === "aliases") return "multitext";
  return PROPERTY_TYPES.find((type) => type === kept) ?? "text";
}
