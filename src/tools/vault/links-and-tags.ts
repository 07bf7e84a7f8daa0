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
    "Which notes link here? Backlinks of a note: who links, points or refers to the page, before you delete it; outgoing links, broken (unresolved) links, orphans.",
  byDefault: true,
  pages: "data.links",
  input: {
    path: text("Note or folder; / is the whole vault", { missing: "Path is required" }),
    type: withDefault(choice(LINK_TYPES), "backlinks"),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({ path: text(), links: list(resultObject<LinkFound>()), type: unlisted(choice(LINK_TYPES)) }),
    ...FRESHNESS,
  },
  touches: pathTouched,
  run: async ({ path, type }, { services, signal }) => {
    const { linksOf } = await import("../../vault/vault.ts");
    const { freshness, ...data } = await linksOf(await services.vault(), path, type, signal);
    return { success: true, data: { ...data, type }, ...(freshness.stale && freshness) };
  },
});

export const tags = defineTool({
  ...READING,
  name: "vaultLibrarian_tags",
  title: "Tags of the vault",
  description: "Which tags (hashtags) there are in the vault, with how many notes have each.",
  byDefault: false,
  pages: "data.tags",
  input: { filter: optional(text("Part of a tag")), ...OPTIONAL_CONTEXT },
  output: { ...dataOutput({ tags: list(object({ tag: text(), count: integer() })) }), ...FRESHNESS },
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
