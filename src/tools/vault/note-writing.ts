// Tools that change the text of one note: contentManager_createContent,
// _appendContent, _prependContent, _replaceContent, _replaceByLine,
// _deleteContent and _findReplaceContent.
import { CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES } from "../definition/effects.ts";
import { flag, integer, number, text, withDefault } from "../definition/schema.ts";
import { CONTENT, EXPECTED_HASH, FILE_PATH, HEADING, noteOutput, WRITE, noteTouched, SHARED } from "./fields.ts";

export const createContent = defineTool({
  ...SHARED,
  name: "contentManager_createContent",
  title: "Create a note",
  description: "Create a note; missing folders are made, .md is added. Fails if it exists.",
  byDefault: true,
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, ...CONTEXT },
  output: noteOutput({ filePath: text(), created: integer(), contentHash: text() }),
  touches: noteTouched,
  run: async ({ filePath, content }, { services, author }) => {
    const { create, editNote } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const { path, contentHash } = await editNote(vault, author, { filePath, change: create(content) });
    return { success: true, data: { filePath: path, created: Date.now(), contentHash } };
  },
});

export const appendContent = defineTool({
  ...SHARED,
  name: "contentManager_appendContent",
  title: "Append to a note",
  description: "Add to the end of a note, or of one section of it.",
  byDefault: true,
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, expectedHash: EXPECTED_HASH, ...CONTEXT },
  output: noteOutput({
    filePath: text(),
    appendedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async ({ filePath, content, heading, expectedHash }, { services, author }) => {
    const { append, editNote } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: append(content, heading) };
    const { path, text: now, contentHash, facts } = await editNote(vault, author, edit);
    const { appendedLength } = facts;
    return { success: true, data: { filePath: path, appendedLength, totalLength: now.length, contentHash } };
  },
});

export const prependContent = defineTool({
  ...SHARED,
  name: "contentManager_prependContent",
  title: "Prepend to a note",
  description: "Add to the top of a note, below its frontmatter, or right below a heading.",
  byDefault: false,
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, ...WRITE },
  output: noteOutput({
    filePath: text(),
    prependedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async ({ filePath, content, heading, expectedHash }, { services, author }) => {
    const { editNote, prepend } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: prepend(content, heading) };
    const { path, text: now, contentHash, facts } = await editNote(vault, author, edit);
    const { prependedLength } = facts;
    return { success: true, data: { filePath: path, prependedLength, totalLength: now.length, contentHash } };
  },
});

export const replaceContent = defineTool({
  ...SHARED,
  name: "contentManager_replaceContent",
  title: "Replace text in a note",
  description: "Replace a unique passage of a note; small differences are forgiven.",
  byDefault: true,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    oldContent: text(""),
    newContent: text(""),
    similarityThreshold: withDefault(number("1: identical", { minimum: 0, maximum: 1 }), 0.95),
    ...WRITE,
  },
  output: noteOutput({
    filePath: text(),
    line: integer(),
    replacedText: text(),
    similarity: number(),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async ({ filePath, oldContent, newContent, similarityThreshold, expectedHash }, { services, author }) => {
    const { editNote, replace } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: replace(oldContent, newContent, similarityThreshold) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});

export const replaceByLine = defineTool({
  ...SHARED,
  name: "contentManager_replaceByLine",
  title: "Replace lines of a note",
  description: "Replace lines of a note by number, both ends included. Read it with line numbers first.",
  byDefault: false,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    startLine: integer("First line, from 1", { minimum: 1 }),
    endLine: integer("Last line", { minimum: 1 }),
    newContent: text(""),
    ...WRITE,
  },
  output: noteOutput({ filePath: text(), replacedText: text(), contentHash: text() }),
  touches: noteTouched,
  run: async ({ filePath, startLine, endLine, newContent, expectedHash }, { services, author }) => {
    const { editNote, replaceByLine } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: replaceByLine(startLine, endLine, newContent) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});

export const deleteContent = defineTool({
  ...SHARED,
  name: "contentManager_deleteContent",
  title: "Delete text from a note",
  description: "Delete one passage of a note, given exactly. It must be unique.",
  byDefault: false,
  effects: CHANGES,
  input: { filePath: FILE_PATH, content: text("The passage as it is", { missing: "Content is required" }), ...WRITE },
  output: noteOutput({
    filePath: text(),
    line: integer(),
    deletedText: text(),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async ({ filePath, content, expectedHash }, { services, author }) => {
    const { deleteContent, editNote } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: deleteContent(content) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});

export const findReplaceContent = defineTool({
  ...SHARED,
  name: "contentManager_findReplaceContent",
  title: "Find and replace in a note",
  description: "Replace a word or phrase in a note, the first or all. Both texts are literal.",
  byDefault: false,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    findText: text("What to find"),
    replaceText: text(""),
    replaceAll: withDefault(flag("All of them, not only the first"), false),
    caseSensitive: withDefault(flag("A and a differ"), true),
    wholeWord: withDefault(flag("Not inside of longer words"), false),
    ...WRITE,
  },
  output: noteOutput({ filePath: text(), count: integer(), contentHash: text() }),
  touches: noteTouched,
  run: async ({ filePath, expectedHash, context: _, ...request }, { services, author }) => {
    const { editNote, findReplace } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: findReplace(request) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, count: facts.count, contentHash } };
  },
});
