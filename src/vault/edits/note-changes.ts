// The edits of the editing tools on the text of a note, each as a `Change` that
// note-editor.ts applies: alone, or several in one step.
import {
  appendText,
  appendToSection,
  deleteOnce,
  findAndReplace,
  type FindAndReplace,
  newValues,
  prependText,
  prependToSection,
  type PropertyChange,
  readProperties,
  replaceAllOf,
  replaceLines,
  replaceOnce,
  rewriteText,
  updateProperties,
} from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Change, Changed } from "./note-editor.ts";

/** A change whose result has the new text and the facts to report. */
function change<Facts extends object>(
  verb: string,
  make: (text: string) => Facts & { readonly text: string },
): Change<Omit<Facts, "text">> {
  return {
    verb,
    apply: (note): Changed<Omit<Facts, "text">> => {
      const { text, ...facts } = make(note.text);
      return { text, facts };
    },
  };
}

export const create = (content: string): Change => ({ ...change("Created", () => ({ text: content })), creates: true });

/** A change that finds its place by a text, or that is of the whole note: a link to a section names the note alone. */
function ofAnyPart<Facts extends object>(made: Change<Facts>): Change<Facts> {
  return { ...made, inSection: () => made };
}

type Appended = Omit<ReturnType<typeof appendText>, "text">;
type Prepended = Omit<ReturnType<typeof prependText>, "text">;

export const append = (content: string, heading?: string): Change<Appended> => ({
  ...change("Appended to", (text) =>
    heading === undefined ? appendText(text, content) : appendToSection(text, heading, content),
  ),
  beginsDay: true,
  inSection: (linked) => append(content, heading ?? linked),
});

export const prepend = (content: string, heading?: string): Change<Prepended> => ({
  ...change("Prepended to", (text) =>
    heading === undefined ? prependText(text, content) : prependToSection(text, heading, content),
  ),
  beginsDay: true,
  inSection: (linked) => prepend(content, heading ?? linked),
});

export const replace = (oldContent: string, newContent: string, similarityThreshold?: number) =>
  ofAnyPart(change("Replaced text in", (text) => replaceOnce(text, oldContent, newContent, similarityThreshold)));

/** The whole text, of which lines that stay keep their own line endings. */
export const rewrite = (newText: string) =>
  change("Edited", (text) => ({ text: rewriteText(text, newText), line: 1, replacedText: "", similarity: 1 }));

export const replaceByLine = (startLine: number, endLine: number, newContent: string) => ({
  ...change("Replaced lines of", (text) => replaceLines(text, startLine, endLine, newContent)),
  isByLine: true as const,
});

export const deleteContent = (content: string) =>
  ofAnyPart(change("Deleted text from", (text) => deleteOnce(text, content)));

export const findReplace = (request: FindAndReplace) =>
  change("Replaced words in", (text) => {
    const replaced = findAndReplace(text, request);
    if (replaced.count === 0) {
      throw new Problem(
        "not_found",
        "The text to find is not in the note: nothing was changed.",
        "Read the note to see what is there.",
      );
    }
    return replaced;
  });

/** Replaces every occurrence of a passage. @param expected how many there must be */
export const replaceEverywhere = (oldContent: string, newContent: string, expected?: number) =>
  ofAnyPart(
    change("Replaced text in", (text) => {
      const { text: made, count } = replaceAllOf(text, oldContent, newContent);
      if (expected !== undefined && expected !== count)
        throw new Problem(
          "conflict",
          `The text occurs ${count} times in the note, not ${expected}: nothing was changed.`,
          `Read the note; if all of them are meant, send expectedCount: ${count}.`,
        );
      return { text: made, count };
    }),
  );

export const setProperties = (wanted: PropertyChange) => ({
  ...ofAnyPart(
    change("Set properties of", (text) => {
      for (const part of [wanted.set, wanted.add, wanted.remove]) bounded(part ?? {});
      const { set, unset, dropped } = newValues(readProperties(text).properties, wanted);
      const updated = updateProperties(text, set, unset);
      return { ...updated, ...(Object.keys(dropped).length > 0 && { dropped }) };
    }),
  ),
  needsMarkdown: true as const,
});

const MAX_DEPTH = 50;

function bounded(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) throw new Problem("invalid", `Properties may be nested at most ${MAX_DEPTH} levels deep.`);
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) bounded(inner, depth + 1);
}
