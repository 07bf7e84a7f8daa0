// get_current_document, check_connection, open_document and create_document: the
// document that the outline tools work on.
import { Problem } from "../../kernel/kernel.ts";
import { flag, list, object, optional, text } from "../definition/schema.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { asLines, ownLines } from "../call/result-lines.ts";
import { ADDS, READS } from "../definition/effects.ts";
import { documentFor, documentResult, IN_DOCUMENT, SHARED, TEXT_OR_NULL, DOCUMENT } from "./fields.ts";

export const getCurrentDocument = defineTool({
  ...SHARED,
  name: "get_current_document",
  title: "Current outline",
  description:
    "Which outline is open right now? Name of the current document (OmniOutliner or a file), path, rows, format.",
  effects: READS,
  returnsForeignText: false,
  input: { ...IN_DOCUMENT },
  output: { document: DOCUMENT },
  run: async ({ inDocument }, { services, signal }) => {
    const document = await documentFor(services, inDocument);
    return { document: await documentResult(document, await document.read(signal)) };
  },
});

export const checkConnection = defineTool({
  ...SHARED,
  name: "check_connection",
  title: "Check the outline",
  description: "Check the connection to the outline: is OmniOutliner running, connected, available, can it be reached?",
  effects: READS,
  returnsForeignText: false,
  input: {},
  output: { connected: flag(), appRunning: flag(), documentOpen: flag(), documentName: TEXT_OR_NULL, message: text() },
  run: async (_, { services, signal }) => {
    try {
      const { name, format } = await (await (await services.outlines()).current()).read(signal);
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
  // Nothing is written: only the current document of this server changes.
  effects: READS,
  pages: "documents",
  input: { path: optional(text("In the vault, or absolute")) },
  output: {
    success: flag(),
    message: text(),
    document: optional(DOCUMENT),
    documents: optional(list(object({ path: text(), name: text(), isCurrent: flag() }))),
  },
  run: async ({ path = "" }, { services, signal }) => {
    if (path === "") return listed(services, signal);
    const document = await (await services.outlines()).open(await noteOfDay(services, path));
    const outline = await document.read(signal);
    return {
      success: true,
      message: `Opened '${outline.name}'`,
      document: await documentResult(document, outline),
    };
  },
});

/** A note may be an outline, and that of a day has an address. */
async function noteOfDay({ vault }: Services, path: string): Promise<string> {
  if (!/^(?:dai|week|month|quarter|year)ly:/i.test(path.trim())) return path;
  const { resolveDay } = await import("../../vault/vault.ts");
  return resolveDay(await vault(), path);
}

async function listed(services: Services, signal: AbortSignal) {
  const found = await (await services.outlines()).openable(signal);
  const documents = found.map(({ path, name, isCurrent }) => ({ path, name, isCurrent }));
  const count = documents.length === 1 ? "1 document" : `${documents.length} documents`;
  return { success: true, message: `${count} can be opened`, documents };
}

export const createDocument = defineTool({
  ...SHARED,
  text: ownLines,
  name: "create_document",
  title: "Create an outline",
  description: "Create a new, empty outline and make it the current one. Never overwrites.",
  byDefault: false,
  effects: ADDS,
  input: { path: text("Path in the vault, or an allowed absolute one; ends in .opml, .ooutline or .md") },
  output: { success: flag(), message: text(), document: DOCUMENT, undoAvailable: flag() },
  run: async ({ path }, { services, author, signal }) => {
    const document = await (await services.outlines()).create(author, path);
    const outline = await document.read(signal);
    return {
      success: true,
      message: `Created '${outline.name}'`,
      document: await documentResult(document, outline),
      undoAvailable: true,
    };
  },
});
