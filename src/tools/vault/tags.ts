// vaultLibrarian_tags: the tags of the vault, and a new name for one of them.
import { counted, Problem } from "../../kernel/kernel.ts";
import type { TagRenameReport } from "../../vault/vault.ts";
import { asLines } from "../call/result-lines.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { type Call, defineTool } from "../definition/define-tool.ts";
import { CHANGES, READS } from "../definition/effects.ts";
import type { Values } from "../definition/field.ts";
import {
  confirmation,
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
import { askEveryVault, UNAVAILABLE } from "./every-vault.ts";
import { dataOutput, FRESHNESS, SHARED } from "./fields.ts";

const FILTER = { filter: optional(text("Part of a tag")) };

/** The number of paths that a call leaves in memory. */
const MAX_TRACED = 50;

const OUTPUT = {
  ...dataOutput({
    /** Vaults that were asked, if they are several. */
    vaults: unlisted(list(text())),
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
  ...UNAVAILABLE,
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
    confirmed: withDefault(confirmation("Do it"), false),
    ...OPTIONAL_CONTEXT,
  },
  touches: (_, result) => result?.data.notes?.slice(0, MAX_TRACED).map(({ path }) => path) ?? [],
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
  const { tags: all, vaults, missing, freshness } = await tagsOfAll(call.services);
  const wanted = filter.replace(/^#/, "").toLowerCase();
  return {
    success: true,
    data: {
      ...(vaults !== undefined && { vaults }),
      tags: all.filter(({ tag }) => tag.toLowerCase().includes(wanted)),
    },
    ...missing,
    ...freshness,
  };
}

/** The tags of every vault that a call is about, with the number of notes in all of them; the most frequent first. */
export async function tagsOfAll(services: Call["services"]) {
  const { answers, missing } = await askEveryVault(services, (vault) => vault.index.tags());
  const counts = new Map<string, { tag: string; count: number }>();
  for (const { answer } of answers)
    for (const { tag, count } of answer.answer) {
      const key = tag.toLowerCase();
      const known = counts.get(key);
      counts.set(key, { tag: known?.tag ?? tag, count: (known?.count ?? 0) + count });
    }
  const [first, ...others] = answers;
  const stale = answers.find(({ answer }) => answer.stale)?.answer;
  const { answer: _, ...freshness } = stale ?? { answer: undefined };
  const all = [...counts.values()];
  return {
    // Of one vault they are in the order of its index.
    tags: others.length === 0 ? first!.answer.answer : all.toSorted((a, b) => b.count - a.count),
    vaults: others.length === 0 ? undefined : answers.map(({ in: { vault = "" } }) => vault),
    missing,
    freshness,
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
