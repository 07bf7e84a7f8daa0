// Files whose content must have a certain form: a change after which Obsidian could
// no longer open them is refused. Passed to the journal, which every change goes
// through; undo and redo, and changes of a file that was broken before, are allowed.
import { extname } from "node:path";
import { isRecord, parseJson, Problem } from "../../kernel/kernel.ts";
import { readNoteText, readYaml } from "../../markdown/markdown.ts";
import { hasOwnFormat } from "../media/file-types.ts";

interface TextFormat {
  readonly name: string;
  /** Says what is wrong; undefined if nothing is. */
  readonly fault: (text: string) => string | undefined;
  readonly hint: string;
}

const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  ".canvas": {
    name: "canvas",
    fault: (text) => (text.trim() === "" || isRecord(parseJson(text)) ? undefined : "it would not be a JSON object"),
    hint: 'A canvas is JSON: {"nodes": [{"id", "type": "text", "text", "x", "y", "width", "height"}], "edges": []}. Read it with raw: true, and change the JSON within its lists.',
  },
  ".base": {
    name: "base",
    fault: (text) => {
      const read = readYaml(text);
      if ("fault" in read) return `it would not be valid YAML (${read.fault})`;
      const isBase = read.value === null || read.value === undefined || isRecord(read.value);
      return isBase ? undefined : "it would not be a list of names and values";
    },
    hint: "A base is YAML with filters, formulas, properties and views. Read it with raw: true, and change the YAML within its parts.",
  },
};

export function checkFormat(path: string, after: () => Uint8Array, before: (() => Uint8Array) | undefined): void {
  const format = TEXT_FORMATS[extname(path).toLowerCase()];
  if (format !== undefined) checkText(path, format, after, before);
  // Also a change of a PDF whose bytes are all ASCII: its table of offsets would no longer fit.
  else if (hasOwnFormat(path) && textIn(after()) !== undefined) {
    const extension = extname(path).slice(1);
    throw new Problem(
      "invalid",
      before === undefined
        ? `${path} would not be a ${extension} file, since its content is text. Nothing was changed.`
        : `${path} is a ${extension} file, which cannot be edited as text. Nothing was changed.`,
      "Write the text into a note (.md). Only the person can add or edit files of that kind.",
    );
  }
}

function checkText(
  path: string,
  { name, fault, hint }: TextFormat,
  after: () => Uint8Array,
  before: (() => Uint8Array) | undefined,
): void {
  const found = fault(readNoteText(after()).text);
  if (found === undefined || (before !== undefined && wasBroken(before(), fault))) return;
  const could = before === undefined ? "could not" : "could no longer";
  throw new Problem("invalid", `${path} ${could} be read as a ${name}: ${found}. Nothing was changed.`, hint);
}

function wasBroken(bytes: Uint8Array, fault: TextFormat["fault"]): boolean {
  const text = textIn(bytes);
  return text === undefined || fault(text) !== undefined;
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return readNoteText(bytes).text;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
