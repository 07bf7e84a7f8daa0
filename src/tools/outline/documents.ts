// get_current_document, check_connection, open_document and create_document: the
// document that the outline tools work on.
import { counted, Problem } from "../../kernel/kernel.ts";
import type { Outline, Outlines } from "../../outline/outline.ts";
import { flag, integer, list, object, optional, text, unlisted } from "../definition/schema.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { asLines, ownLines } from "../call/result-lines.ts";
import { ADDS, READS } from "../definition/effects.ts";
import { currentDocument, documentResult, SHARED, TEXT_OR_NULL, DOCUMENT } from "./fields.ts";

export const getCurrentDocument = defineTool({
  ...SHARED,
  name: "get_current_document",
  title: "Current outline",
  description: "Which outline is open right now? Name of the current document (OmniOutliner or a file), path, rows.",
  effects: READS,
  returnsForeignText: false,
  input: {},
  output: { document: DOCUMENT },
  run: async (_, { services, signal }) => {
    const document = await currentDocument(services);
    return { document: await documentResult(document, await document.read(signal)) };
  },
});

export const checkConnection = defineTool({
  ...SHARED,
  name: "check_connection",
  title: "Check the outline",
  description: "Check the connection: is OmniOutliner running, connected, available, can the outline be reached?",
  effects: READS,
  returnsForeignText: false,
  input: {},
  output: { connected: flag(), appRunning: flag(), documentOpen: flag(), documentName: TEXT_OR_NULL, message: text() },
  run: async (_, { services, signal }) => {
    try {
      const { name, format } = await (await currentDocument(services)).read(signal);
      const appRunning = format === "app";
      const message = `Connected to ${appRunning ? "OmniOutliner" : "file"}. Document '${name}' is open.`;
      return { connected: true, appRunning, documentOpen: true, documentName: name, message };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { AppProblem } = await import("../../outline/outline.ts");
      const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
      const appRunning = error instanceof AppProblem && error.isRunning;
      return { connected: false, appRunning, documentOpen: false, documentName: null, message };
    }
  },
});

export const openDocument = defineTool({
  ...SHARED,
  text: ({ message, document, documents = [] }) => ({
    head: message,
    words: [
      ...documents.map(({ path, name, isCurrent }) => `- ${path} | ${name}${isCurrent ? " | current" : ""}`),
      ...(document === undefined ? [] : [asLines(document)]),
    ].join("\n"),
  }),
  name: "open_document",
  title: "Open an outline",
  description: "Open another outline document in the outliner: load it, switch to it. Without a path: which there are.",
  budget: 10_000,
  // Nothing is written: only the current document of this client changes.
  effects: READS,
  choosesOutline: true,
  pages: "documents",
  input: {
    path: optional(text("In the vault, or absolute")),
    documentName: unlisted(text()),
    /** Lists the notes as well: for a person, who looks through them. */
    withNotes: unlisted(flag()),
  },
  output: {
    success: flag(),
    message: text(),
    document: optional(DOCUMENT),
    documents: optional(list(object({ path: text(), name: text(), isCurrent: flag() }))),
    /** How many notes of vaults could be opened, too. */
    notes: optional(integer()),
  },
  run: async ({ path = "", documentName = "", withNotes = false }, { services, signal }) => {
    const sent = path || documentName;
    if (sent === "") return listed(services, withNotes, signal);
    const outlines = await services.outlines();
    const document = await outlines.open(await noteOfDay(services, sent));
    const outline = await document.read(signal);
    return {
      success: true,
      message: `Opened '${outline.name}'${forThisCall(outlines, outline)}`,
      document: await documentResult(document, outline),
    };
  },
});

/** For clients that keep no current document: nothing connects one request with the next. */
function forThisCall({ keepsOpened }: Outlines, { name, path }: Outline): string {
  if (keepsOpened) return "";
  return `, for this call only: this client has no session, so its current outline stays the configured one. Send documentName: ${JSON.stringify(path ?? name)} with each call that is about this outline.`;
}

/** A note may be an outline, and that of a day has an address. */
async function noteOfDay({ vault }: Services, path: string): Promise<string> {
  if (!/^(?:dai|week|month|quarter|year)ly:/i.test(path.trim())) return path;
  const { resolveDay } = await import("../../vault/vault.ts");
  return resolveDay(await vault(), path);
}

async function listed(services: Services, withNotes: boolean, signal: AbortSignal) {
  const found = await (await services.outlines()).openable(signal);
  const isShown = ({ isVaultNote, isCurrent }: (typeof found)[number]) => withNotes || !isVaultNote || isCurrent;
  const notes = found.filter((document) => !isShown(document)).length;
  const documents = found.filter(isShown).map(({ path, name, isCurrent }) => ({ path, name, isCurrent }));
  const others =
    notes === 0
      ? ""
      : `; and ${counted(notes, "note")} of the vault that ${notes === 1 ? "has a list" : "have lists"}, by path`;
  return {
    success: true,
    message: `${counted(documents.length, "document")} can be opened${others}`,
    documents,
    ...(notes > 0 && { notes }),
  };
}

export const createDocument = defineTool({
  ...SHARED,
  text: ownLines,
  name: "create_document",
  title: "Create an outline",
  description: "Create a new, empty outline and make it the current one. Never overwrites.",
  byDefault: false,
  effects: ADDS,
  choosesOutline: true,
  input: { path: text("Path in the vault, or an allowed absolute one; ends in .opml, .ooutline or .md") },
  output: { success: flag(), message: text(), document: DOCUMENT, undoAvailable: flag() },
  run: async ({ path }, { services, author, signal }) => {
    const outlines = await services.outlines();
    const document = await outlines.create(author, path);
    const outline = await document.read(signal);
    return {
      success: true,
      message: `Created '${outline.name}'${forThisCall(outlines, outline)}`,
      document: await documentResult(document, outline),
      undoAvailable: true,
    };
  },
});
