// vaultLibrarian_tags: the tags of the vault, and a new name for one of them.
import { counted, Problem } from "../../kernel/kernel.ts";
import type { TagRenameReport } from "../../vault/vault.ts";
import { asLines } from "../call/result-lines.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { type Call, defineTool } from "../definition/define-tool.ts";
import { CHANGES, READS } from "../definition/effects.ts";
import type { Values } from "../definition/field.ts";
import {
  flag,
  integer,
  list,
  object,
  optional,
  resultObject,
  text,
  unlisted,
  withDefault,
} from "../definition/schema.ts";
import { dataOutput, FRESHNESS, SHARED } from "./fields.ts";

const FILTER = { filter: optional(text("Part of a tag")) };

/** The number of paths that a call leaves in memory. */
const MOST_TRACED = 50;

const OUTPUT = {
  ...dataOutput({
    tags: optional(list(object({ tag: text(), count: integer() }))),
    notes: optional(list(resultObject<TagRenameReport["notes"][number]>())),
    renamed: unlisted(text()),
    places: unlisted(integer()),
    files: unlisted(integer()),
    links: unlisted(integer()),
    merges: unlisted(integer()),
    skipped: unlisted(list(resultObject<NonNullable<TagRenameReport["skipped"]>[number]>())),
  }),
  requiresConfirmation: unlisted(flag()),
  message: unlisted(text()),
  ...FRESHNESS,
};

type Result = Values<typeof OUTPUT>;

interface Asked {
  readonly filter?: string | undefined;
  readonly rename?: string | undefined;
  readonly newName?: string | undefined;
  readonly confirmed?: boolean | undefined;
}

const TAGS = {
  ...SHARED,
  name: "vaultLibrarian_tags",
  byDefault: false,
  returnsForeignText: true,
  pages: ["data.tags", "data.notes"],
  output: OUTPUT,
  text: ({ data: { tags, notes = [], skipped = [], ...about }, success: _, ...facts }: Result) => ({
    head: asLines({ ...about, ...facts }),
    words: [
      ...(tags?.map(({ tag, count }) => `#${tag} ${count}`) ?? notes.map(({ path, places }) => `${path} ${places}`)),
      ...skipped.map(({ path, reason }) => `not in ${path}: ${reason}`),
      ...(tags?.length === 0 ? ["No tags"] : []),
    ].join("\n"),
  }),
} as const;

export const tags = defineTool({
  ...TAGS,
  title: "Tags of the vault",
  description:
    "Which tags (hashtags) there are in the vault, with how many notes have each. With rename and newName: rename a tag everywhere, with the tags below it, in text and properties, or merge it into another; without confirmed it only shows which notes would change.",
  effects: CHANGES,
  asksToConfirm: true,
  timeLimit: 300_000,
  onlyReads: ({ rename, confirmed }) => rename === undefined || !confirmed,
  input: {
    ...FILTER,
    rename: optional(text("Tag to rename")),
    newName: optional(text()),
    confirmed: withDefault(flag("Do it"), false),
    ...OPTIONAL_CONTEXT,
  },
  touches: (_, result) => result?.data.notes?.slice(0, MOST_TRACED).map(({ path }) => path) ?? [],
  about: ({ rename, newName }) => (rename === undefined ? undefined : `#${rename} → #${newName}`),
  run: (input, call): Promise<Result> => answer(input, call),
  whenReadOnly: defineTool({
    ...TAGS,
    title: "Tags of the vault",
    description: "Which tags (hashtags) there are in the vault, with how many notes have each.",
    effects: READS,
    input: { ...FILTER, rename: unlisted(text()), newName: unlisted(text()), ...OPTIONAL_CONTEXT },
    run: (input, call): Promise<Result> => answer(input, call),
  }),
});

async function answer({ filter = "", rename, newName, confirmed = false }: Asked, call: Call): Promise<Result> {
  if (rename !== undefined || newName !== undefined) return renamed({ rename, newName, confirmed }, call);
  const { answer: all, ...freshness } = await (await call.services.vault()).index.tags();
  const wanted = filter.replace(/^#/, "").toLowerCase();
  return {
    success: true,
    data: { tags: all.filter(({ tag }) => tag.toLowerCase().includes(wanted)) },
    ...(freshness.stale && freshness),
  };
}

async function renamed({ rename, newName, confirmed = false }: Asked, call: Call): Promise<Result> {
  const { services, author, progress: onProgress } = call;
  if (services.settings.readOnly)
    throw new Problem("denied", "This server was started with --read-only: tags can be listed, not renamed.");
  if (rename === undefined || newName === undefined) {
    const missing = rename === undefined ? "rename" : "newName";
    throw new Problem("invalid", `${missing} is required`, 'For example: {"rename":"project","newName":"work"}');
  }
  const { previewTagRename, renameTag } = await import("../../vault/vault.ts");
  const change = confirmed ? renameTag : previewTagRename;
  const report = await change(await services.vault(), { ...author, onProgress }, { rename, newName });
  const { from, to, notes, places, links, merges, skipped } = report;
  const files = notes.length;
  const data = {
    renamed: `#${from} → #${to}`,
    places,
    files,
    ...(links !== undefined && { links }),
    ...(merges !== undefined && { merges }),
    ...(skipped !== undefined && { skipped }),
    notes,
  };
  if (confirmed) return { success: true, data };
  const merge = merges === undefined ? "" : ` #${to} is in ${counted(merges, "note")} already: the two become one tag.`;
  const message = `This will rename #${from} to #${to} in ${counted(places, "place")} of ${counted(files, "file")}.${merge} Set confirmed=true to proceed.`;
  return { success: false, requiresConfirmation: true, message, data };
}
