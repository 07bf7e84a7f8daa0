// Which of the best files of a project a machine wrote although their names do
// not say so. Only the beginnings of files that are about to be listed are read:
// a project may have a hundred thousand.
import { setImmediate } from "node:timers/promises";
import { isGeneratedContent } from "./generated-content.ts";
import { languageOf } from "./languages.ts";
import type { Listing } from "./listing.ts";
import { readBeginning } from "./plain-file.ts";
import type { Role } from "./roles.ts";
import { groupOf, type Ranked } from "./scoring.ts";

const MOST_BYTES = 4096;
const FILES_A_SLICE = 200;

/** These are never taken for generated, and the others are known to be foreign already. */
const NOT_READ: ReadonlySet<Role> = new Set(["readme", "manifest", "lock file", "generated", "vendored"]);

export class GeneratedFiles {
  readonly #root: string;
  /** What was found in files that git calls unchanged, for as long as its index is the same. */
  #kept: { readonly tracked: unknown; readonly found: Map<string, boolean> } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The generated ones among ranked files, as far down as it matters: until
   * `most` others are found, and through all groups but the lowest, which are
   * counted.
   * @param tracked changes whenever git's index does; undefined where there is no git
   */
  async among(
    ranked: readonly Ranked[],
    most: number,
    { listing, tracked, roleOf }: { listing: Listing; tracked: unknown; roleOf: (path: string) => Role },
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (tracked === undefined || this.#kept?.tracked !== tracked) this.#kept = { tracked, found: new Map() };
    const { found } = this.#kept;
    const generated = new Set<string>();
    let others = 0;
    let read = 0;
    for (const { path, score } of ranked) {
      if (others >= most && groupOf(score) === "low") break;
      const role = roleOf(path);
      let isGenerated = false;
      if (!NOT_READ.has(role) && (role !== "data" || languageOf(path) !== undefined)) {
        const known = listing.changed.has(path) ? undefined : found.get(path);
        if (known === undefined && ++read % FILES_A_SLICE === 0) {
          await setImmediate();
          signal?.throwIfAborted();
        }
        isGenerated = known ?? this.#looksGenerated(path);
        found.set(path, isGenerated);
      }
      if (isGenerated) generated.add(path);
      else others++;
    }
    return generated;
  }

  #looksGenerated(path: string): boolean {
    const beginning = readBeginning(`${this.#root}/${path}`, MOST_BYTES);
    return (
      beginning !== undefined && isGeneratedContent(path.slice(path.lastIndexOf("/") + 1).toLowerCase(), beginning)
    );
  }
}
