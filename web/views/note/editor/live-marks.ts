// Shows Markdown as it reads while it is written: headings and links styled, and the
// marks of a line only while the caret is in it. Used by code-mirror.ts.
import { syntaxTree } from "@codemirror/language";
import type { Range } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const HIDDEN = Decoration.replace({});
const LINK = Decoration.mark({ class: "cm-link" });
const TAG = Decoration.mark({ class: "cm-tag" });
const CODE = Decoration.mark({ class: "cm-code" });
const lineOf = (name: string) => Decoration.line({ class: name });

/** Marks that say nothing once their text is styled. */
const MARKS = new Set(["HeaderMark", "EmphasisMark", "StrikethroughMark", "LinkMark", "URL"]);
const WIKILINK = /\[\[([^\][\n|]+)(\|[^\][\n]+)?\]\]/g;
const TAGS = /(?<=^|\s)#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*/gu;

export const liveMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorationsOf(view);
    }

    update({ view, docChanged, selectionSet, viewportChanged, focusChanged, startState, state }: ViewUpdate): void {
      const isParsed = syntaxTree(startState) !== syntaxTree(state);
      if (docChanged || selectionSet || viewportChanged || focusChanged || isParsed)
        this.decorations = decorationsOf(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function decorationsOf(view: EditorView): DecorationSet {
  const { state } = view;
  const ranges: Range<Decoration>[] = [];
  const isWritten = (at: number) => {
    const { from, to } = state.doc.lineAt(at);
    return view.hasFocus && state.selection.ranges.some((range) => range.from <= to && range.to >= from);
  };
  const hide = (from: number, to: number) => {
    if (from < to && !isWritten(from)) ranges.push(HIDDEN.range(from, to));
  };
  const styleLines = (from: number, to: number, name: string) => {
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1)
      ranges.push(lineOf(name).range(state.doc.lineAt(at).from));
  };
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end, node: { parent } }) => {
        const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name);
        if (heading) styleLines(start, end, `cm-heading cm-h${heading[1]}`);
        else if (name === "Blockquote") styleLines(start, end, "cm-quote");
        else if (name === "FencedCode") styleLines(start, end, "cm-block");
        else if (name === "InlineCode") ranges.push(CODE.range(start, end));
        else if (name === "CodeMark" && parent?.name === "InlineCode") hide(start, end);
        else if (MARKS.has(name)) {
          // A bare address is its own text, and double brackets are a link of the vault.
          const isLink = name === "LinkMark" || name === "URL";
          const around = state.sliceDoc(Math.max(0, start - 1), end + 1);
          if (isLink && (parent?.name !== "Link" || /\[\[|\]\]|\[!/.test(around))) return;
          const isHeading = name === "HeaderMark" && parent?.name.startsWith("ATX");
          hide(start, isHeading && state.sliceDoc(end, end + 1) === " " ? end + 1 : end);
        }
      },
    });
    const text = state.sliceDoc(from, to);
    for (const { index, 0: whole, 1: target = "", 2: label } of text.matchAll(WIKILINK)) {
      const start = from + index;
      ranges.push(LINK.range(start, start + whole.length));
      hide(start, start + 2 + (label === undefined ? 0 : target.length + 1));
      hide(start + whole.length - 2, start + whole.length);
    }
    for (const { index, 0: tag } of text.matchAll(TAGS))
      ranges.push(TAG.range(from + index, from + index + tag.length));
  }
  return Decoration.set(ranges, true);
}
