// Completes while a note is written: names of notes behind [[, tags behind #,
// and behind a / at the beginning of a line what a note is often made of. Used by
// code-mirror.ts.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { dateOf } from "../../../format/format.ts";

export interface Names {
  /** The names of notes for what was typed, best first. */
  readonly notes: (typed: string) => Promise<readonly string[]>;
  /** All tags, the most frequent first. */
  readonly tags: () => Promise<readonly string[]>;
}

const MAX_TAGS = 8;

/** The place to which the caret goes. */
const CARET = "\u2038";

/** The text that each command inserts. */
const PARTS: readonly (readonly [name: string, detail: string, text: () => string])[] = [
  ["task", "a check box", () => `- [ ] ${CARET}`],
  ["table", "two columns", () => `| ${CARET} |  |\n| --- | --- |\n|  |  |\n`],
  ["callout", "a box with a title", () => `> [!note] ${CARET}\n> `],
  ["code", "a block of code", () => `\`\`\`\n${CARET}\n\`\`\`\n`],
  ["date", "today", () => dateOf(Date.now()) + CARET],
];

export function completer({ notes, tags }: Names) {
  return async (context: CompletionContext): Promise<CompletionResult | null> =>
    completePart(context) ?? (await completeLink(context, notes)) ?? completeTag(context, tags);
}

function completePart(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/^\s*\/\w*$/);
  if (before === null) return null;
  const slash = before.from + before.text.indexOf("/");
  return {
    from: slash,
    options: PARTS.map(([name, detail, text]): Completion => ({
      label: `/${name}`,
      detail,
      apply: (view, _, from, to) => {
        const [start = "", rest = ""] = text().split(CARET);
        const changes = { from, to, insert: start + rest };
        view.dispatch({ changes, selection: { anchor: from + start.length }, userEvent: "input.complete" });
      },
    })),
  };
}

async function completeLink(context: CompletionContext, notes: Names["notes"]): Promise<CompletionResult | null> {
  const before = context.matchBefore(/\[\[[^\]\n|#]*$/);
  if (before === null) return null;
  const typed = before.text.slice(2);
  if (typed.trim() === "") return null;
  const names = await notes(typed);
  if (context.aborted) return null;
  const isClosed = context.state.sliceDoc(context.pos, context.pos + 2) === "]]";
  return {
    from: before.from + 2,
    filter: false,
    options: names.map((name) => ({
      label: name,
      apply: (view, _, from, to) => {
        const insert = `${name}]]`;
        view.dispatch({
          changes: { from, to: isClosed ? to + 2 : to, insert },
          selection: { anchor: from + insert.length },
          userEvent: "input.complete",
        });
      },
    })),
  };
}

async function completeTag(context: CompletionContext, tags: Names["tags"]): Promise<CompletionResult | null> {
  const before = context.matchBefore(/(?:^|\s)#[\p{L}\p{N}_/-]*$/u);
  if (before === null) return null;
  const typed = before.text.trimStart().slice(1);
  if (typed === "") return null;
  const fitting = (await tags()).filter((tag) => tag.toLowerCase().startsWith(typed.toLowerCase()) && tag !== typed);
  if (context.aborted || fitting.length === 0) return null;
  return {
    from: context.pos - typed.length,
    filter: false,
    options: fitting.slice(0, MAX_TAGS).map((label) => ({ label })),
  };
}
