// Search for files and folders by name: every part of the query must be in the
// path, and parts in the name itself count most. Used by searchDirectory.
import { Problem } from "../kernel/kernel.ts";
import { foldForSearch } from "../search/search.ts";
import { listFolder, type Listed } from "./folders.ts";
import type { Vault } from "./vault.ts";

interface DirectoryQuery {
  readonly query: string;
  readonly paths: readonly string[];
  readonly searchType: "files" | "folders" | "both";
  readonly fileTypes?: readonly string[] | undefined;
  readonly depth: number;
  readonly pattern?: string | undefined;
  readonly dateRange?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined;
  readonly signal?: AbortSignal;
}

/** Best first, then by path. */
export async function nearestNames(
  vault: Vault,
  request: DirectoryQuery,
): Promise<(Listed & { readonly score: number })[]> {
  const { searchType, depth, pattern: filter, signal } = request;
  const parts = foldForSearch(request.query).split(/\s+/).filter(Boolean);
  const types = request.fileTypes?.map((type) => type.replace(/^\./, "").toLowerCase());
  const [start, end] = [timeOf(request.dateRange?.start), timeOf(request.dateRange?.end)];
  const options = {
    depth,
    filter,
    includeFiles: searchType !== "folders",
    includeFolders: searchType !== "files",
    ...(signal && { signal }),
  };
  const listed = new Map<string, Listed>();
  for (const path of request.paths)
    for (const item of (await listFolder(vault, path, options)).items) listed.set(item.path, item);
  return [...listed.values()]
    .filter(({ modified }) => modified >= (start ?? 0) && modified <= (end ?? Number.POSITIVE_INFINITY))
    .filter(
      ({ type, name }) =>
        !types || (type === "file" && types.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase())),
    )
    .flatMap((item) => {
      const score = scoreOf(parts, foldForSearch(item.name), foldForSearch(item.path));
      return score === 0 ? [] : [{ ...item, score }];
    })
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** 1 for the whole name, less for a part of it; 0 if a part of the query is not in the path. */
function scoreOf(parts: readonly string[], name: string, path: string): number {
  if (!parts.every((part) => path.includes(part))) return 0;
  const inName = parts.filter((part) => name.includes(part));
  const letters = inName.reduce((sum, part) => sum + part.length, 0);
  const share = Math.min(1, letters / name.replace(/\.[^.]+$/, "").length);
  return Math.round((0.2 + 0.5 * (inName.length / parts.length) + 0.3 * share) * 100) / 100;
}

function timeOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Problem("invalid", "dateRange must have dates, such as 2026-01-31");
  return time;
}
