// The values of properties that Obsidian takes as a list or as one text with
// separators: tags and aliases. Used for the facts of notes and to rename tags.

export type PropertyValues = Readonly<Record<string, unknown>>;

/** The values of these properties, under any of these names in any case. */
export function listedValues(properties: PropertyValues, names: readonly string[], separator: RegExp): string[] {
  return Object.entries(properties)
    .filter(([name]) => names.includes(name.toLowerCase()))
    .flatMap(([, value]) =>
      typeof value === "string" ? value.split(separator) : Array.isArray(value) ? value : [value],
    )
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => String(value).trim())
    .filter((value) => value !== "");
}
