// vaultLibrarian_links: what leads to a note, and where a note leads.
import { byteCount, Problem } from "../../kernel/kernel.ts";
import type { LinkFound, LinkType } from "../../vault/vault.ts";
import { choice, flag, list, requested, text, withDefault, resultObject, unlisted } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { InvalidArgument } from "../definition/field.ts";
import { asLines } from "../call/result-lines.ts";
import { READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { askEveryVault, type InVault, notAsked, UNAVAILABLE } from "./every-vault.ts";
import { dataOutput, FRESHNESS, pathTouched, SHARED } from "./fields.ts";

/** Its vault, if several were asked. */
type ListedLink = LinkFound & InVault;

export const LINK_TYPES = [
  "backlinks",
  "outgoing",
  "unresolved",
  "orphans",
  "mentions",
  "around",
  "unusedAttachments",
  "missingAttachments",
  "similar",
] as const satisfies readonly LinkType[];

/** Without a path they are about the whole vault: nobody who asks for these means one note. */
export const OF_THE_VAULT: ReadonlySet<LinkType> = new Set([
  "unresolved",
  "orphans",
  "unusedAttachments",
  "missingAttachments",
]);

export const links = defineTool({
  ...SHARED,
  effects: READS,
  name: "vaultLibrarian_links",
  title: "Links of a note",
  description:
    "Which notes link here? Backlinks: what links, points or refers to the page; outgoing, broken (unresolved) links, orphans; unused or missing attachments; similar notes.",
  byDefault: true,
  pages: "data.links",
  input: {
    path: requested(text("Note or folder")),
    type: withDefault(choice(LINK_TYPES), "backlinks"),
    snippets: unlisted(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({
      path: text(),
      links: list(resultObject<ListedLink>()),
      type: unlisted(choice(LINK_TYPES)),
      /** Vaults that were asked, if they are several. */
      vaults: unlisted(list(text())),
    }),
    hint: unlisted(text()),
    ...UNAVAILABLE,
    ...FRESHNESS,
  },
  touches: pathTouched,
  text: ({ data: { path, type, links, vaults }, success: _, hint, unavailable, ...facts }) => ({
    // The hint, which stands below every text, is all there is to say.
    head: [
      ...(hint === undefined
        ? [
            `${links.length === 0 ? "No" : "The"} ${IN_WORDS[type ?? "backlinks"]} ${path || (vaults === undefined ? "the vault" : `the vaults ${vaults.join(", ")}`)}`,
          ]
        : []),
      ...notAsked(unavailable),
      asLines(facts),
    ]
      .filter((line) => line !== "")
      .join("\n"),
    words: links.map(linkLine).join("\n"),
  }),
  run: async ({ path: named, type, snippets }, { services, signal }) => {
    const { linksOf } = await import("../../vault/vault.ts");
    if (["", ".", "/"].includes(named ?? "") && OF_THE_VAULT.has(type) && services.askedVaults.length > 1) {
      const { answers, missing } = await askEveryVault(services, (vault) =>
        linksOf(vault, { path: "/", type, snippets }, signal),
      );
      const links = answers.flatMap(({ answer, in: place }) => answer.links.map((link) => ({ ...link, ...place })));
      const stale = answers.find(({ answer }) => answer.freshness.stale)?.answer.freshness;
      const vaults = answers.map(({ in: { vault = "" } }) => vault);
      return { success: true, data: { path: "", links, type, vaults }, ...missing, ...stale };
    }
    const sent = named ?? (OF_THE_VAULT.has(type) ? "/" : undefined);
    if (sent === undefined) throw new InvalidArgument("path", new Problem("invalid", "Path is required"));
    const { freshness, path, links, hint } = await linksOf(
      await services.vault(),
      { path: sent, type, snippets },
      signal,
    );
    // If one note is asked about, every link has the same end: the note itself.
    const own = OWN_ENDS[type];
    const isOfNote = own !== undefined && links.every((link) => link[own] === path);
    const shown: readonly ListedLink[] = isOfNote ? links.map((link) => ({ ...link, [own]: undefined })) : links;
    return {
      success: true,
      data: { path, links: shown, type },
      ...(hint !== undefined && { hint }),
      ...(freshness.stale && freshness),
    };
  },
});

/** Before the name of a note or folder. */
export const IN_WORDS: Readonly<Record<LinkType, string>> = {
  backlinks: "backlinks of",
  outgoing: "outgoing links of",
  unresolved: "unresolved links of",
  orphans: "orphans of",
  mentions: "mentions without a link of",
  around: "links around",
  unusedAttachments: "unused attachments of",
  missingAttachments: "missing attachments of",
  similar: "notes similar to",
};

/** The end of each link that is the note itself. */
const OWN_ENDS: Partial<Record<LinkType, "from" | "to">> = {
  backlinks: "to",
  outgoing: "from",
  unresolved: "from",
  missingAttachments: "from",
};

/** For models and for people. */
export function linkLine({ vault, ...link }: ListedLink): string {
  return vault === undefined ? endsOf(link) : `${vault}: ${endsOf(link)}`;
}

function endsOf({ from, to, target, count, path, size, expected, snippet, nearness }: LinkFound): string {
  if (nearness !== undefined) return `${path} | ${nearness} | ${snippet}`;
  if (path !== undefined) return size === undefined ? path : `${path} (${byteCount(size)})`;
  const leads = to === null || to === undefined ? (target ?? "") : target === undefined ? to : `${target} = ${to}`;
  const times = count === undefined || count === 1 ? "" : ` (${count} times)`;
  return `${[from, leads].filter(Boolean).join(" -> ")}${to === null ? " (leads nowhere)" : ""}${times}${snippet === undefined ? "" : `: ${snippet}`}${expected === undefined ? "" : ` (expected at ${expected})`}`;
}
