// Tools that change the text of one note: contentManager_createContent,
// _appendContent, _prependContent, _replaceContent, _replaceByLine,
// _deleteContent and _findReplaceContent.
import { Problem } from "../../kernel/kernel.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES } from "../definition/effects.ts";
import { flag, integer, list, number, optional, record, text, unlisted, withDefault } from "../definition/schema.ts";
import {
  UNLISTED_HASH,
  CONTENT,
  dataOutput,
  DAY_PATH,
  FILE_PATH,
  HEADING,
  noteOutput,
  noteTouched,
  OWN,
  SHARED,
  WRITE,
} from "./fields.ts";

export const createContent = defineTool({
  ...SHARED,
  name: "contentManager_createContent",
  title: "Create a note",
  description:
    "Create a new note: make, start or save a new page or new file in the vault, write text in it; from a template, with values for its {{names}}. Fails if the note exists.",
  byDefault: true,
  effects: ADDS,
  input: {
    filePath: FILE_PATH,
    content: CONTENT,
    template: optional(text()),
    values: optional(record()),
    ...CONTEXT,
  },
  output: noteOutput({
    filePath: text(),
    created: integer(),
    contentHash: text(),
    /** Names of the template that no value was given for. */
    unfilled: optional(list(text())),
  }),
  touches: noteTouched,
  run: async ({ filePath, content, template, values }, { services, author }) => {
    const { create, editNote, textOfNewNote } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const filling = { template: template || undefined, values };
    const { text: whole, unfilled, unused } = await textOfNewNote(vault, filePath, content, filling);
    if (unused !== undefined) author.onWarning(`The note was created without the template of the day: ${unused}`);
    const { path, contentHash } = await editNote(vault, author, { filePath, change: create(whole) });
    const data = { filePath: path, created: Date.now(), contentHash, ...(unfilled.length > 0 && { unfilled }) };
    return { success: true, data };
  },
});

export const appendContent = defineTool({
  ...SHARED,
  name: "contentManager_appendContent",
  title: "Append to a note",
  description:
    "Add text to a note, at its end (bottom, last) or the end of a section: add an item to a list, add an entry to a log, diary or journal, continue a note.",
  byDefault: true,
  effects: ADDS,
  input: { filePath: DAY_PATH, content: CONTENT, heading: HEADING, ...UNLISTED_HASH, ...CONTEXT },
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
  ...OWN,
  name: "contentManager_prependContent",
  title: "Prepend to a note",
  description:
    "Add text at the top of a note: put or insert it at the beginning (first line), the newest entry first; or directly below a heading.",
  byDefault: true,
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, ...UNLISTED_HASH, ...OPTIONAL_CONTEXT },
  output: dataOutput({
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
  ...OWN,
  name: "contentManager_replaceContent",
  title: "Edit a note",
  description:
    "Edit a note: change, replace, correct, fix a typo, update, rewrite, swap or take out a passage or line. oldContent, which occurs once, becomes newContent. Ticks a task: - [ ] to - [x].",
  byDefault: true,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    oldContent: text(""),
    newContent: text(""),
    similarityThreshold: unlisted(number("1: identical", { minimum: 0, maximum: 1 })),
    /** newContent is the whole note, as it was edited since expectedHash was read. For the page. */
    whole: unlisted(flag()),
    ...WRITE,
  },
  output: dataOutput({
    filePath: text(),
    line: integer(),
    replacedText: text(),
    similarity: number(),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async (sent, { services, author }) => {
    const { filePath, oldContent, newContent, similarityThreshold, whole = false, expectedHash } = sent;
    const { editNote, replace, rewrite } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    if (whole && expectedHash === undefined)
      throw new Problem("invalid", "whole needs expectedHash.", "Send the contentHash of the note that was edited.");
    const change = whole ? rewrite(newContent) : replace(oldContent, newContent, similarityThreshold);
    const edit = { filePath, expectedHash, change };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});

export const replaceByLine = defineTool({
  ...OWN,
  name: "contentManager_replaceByLine",
  title: "Replace lines of a note",
  description: "Replace lines of a note by number, first to last. Read it with includeLineNumbers first.",
  byDefault: false,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    startLine: integer("First line, from 1", { minimum: 1 }),
    endLine: integer("Last line", { minimum: 1 }),
    newContent: text(""),
    ...WRITE,
  },
  output: dataOutput({ filePath: text(), replacedText: text(), contentHash: text() }),
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
  ...OWN,
  name: "contentManager_deleteContent",
  title: "Delete text from a note",
  description: "Cut a passage out of a note, given exactly; it must occur once. The note stays.",
  byDefault: false,
  effects: CHANGES,
  input: { filePath: FILE_PATH, content: text("The passage as it is", { missing: "Content is required" }), ...WRITE },
  output: dataOutput({
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
  ...OWN,
  name: "contentManager_findReplaceContent",
  title: "Find and replace in a note",
  description:
    "Find and replace a word or phrase everywhere in a note: the first occurrence, or all (every one). Both texts are literal.",
  byDefault: false,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    findText: text("What to find"),
    replaceText: text(""),
    replaceAll: withDefault(flag("All of them, not only the first"), false),
    caseSensitive: withDefault(flag("A and a differ"), true),
    wholeWord: withDefault(flag("Not within longer words"), false),
    ...WRITE,
  },
  output: dataOutput({ filePath: text(), count: integer(), contentHash: text() }),
  touches: noteTouched,
  run: async ({ filePath, expectedHash, context: _, ...request }, { services, author }) => {
    const { editNote, findReplace } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: findReplace(request) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, count: facts.count, contentHash } };
  },
});
