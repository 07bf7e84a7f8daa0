// Finds the generated files among the best-ranked ones whose names do not say
// so: by a comment at the beginning of the file, or by lines as long as only a
// minifier writes them. Only files that are about to be listed are read, since a
// project may have a hundred thousand. Used by project.ts.
import { setImmediate } from "node:timers/promises";
import { nameIn } from "../kernel/kernel.ts";
import { languageOf, type Role } from "./file-kinds.ts";
import type { Listing } from "./listing.ts";
import { readBeginning } from "./project-files.ts";
import { groupOf, type Ranked } from "./scoring.ts";

/** Generators put their notice first, sometimes below a licence. */
const MOST_LINES = 30;
const LONG_LINE = 500;
/** In characters: the limit that GitHub's linguist has for minified files. */
const LONG_ON_AVERAGE = 110;

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|<!--|;|%|\{-|\(\*|"""|@?rem\b|dnl\b)/i;
/** In prose `#` begins a heading and `*` an item. */
const PROSE_COMMENT = /^\s*(?:<!--|\[\/\/\]:|\.\. )/;
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt)$/;

const STATEMENT = new RegExp(
  [
    String.raw`(?:^|\s)@(?:auto)?generated\b`,
    String.raw`<auto-?generated`,
    String.raw`\bcode generated (?:by|from)\b`,
    String.raw`\bthis (?:file|code|document|module|page|script) (?:is|was|has been) (?:auto(?:matically)?[- ]?)?generated\b`,
    String.raw`\b(?:auto-?|automatically |machine[- ])generated (?:by|from|file|code|using|with)\b`,
    // Not in the middle of a sentence, where something else is generated.
    String.raw`^[^\p{L}\d]*generated (?:by|from|with|using|automatically)\b`,
  ].join("|"),
  "iu",
);
/** By itself it is advice, and may be about one line of a file that somebody wrote. */
const ADVICE = /\bdo not (?:edit|modify)\b/i;
/** In capitals it is meant for the whole file. */
const WARNING = /\bDO NOT EDIT\b/;

const MINIFIABLE = /\.(?:js|mjs|cjs|css)$/;

/**
 * @param name of the file, in lower case
 * @param beginning the first few thousand characters
 */
export function isGeneratedContent(name: string, beginning: string): boolean {
  const lines = beginning.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (MINIFIABLE.test(name) && isMinified(lines)) return true;
  const comment = PROSE.test(name) ? PROSE_COMMENT : COMMENT;
  const comments = lines.slice(0, MOST_LINES).filter((line) => comment.test(line));
  return (
    comments.some((line) => STATEMENT.test(line) || WARNING.test(line)) ||
    (comments.some((line) => ADVICE.test(line)) && comments.some((line) => /generated/i.test(line)))
  );
}

function isMinified(lines: readonly string[]): boolean {
  if (!lines.some((line) => line.length >= LONG_LINE)) return false;
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  return characters / lines.length > LONG_ON_AVERAGE;
}

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
    return beginning !== undefined && isGeneratedContent(nameIn(path).toLowerCase(), beginning);
  }
}
