// Tools that change the text of one note: contentManager_createContent,
// _appendContent, _prependContent, _replaceContent, _replaceByLine,
// _deleteContent and _findReplaceContent.
import { Problem } from "../../kernel/kernel.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES } from "../definition/effects.ts";
import { flag, integer, list, number, optional, record, text, unlisted, withDefault } from "../definition/schema.ts";
import {
  BEGUN,
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

/** The next ones of recurring tasks that the edit ticked. */
const NEXT_TASKS = { nextTasks: unlisted(list(text())) };

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
    "Add to a note: append, add or write text at its end (bottom, last) or the end of a section; add an item to a list, add an entry to a log, diary or journal, continue the note. With atTop prepend: insert or put it at the beginning, first line, before the rest, newest first.",
  byDefault: true,
  effects: ADDS,
  input: {
    filePath: DAY_PATH,
    content: CONTENT,
    heading: HEADING,
    atTop: optional(flag()),
    ...UNLISTED_HASH,
    ...CONTEXT,
  },
  output: noteOutput({
    filePath: text(),
    appendedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
    ...BEGUN,
  }),
  touches: noteTouched,
  run: async ({ filePath, content, heading, atTop = false, expectedHash }, { services, author }) => {
    const { append, editNote, prepend } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const change = (atTop ? prepend : append)(content, heading);
    const {
      path,
      text: now,
      contentHash,
      created,
    } = await editNote<object>(vault, author, { filePath, expectedHash, change });
    const lengths = { appendedLength: content.length, totalLength: now.length };
    return { success: true, data: { filePath: path, ...lengths, contentHash, ...(created && { created }) } };
  },
});

/** Not listed by default: appendContent does it with atTop. */
export const prependContent = defineTool({
  ...OWN,
  name: "contentManager_prependContent",
  title: "Prepend to a note",
  description:
    "Add text at the top of a note: put or insert it at the beginning, before the rest (first line), the newest entry first; or directly below a heading.",
  byDefault: false,
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, ...UNLISTED_HASH, ...OPTIONAL_CONTEXT },
  output: dataOutput({
    filePath: text(),
    prependedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
    ...BEGUN,
  }),
  touches: noteTouched,
  run: async ({ filePath, content, heading, expectedHash }, { services, author }) => {
    const { editNote, prepend } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: prepend(content, heading) };
    const { path, text: now, facts, contentHash, created } = await editNote(vault, author, edit);
    const data = { filePath: path, ...facts, totalLength: now.length, contentHash, ...(created && { created }) };
    return { success: true, data };
  },
});

export const replaceContent = defineTool({
  ...OWN,
  name: "contentManager_replaceContent",
  title: "Edit a note",
  description:
    "Edit a note: change, replace, correct, fix a typo, update, rewrite, swap or take out a passage, sentence, number or line. oldContent, which occurs once, becomes newContent; with all everywhere.",
  byDefault: true,
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    oldContent: text(""),
    newContent: text(""),
    all: optional(flag()),
    expectedCount: optional(integer("")),
    similarityThreshold: unlisted(number("1: identical", { minimum: 0, maximum: 1 })),
    /** newContent is the whole note, as it was edited since expectedHash was read. For the page. */
    whole: unlisted(flag()),
    /** The entry of the save before, to which this one is added; empty for the first of a visit. For the page. */
    visit: unlisted(text()),
    ...WRITE,
  },
  output: dataOutput({
    filePath: text(),
    line: optional(integer()),
    replacedText: optional(text()),
    similarity: optional(number()),
    /** How often it was replaced, with all. */
    count: optional(integer()),
    contentHash: text(),
    /** Of the history, for the page. */
    entry: unlisted(text()),
    ...NEXT_TASKS,
  }),
  touches: noteTouched,
  run: async (sent, { services, author, isForModel }) => {
    const { filePath, oldContent, newContent, similarityThreshold, whole = false, expectedHash, visit } = sent;
    const { all = false, expectedCount } = sent;
    const { editNote, replace, replaceEverywhere, rewrite } = await import("../../vault/vault.ts");
    const { tickingTasks } = await import("../../tasks/tasks.ts");
    const vault = await services.vault();
    if (whole && expectedHash === undefined)
      throw new Problem("invalid", "whole needs expectedHash.", "Send the contentHash of the note that was edited.");
    if (expectedCount !== undefined && !all && expectedCount !== 1)
      throw new Problem("invalid", "expectedCount is for all: true.", "Without all, oldContent must occur once.");
    const once = whole ? rewrite(newContent) : replace(oldContent, newContent, similarityThreshold);
    const change = all && !whole ? replaceEverywhere(oldContent, newContent, expectedCount) : once;
    // A person who edits the whole note ticks in the text alone, as in any editor.
    const made = whole ? change : await tickingTasks<object>(vault, change);
    let entry: string | undefined;
    const onWritten: typeof author.onWritten = (written) => {
      entry = written.id;
      author.onWritten?.(written);
    };
    const visitor = visit === undefined || isForModel ? author : { ...author, visit, onWritten };
    const { path, contentHash, facts } = await editNote<object>(vault, visitor, {
      filePath,
      expectedHash,
      change: made,
    });
    const data = { filePath: path, ...(facts as ReplacedFacts), contentHash };
    return { success: true, data: { ...data, ...(entry !== undefined && { entry }) } };
  },
});

interface ReplacedFacts {
  readonly line?: number;
  readonly replacedText?: string;
  readonly similarity?: number;
  readonly count?: number;
  readonly nextTasks?: readonly string[];
}

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
  output: dataOutput({ filePath: text(), replacedText: text(), contentHash: text(), ...NEXT_TASKS }),
  touches: noteTouched,
  run: async ({ filePath, startLine, endLine, newContent, expectedHash }, { services, author }) => {
    const { editNote, replaceByLine } = await import("../../vault/vault.ts");
    const { tickingTasks } = await import("../../tasks/tasks.ts");
    const vault = await services.vault();
    const change = await tickingTasks(vault, replaceByLine(startLine, endLine, newContent));
    const edit = { filePath, expectedHash, change };
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
