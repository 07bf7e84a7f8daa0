// Completes in the editor, from the index: names of notes, alone where only one note
// has it, else the path; and the tags of the vault. Used by the editor.
import { nameOf } from "../../../format/format.ts";
import type { Client } from "../../../server/server.ts";

/** All are seen without scrolling: the keys move in them while the text keeps the focus. */
const MOST = 8;

export async function linkNames(client: Client, typed: string): Promise<string[]> {
  const input = { query: typed, paths: ["/"], searchType: "files", limit: 3 * MOST } as const;
  try {
    const { data } = await client.call("vaultLibrarian_searchDirectory", input);
    const paths = data.results.map(({ path }) => path);
    const names = paths.map(nameOf);
    const isOnly = (name: string) => names.filter((other) => other === name).length === 1;
    return paths.slice(0, MOST).map((path, i) => (isOnly(names[i]!) ? names[i]! : path.replace(/\.md$/, "")));
  } catch {
    // A completion that fails must not disturb the writing.
    return [];
  }
}

/** The most frequent first. */
export async function tagNames(client: Client): Promise<string[]> {
  if (!client.has("vaultLibrarian_tags")) return [];
  try {
    const { data } = await client.call("vaultLibrarian_tags", {});
    return (data.tags ?? []).toSorted((a, b) => b.count - a.count).map(({ tag }) => tag.replace(/^#/, ""));
  } catch {
    return [];
  }
}
