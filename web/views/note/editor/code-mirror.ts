// The text field of the editor: CodeMirror in the type of the note, with undo and
// completions. In a shadow root, because there its style sheets need no
// exception in the page's content security policy. Loaded when a note is first
// edited.
import { autocompletion, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import { completer, type Names } from "./completions.ts";
import { liveMarks } from "./live-marks.ts";

export interface EditorOptions {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  /** The person is done writing, by Escape. */
  readonly onDone: () => void;
  readonly names: Names;
  /** The first place of the caret. */
  readonly caret: number;
  /** Stores images that were pasted or dropped, and returns what to insert for them. */
  readonly onFiles?: ((files: readonly File[]) => Promise<string>) | undefined;
}

export interface Editor {
  /** Replaces what differs: the caret stays where it is in the text. */
  readonly setText: (text: string) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

const markdown = new Language(defineLanguageFacet({}), parser.configure(GFM), [], "markdown");

const COLOURS = HighlightStyle.define([
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--ink-faint)" },
]);

/** The sizes are those of a note that is read: see style/prose.css. */
const LOOK = EditorView.theme({
  "&": { fontSize: "1.12rem", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--serif)", lineHeight: "1.65", overflowX: "visible" },
  ".cm-content": { padding: "0 0 3rem", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-heading": { fontWeight: "600", lineHeight: "1.3" },
  ".cm-h1": { fontSize: "1.9rem" },
  ".cm-h2": { fontSize: "1.45rem" },
  ".cm-h3": { fontSize: "1.2rem" },
  ".cm-link, .cm-tag": { color: "var(--accent)" },
  ".cm-quote": { paddingLeft: "1.1em", borderLeft: "3px solid var(--line)", color: "var(--ink-soft)" },
  ".cm-block, .cm-code": { fontFamily: "var(--mono)", fontSize: "0.92rem" },
  ".cm-block": { padding: "0 0.8rem", background: "var(--sunken)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "8px",
    background: "var(--raised)",
    color: "var(--ink)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--sans)", maxHeight: "none", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.25rem 0.6rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent-ground)",
    color: "var(--accent)",
  },
});

export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const save = () => {
    options.onSave();
    return true;
  };
  // Of a list that is shown, Escape closes that; one that is still being looked for must not swallow the key.
  const done = ({ state }: EditorView) => {
    if (completionStatus(state) === "active") return false;
    options.onDone();
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      selection: { anchor: Math.min(options.caret, options.text.length) },
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true" }),
        markdown,
        syntaxHighlighting(COLOURS),
        liveMarks,
        LOOK,
        placeholder("Write …"),
        autocompletion({ override: [completer(options.names)], icons: false, defaultKeymap: false }),
        keymap.of([
          { key: "Mod-s", run: save },
          { key: "Escape", run: done },
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && options.onChange(state.doc.toString())),
        filesHandler(options.onFiles),
      ],
    }),
  });
  return {
    setText: (text) => {
      const now = view.state.doc.toString();
      const from = commonLength(now, text);
      const end = Math.min(now.length - from, text.length - from, commonLength(reversed(now), reversed(text)));
      view.dispatch({
        changes: { from, to: now.length - end, insert: text.slice(from, text.length - end) },
        // It is not the person's to undo.
        annotations: Transaction.addToHistory.of(false),
      });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** By code units: only lengths are compared. */
function reversed(text: string): string {
  return text.split("").toReversed().join("");
}

/** Images that are pasted or dropped become files of the vault; anything else is pasted as usual. */
function filesHandler(onFiles: EditorOptions["onFiles"]) {
  const take = (view: EditorView, files: FileList | undefined, at: number): boolean => {
    const images = [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (images.length === 0 || onFiles === undefined) return false;
    void onFiles(images).then((insert) => {
      const from = Math.min(at, view.state.doc.length);
      view.dispatch({ changes: { from, insert }, selection: { anchor: from + insert.length } });
    });
    return true;
  };
  return EditorView.domEventHandlers({
    paste: (event, view) => take(view, event.clipboardData?.files, view.state.selection.main.head),
    drop: (event, view) =>
      take(view, event.dataTransfer?.files, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? 0),
  });
}
