// The texts in a TOML file, by table and key: all that is wanted of a manifest
// (names, descriptions, paths). Not a TOML parser: numbers, lists and texts of
// several lines are passed over, and nothing in a manifest can make it fail.

export interface TomlTable {
  /** As in `[tool.poetry]`; empty for what comes before the first. */
  readonly name: string;
  readonly texts: ReadonlyMap<string, string>;
}

const TABLE = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const TEXT = /^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_.-]+))\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;

export function tomlStrings(text: string): readonly TomlTable[] {
  let texts = new Map<string, string>();
  const tables = [{ name: "", texts }];
  for (const line of text.split(/\r?\n/)) {
    const table = TABLE.exec(line)?.[1];
    const pair = table === undefined ? TEXT.exec(line) : null;
    if (table !== undefined) {
      texts = new Map();
      tables.push({ name: table, texts });
    } else if (pair !== null) {
      const value = pair[4]?.replace(/\\(["\\])/g, "$1") ?? pair[5] ?? "";
      texts.set(pair[1] ?? pair[2] ?? pair[3] ?? "", value);
    }
  }
  return tables;
}
