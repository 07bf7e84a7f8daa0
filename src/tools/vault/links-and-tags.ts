// vaultLibrarian_links and _tags: what the index knows of a vault besides its text.
import type { LinkFound, LinkType } from "../../vault/vault.ts";
import {
  choice,
  integer,
  list,
  object,
  optional,
  text,
  withDefault,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { asLines } from "../call/result-lines.ts";
import { READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { dataOutput, FRESHNESS, pathTouched, SHARED } from "./fields.ts";

const LINK_TYPES = ["backlinks", "outgoing", "unresolved", "orphans"] as const satisfies readonly LinkType[];

const READING = { ...SHARED, effects: READS } as const;

export const links = defineTool({
  ...READING,
  name: "vaultLibrarian_links",
  title: "Links of a note",
  description:
    "Which notes link here? Backlinks of a note: who links, points or refers to the page; outgoing links, broken (unresolved) links, orphans.",
  byDefault: true,
  pages: "data.links",
  input: {
    path: text("Note or folder", { missing: "Path is required" }),
    type: withDefault(choice(LINK_TYPES), "backlinks"),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({ path: text(), links: list(resultObject<LinkFound>()), type: unlisted(choice(LINK_TYPES)) }),
    ...FRESHNESS,
  },
  touches: pathTouched,
  text: ({ data: { path, type, links }, success: _, ...facts }) => ({
    head: [
      links.length === 0 ? `No ${type} of ${path || "the vault"}` : `The ${type} of ${path || "the vault"}`,
      asLines(facts),
    ]
      .filter((line) => line !== "")
      .join("\n"),
    words: links.map(lineOf).join("\n"),
  }),
  run: async ({ path: sent, type }, { services, signal }) => {
    const { linksOf } = await import("../../vault/vault.ts");
    const { freshness, path, links } = await linksOf(await services.vault(), sent, type, signal);
    // Of one note every link has the same end: the note itself.
    const own = type === "backlinks" ? "to" : type === "orphans" ? undefined : "from";
    const isOfNote = own !== undefined && links.every((link) => link[own] === path);
    const shown = isOfNote ? links.map((link) => ({ ...link, [own]: undefined })) : links;
    return { success: true, data: { path, links: shown, type }, ...(freshness.stale && freshness) };
  },
});

function lineOf({ from, to, target, count, path }: LinkFound): string {
  if (path !== undefined) return path;
  const leads = to === null || to === undefined ? (target ?? "") : target === undefined ? to : `${target} = ${to}`;
  const times = count === undefined || count === 1 ? "" : ` (${count} times)`;
  return `${[from, leads].filter(Boolean).join(" -> ")}${to === null ? " (leads nowhere)" : ""}${times}`;
}

export const tags = defineTool({
  ...READING,
  name: "vaultLibrarian_tags",
  title: "Tags of the vault",
  description: "Which tags (hashtags) there are in the vault, with how many notes have each.",
  byDefault: false,
  pages: "data.tags",
  input: { filter: optional(text("Part of a tag")), ...OPTIONAL_CONTEXT },
  output: { ...dataOutput({ tags: list(object({ tag: text(), count: integer() })) }), ...FRESHNESS },
  text: ({ data: { tags: found }, success: _, ...facts }) => ({
    head: asLines(facts),
    words: found.length === 0 ? "No tags" : found.map(({ tag, count }) => `#${tag} ${count}`).join("\n"),
  }),
  run: async ({ filter = "" }, { services }) => {
    const { answer, ...freshness } = await (await services.vault()).index.tags();
    const wanted = filter.replace(/^#/, "").toLowerCase();
    return {
      success: true,
      data: { tags: answer.filter(({ tag }) => tag.toLowerCase().includes(wanted)) },
      ...(freshness.stale && freshness),
    };
  },
});
