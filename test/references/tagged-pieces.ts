// A second, simple renaming of tags, written only to check the first: notes are
// put together from pieces of which it is known where a tag is, once with the old
// and once with the new names. Nothing is shared with src/markdown.

export type Piece =
  | { readonly kind: "tag" | "heading" | "item" | "chained"; readonly tag: string }
  /** Looks like a tag, but is not one. */
  | {
      readonly kind: "word" | "code" | "fence" | "link" | "comment" | "attribute" | "escaped" | "address";
      readonly tag: string;
    }
  /** A property; only the first of each note counts, since a note has one frontmatter. */
  | { readonly kind: "list" | "brackets" | "text"; readonly tags: readonly string[] };

interface Rename {
  readonly from: string;
  readonly to: string;
}

export function renamePieces(pieces: readonly Piece[], rename: Rename): { before: string; after: string } {
  const property = pieces.find((piece) => "tags" in piece);
  const body = (of: (tag: string) => string) =>
    pieces.flatMap((piece) => ("tags" in piece ? [] : [written(piece, of)])).join("\n\n");
  const head = (of: readonly string[]) =>
    property === undefined || !("tags" in property) ? "" : frontmatter(property.kind, of);
  const tags = property !== undefined && "tags" in property ? property.tags : [];
  return {
    before: head(tags) + body((tag) => tag),
    after: head(merged(tags, rename)) + body((tag) => newName(tag, rename)),
  };
}

function written({ kind, tag }: Exclude<Piece, { tags: unknown }>, of: (tag: string) => string): string {
  switch (kind) {
    case "tag":
      return `One #${of(tag)}, two #${of(tag)}.`;
    case "heading":
      return `## About #${of(tag)}`;
    case "item":
      return `- [ ] #${of(tag)} and\n  #${of(tag)}`;
    case "chained":
      return `#${of(tag)}#${of(tag)}`;
    case "word":
      return `word#${tag} and (#${tag})`;
    case "code":
      return `see \`#${tag}\``;
    case "fence":
      return `\`\`\`\n#${tag}\n\`\`\``;
    case "link":
      return `[[Note #${tag}|about #${tag}]] [text](<Note.md #${tag}>)`;
    case "comment":
      return `%% #${tag} %%`;
    case "attribute":
      return `<b title="about #${tag}">bold</b>`;
    case "escaped":
      return `\\#${tag}`;
    case "address":
      return `https://example.org/#${tag}`;
  }
}

function frontmatter(kind: "list" | "brackets" | "text", tags: readonly string[]): string {
  const yaml =
    kind === "list"
      ? `tags:\n${tags.map((tag) => `  - ${tag}\n`).join("")}`
      : kind === "brackets"
        ? `tags: [${tags.join(", ")}]\n`
        : `tags: ${tags.join(", ")}\n`;
  return `---\nbefore: a\n${yaml}after: '#a'\n---\n`;
}

function newName(tag: string, { from, to }: Rename): string {
  const [old, name] = [from.toLowerCase(), tag.toLowerCase()];
  if (name === old) return to;
  return name.startsWith(`${old}/`) ? to + tag.slice(old.length) : tag;
}

/** A renamed tag goes if another one has that name already. */
function merged(tags: readonly string[], rename: Rename): string[] {
  const isChanged = tags.map((tag) => newName(tag, rename) !== tag);
  const kept = new Set(tags.filter((_, i) => !isChanged[i]).map((tag) => tag.toLowerCase()));
  return tags.flatMap((tag, i) => {
    if (!isChanged[i]) return [tag];
    const name = newName(tag, rename);
    if (kept.has(name.toLowerCase())) return [];
    kept.add(name.toLowerCase());
    return [name];
  });
}
