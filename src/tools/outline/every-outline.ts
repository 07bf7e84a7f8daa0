// Every outline file that is configured, in a configured folder or vault, or was
// opened: for what looks in all of them, and to find a row by its id.
import { Problem } from "../../kernel/kernel.ts";
import type { Outline, OutlineDocument } from "../../outline/outline.ts";
import type { Services } from "../definition/define-tool.ts";

const OUTLINE = /\.(?:opml|ooutline|oo3)$/i;
/** In a package, which is a folder. */
const CONTENTS = /(\.(?:ooutline|oo3))\/contents\.xml$/i;

export interface ReadOutline {
  readonly outline: Outline;
  readonly document: OutlineDocument;
}

/** Outlines that can be read, the current one first. Damaged files are reported by the tools that open them. */
export async function* everyOutline(services: Services, signal?: AbortSignal): AsyncGenerator<ReadOutline> {
  const outlines = await services.outlines();
  const seen = new Set<string>();
  const readOnce = async (open: () => Promise<OutlineDocument | undefined>): Promise<ReadOutline | undefined> => {
    try {
      const document = await open();
      const outline = await document?.read(signal);
      if (document === undefined || outline === undefined) return undefined;
      const key = keyOf(outline);
      if (seen.has(key)) return undefined;
      seen.add(key);
      return { outline, document };
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };
  const ofPerson = await outlines.currentOfPerson().catch(unlessProblem);
  // The guide that nobody has changed: what is in it is not the person's.
  const current = ofPerson === undefined ? await outlines.currentIfThere().catch(unlessProblem) : undefined;
  const guide = await current?.read(signal).catch(unlessProblem);
  if (guide !== undefined) seen.add(keyOf(guide));
  const opening: (() => Promise<OutlineDocument | undefined>)[] = [
    async () => ofPerson,
    ...outlines.inUse().map((document) => async () => document),
    ...(await outlines.inFolders(signal)).map(
      ({ path }) =>
        () =>
          outlines.at(path),
    ),
  ];
  for (const { vault: open } of services.askedVaults) {
    const vault = await open().catch(unlessProblem);
    const files = vault === undefined ? [] : (await vault.index.files(signal)).answer.files;
    for (const { path } of files)
      if (OUTLINE.test(path) || CONTENTS.test(path))
        opening.push(() => outlines.at(path.replace(CONTENTS, "$1"), vault));
  }
  for (const open of opening) {
    const read = await readOnce(open);
    if (read !== undefined) yield read;
  }
}

/** Two vaults may have an outline of the same path. */
function keyOf({ path, name, version }: Outline): string {
  return `${path ?? name}\n${version}`;
}

/** The arguments that name a row. */
export const ROW_ARGUMENTS = ["rowId", "parentId", "newParentId", "siblingId"] as const;

/**
 * The path of the only outline that has all of these rows; undefined if none has, or several have.
 * @param isTopicTaken a topic that exactly one of its rows has is taken for the id
 */
export async function outlineWithRows(
  services: Services,
  ids: readonly string[],
  isTopicTaken: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const { isRowOf } = await import("../../outline/outline.ts");
  const having: string[] = [];
  for await (const { outline } of everyOutline(services, signal))
    if (ids.every((id) => isRowOf(outline, id, isTopicTaken))) having.push(outline.path ?? outline.name);
  return having.length === 1 ? having[0] : undefined;
}

function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
