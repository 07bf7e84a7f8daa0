// contentManager_batchContent: several edits in one step, all or nothing.
import { Problem } from "../../kernel/kernel.ts";
import type * as Vaults from "../../vault/vault.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import type { Values } from "../definition/field.ts";
import {
  choice,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  record,
  resultObject,
  text,
  withDefault,
} from "../definition/schema.ts";
import { FILE_PATH, dataOutput, OWN } from "./fields.ts";

const TYPES = [
  "create",
  "append",
  "prepend",
  "replace",
  "replaceByLine",
  "delete",
  "findReplace",
  "updateProperties",
] as const;

const OPERATION = {
  type: choice(TYPES, "Which edit"),
  filePath: FILE_PATH,
  expectedHash: optional(text("contentHash of the last read")),
  content: optional(text("For create, append, prepend, delete")),
  heading: optional(text("For append, prepend")),
  oldContent: optional(text("For replace")),
  newContent: optional(text("For replace, replaceByLine")),
  similarityThreshold: withDefault(number("For replace", { minimum: 0, maximum: 1 }), 0.95),
  startLine: optional(integer("For replaceByLine", { minimum: 1 })),
  endLine: optional(integer("For replaceByLine", { minimum: 1 })),
  findText: optional(text("For findReplace")),
  replaceText: optional(text("For findReplace")),
  replaceAll: withDefault(flag("For findReplace"), false),
  caseSensitive: withDefault(flag("For findReplace"), true),
  wholeWord: withDefault(flag("For findReplace"), false),
  set: optional(record("For updateProperties")),
  add: optional(record("For updateProperties")),
  remove: optional(record("For updateProperties")),
  unset: optional(list(text(), "For updateProperties")),
};

/** The fields of each edit, besides those of all. */
const FIELDS_OF: Readonly<Record<(typeof TYPES)[number], readonly (keyof typeof OPERATION)[]>> = {
  create: ["content"],
  append: ["content", "heading"],
  prepend: ["content", "heading"],
  replace: ["oldContent", "newContent", "similarityThreshold"],
  replaceByLine: ["startLine", "endLine", "newContent"],
  delete: ["content"],
  findReplace: ["findText", "replaceText", "replaceAll", "caseSensitive", "wholeWord"],
  updateProperties: ["set", "add", "remove", "unset"],
};

interface EditedNote {
  readonly filePath: string;
  readonly contentHash: string;
  /** Facts about the edit, such as `count`: see the vault's changes. */
  readonly [fact: string]: unknown;
}

type Operation = Values<typeof OPERATION>;

export const batchContent = defineTool({
  ...OWN,
  name: "contentManager_batchContent",
  title: "Several edits",
  description: "Several edits in one step, of one note or many: all or none, and one undo takes all back.",
  byDefault: false,
  effects: CHANGES,
  input: {
    operations: {
      ...list(object(OPERATION, "One edit", { variants: { by: "type", fields: FIELDS_OF } }), "The edits", 100),
      sample: [{ type: "append", filePath: "Folder/Note.md", content: "Text" }],
    },
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    results: list(resultObject<EditedNote>()),
  }),
  touches: ({ operations = [] }, result) =>
    (result?.data.results.slice(0) ?? operations).map(({ filePath }) => filePath),
  run: async ({ operations }, { services, author }) => {
    if (operations.length === 0) throw new Problem("invalid", "operations must have at least one edit");
    const vaults = await import("../../vault/vault.ts");
    const edits = operations.map((operation, i) => ({
      filePath: operation.filePath,
      label: `operations[${i}]`,
      expectedHash: operation.expectedHash,
      change: changeOf(vaults, operation, `operations[${i}]`),
    }));
    const edited = await vaults.editNotes(await services.vault(), author, edits);
    const results = edited.map(({ path, contentHash, facts, created }) => ({
      filePath: path,
      ...facts,
      contentHash,
      ...(created && { created }),
    }));
    return { success: true, data: { results } };
  },
});

function changeOf(vaults: typeof Vaults, operation: Operation, where: string): Vaults.Change {
  const need = <K extends keyof Operation>(key: K): NonNullable<Operation[K]> => {
    const value = operation[key];
    if (value === undefined) throw new Problem("invalid", `${where}.${key} is required for ${operation.type}`);
    return value as NonNullable<Operation[K]>;
  };
  switch (operation.type) {
    case "create":
      return vaults.create(need("content"));
    case "append":
      return vaults.append(need("content"), operation.heading);
    case "prepend":
      return vaults.prepend(need("content"), operation.heading);
    case "replace":
      return vaults.replace(need("oldContent"), need("newContent"), operation.similarityThreshold);
    case "replaceByLine":
      return vaults.replaceByLine(need("startLine"), need("endLine"), need("newContent"));
    case "delete":
      return vaults.deleteContent(need("content"));
    case "findReplace": {
      const { replaceAll, caseSensitive, wholeWord } = operation;
      return vaults.findReplace({
        findText: need("findText"),
        replaceText: need("replaceText"),
        replaceAll,
        caseSensitive,
        wholeWord,
      });
    }
    case "updateProperties":
      return vaults.setProperties(operation);
  }
}
