// What the editing tools do to the text of a note, each as a `Change` that
// note-editor.ts applies: alone, or several in one step.
import {
  appendText,
  appendToSection,
  deleteOnce,
  findAndReplace,
  type FindAndReplace,
  listedValue,
  prependText,
  prependToSection,
  readProperties,
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

export const append = (content: string, heading?: string) => ({
  ...change("Appended to", (text) =>
    heading === undefined ? appendText(text, content) : appendToSection(text, heading, content),
  ),
  beginsDay: true as const,
});

export const prepend = (content: string, heading?: string) => ({
  ...change("Prepended to", (text) =>
    heading === undefined ? prependText(text, content) : prependToSection(text, heading, content),
  ),
  beginsDay: true as const,
});

export const replace = (oldContent: string, newContent: string, similarityThreshold?: number) =>
  change("Replaced text in", (text) => replaceOnce(text, oldContent, newContent, similarityThreshold));

/** The whole text, of which lines that stay keep their own line endings. */
export const rewrite = (newText: string) =>
  change("Rewrote", (text) => ({ text: rewriteText(text, newText), line: 1, replacedText: "", similarity: 1 }));

export const replaceByLine = (startLine: number, endLine: number, newContent: string) => ({
  ...change("Replaced lines of", (text) => replaceLines(text, startLine, endLine, newContent)),
  isByLine: true as const,
});

export const deleteContent = (content: string) => change("Deleted text from", (text) => deleteOnce(text, content));

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

export const setProperties = (set: Readonly<Record<string, unknown>>, unset: readonly string[]) => ({
  ...change("Set properties of", (text) => updateProperties(text, listed(text, bounded(set)), unset)),
  needsMarkdown: true as const,
});

/** The values, of which lists stay lists. */
function listed(text: string, set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties } = readProperties(text);
  const own = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  return Object.fromEntries(Object.entries(set).map(([name, value]) => [name, listedValue(name, own(name), value)]));
}

const DEEPEST = 50;

function bounded<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) throw new Problem("invalid", `Properties may be nested at most ${DEEPEST} levels deep.`);
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) bounded(inner, depth + 1);
  return value;
}
