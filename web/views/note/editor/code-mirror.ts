// The text field of the editor: CodeMirror with Markdown's colours, undo, and the
// completion of links. In a shadow root, because there its style sheets need no
// exception in the page's content security policy. Loaded when a note is first
// edited.
import {
  autocompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

export interface EditorOptions {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  /** The names of notes for what was typed behind [[, best first. */
  readonly linkNames: (typed: string) => Promise<readonly string[]>;
  /** Stores images that were pasted or dropped, and returns what to insert for them. */
  readonly onFiles?: ((files: readonly File[]) => Promise<string>) | undefined;
}

export interface Editor {
  readonly setText: (text: string) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

const markdown = new Language(defineLanguageFacet({}), parser.configure(GFM), [], "markdown");

const COLOURS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, fontFamily: "var(--mono)", fontSize: "0.92em" },
  { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], color: "var(--ink-faint)" },
]);

const LOOK = EditorView.theme({
  "&": { fontSize: "1rem", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--sans)", lineHeight: "1.65", padding: "0.75rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 1rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
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
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true" }),
        markdown,
        syntaxHighlighting(COLOURS),
        LOOK,
        placeholder("Write …"),
        autocompletion({ override: [(context) => completeLink(context, options.linkNames)], icons: false }),
        keymap.of([{ key: "Mod-s", run: save }, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && options.onChange(state.doc.toString())),
        filesHandler(options.onFiles),
      ],
    }),
  });
  return {
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** Completes the name behind [[. */
async function completeLink(
  context: CompletionContext,
  linkNames: EditorOptions["linkNames"],
): Promise<CompletionResult | null> {
  const before = context.matchBefore(/\[\[[^\]\n|#]*$/);
  if (before === null) return null;
  const typed = before.text.slice(2);
  if (typed.trim() === "") return null;
  const names = await linkNames(typed);
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
