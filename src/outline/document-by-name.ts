// Finds the document that a caller names as people do: by its file name, with or
// without the extension. Used by outlines.ts.
import { basename } from "node:path";
import { comparable } from "../files/files.ts";
import { Problem, shortened } from "../kernel/kernel.ts";
import {
  existingFolders,
  locateDocument,
  locationOf,
  type Location,
  type OutlineSettings,
  throwNoDocument,
} from "./document-locations.ts";
import { documentsIn } from "./openable-documents.ts";

const EXTENSION = /\.(?:opml|ooutline|oo3|md|markdown)$/i;
/** Maximum number of paths that an error names. */
const MAX_NAMED = 5;

/** @param path as results name it */
export function isCalled({ real, named }: Location, path: string, sent: string): boolean {
  return [path, real, named].includes(sent) || hasName(basename(named ?? real), sent) || hasName(basename(real), sent);
}

/** The only document of a name. Throws if there is none, or several. */
export async function locateByName(settings: OutlineSettings, sent: string): Promise<Location> {
  const isPath = /[/\\]/.test(sent) || EXTENSION.test(sent);
  const atPath = isPath ? await locateDocument(settings, sent).catch(unlessMissing) : undefined;
  if (atPath !== undefined) return atPath;
  const listed = await Promise.all((await existingFolders(settings)).map((folder) => documentsIn(folder)));
  const found = new Map(listed.flat().flatMap((each) => (hasName(each.name, sent) ? [[each.real, each]] : [])));
  const documents = [...found.values()];
  // A note is an outline only for who says so.
  const outlines = documents.filter(({ isNote }) => !isNote);
  const [first, ...others] = outlines.length > 0 ? outlines : documents;
  if (first === undefined)
    return throwNoDocument(settings, `There is no outline named '${shortened(sent)}'. Nothing was changed.`);
  if (others.length === 0) return locationOf(settings, first.real);
  const paths = [first, ...others].slice(0, MAX_NAMED).map(({ path }) => path);
  throw new Problem(
    "invalid",
    `${others.length + 1} outlines are named '${shortened(sent)}'. Nothing was changed.`,
    `Send the path of one as documentName: ${paths.join(", ")}.`,
  );
}

function hasName(name: string, sent: string): boolean {
  const [own, asked] = [name, sent].map((each) => comparable(each, { ignoreCase: true })) as [string, string];
  return own === asked || own.replace(EXTENSION, "") === asked;
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== "no_document") throw error;
}
