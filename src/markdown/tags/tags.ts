// Renames a tag in a file: in a note its text and its properties, in a canvas the
// text of its cards, in a base the formulas that name it. The index finds tags
// with the same modules, so that it agrees on what a tag is. Pure.
import { forEachCanvasString } from "../canvas-strings.ts";
import type { LinkedText } from "../links/links.ts";
import { unquote } from "../links/quoted-text.ts";
import { scanMarkdown } from "../scanner/scanner.ts";
import { baseTags } from "./base-tags.ts";
import type { HeadingRename } from "./heading-links.ts";
import { inlineTags, type InlineTag } from "./inline-tags.ts";
import { renameInProperties } from "./property-tags.ts";
import { renamedTag, type TagRename } from "./tag-name.ts";
import { type TextEdit, withEdits } from "./text-edit.ts";

export interface TagRenaming {
  /** In order. */
  readonly edits: readonly TextEdit[];
  readonly places: number;
  /** The headings that it changes, to which there may be links: see heading-links.ts. */
  readonly headings: readonly HeadingRename[];
  /** Why the tags of the properties stay as they are. */
  readonly fault?: string | undefined;
}

export function renameTagIn(text: string, kind: LinkedText, rename: TagRename): TagRenaming {
  if (kind !== "markdown") {
    const edits = editsOf(kind === "canvas" ? canvasTags(text) : baseTags(text), rename);
    return { edits, places: edits.length, headings: [] };
  }
  const { edits: inProperties, places, fault } = renameInProperties(text, rename);
  const inText = text.includes("#") ? editsOf(inlineTags(text), rename) : [];
  return {
    edits: [...inProperties, ...inText],
    places: places + inText.length,
    headings: inText.length === 0 ? [] : headingsAt(text, inText),
    fault,
  };
}

function editsOf(tags: readonly InlineTag[], rename: TagRename): TextEdit[] {
  return tags.flatMap(({ name, start, end }) => {
    const replacement = renamedTag(name, rename);
    return replacement === undefined ? [] : [{ start, end, replacement }];
  });
}

function canvasTags(source: string): InlineTag[] {
  const tags: InlineTag[] = [];
  forEachCanvasString(source, ({ list, key, start, end }) => {
    if (list !== "nodes" || key !== "text") return;
    const { text, sourceAt } = unquote(source, start, end, "json");
    for (const tag of inlineTags(text)) {
      tags.push({ ...tag, start: sourceAt(tag.start), end: sourceAt(tag.end) });
    }
  });
  return tags;
}

function headingsAt(text: string, edits: readonly TextEdit[]): HeadingRename[] {
  let next = 0;
  return scanMarkdown(text).headings.flatMap(({ start, end, text: from }) => {
    while (next < edits.length && edits[next]!.start < start) next++;
    const first = next;
    while (next < edits.length && edits[next]!.end <= end) next++;
    if (next === first) return [];
    const within = edits.slice(first, next);
    const to = withEdits(
      text.slice(start, end),
      within.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    );
    return [{ from, to: scanMarkdown(to).headings[0]?.text ?? to }];
  });
}
