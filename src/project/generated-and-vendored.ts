// Recognizes files that nobody wrote by hand in this project: lock files,
// generated and vendored files. First by name and folder, for all files
// (file-kinds.ts), then the best-ranked ones by their content (project.ts): a
// project may have a hundred thousand files, too many to read.
import { setImmediate } from "node:timers/promises";
import { nameIn } from "../kernel/kernel.ts";
import { readBeginning } from "./project-files.ts";

/** The role of a file that nobody wrote by hand. */
export type UnwrittenRole = "lock file" | "generated" | "vendored";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Names that the expression below does not match. All names here are in lower case. */
const LOCK_FILES = words(
  "npm-shrinkwrap.json bun.lockb go.sum go.work.sum gems.locked package.resolved cartfile.resolved cpanfile.snapshot cabal.project.freeze dub.selections.json lake-manifest.json maven_install.json verification-metadata.xml project.assets.json manifest.toml juliamanifest.toml pylock.toml aqua-checksums.json",
);
/** `yarn.lock`, `package-lock.json`, `.terraform.lock.hcl`, `gradle.lockfile`, `x.opam.locked` … */
const LOCK_NAME = /.[.-]lock(?:file|ed)?(?:\.(?:json|ya?ml|hcl|toml))?$|^pylock\.[^.]+\.toml$/;

const VENDORED_FOLDERS = words(
  "node_modules bower_components jspm_packages web_modules vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty 3rd-party 3rd_party .yarn .venv venv site-packages pods carthage godeps",
);
const VENDORED_NAMES = words("gradlew gradlew.bat mvnw mvnw.cmd .pnp.cjs .pnp.js .pnp.loader.mjs");
const GENERATED_FOLDERS = words(
  "dist generated __generated__ __snapshots__ __image_snapshots__ coverage htmlcov .nyc_output storybook-static __pycache__ .mypy_cache .pytest_cache .ruff_cache .next .nuxt .output .svelte-kit .astro .docusaurus .angular .expo .vercel .netlify .serverless .turbo .parcel-cache .cache .gradle .dart_tool .terraform _build deriveddata cmakefiles elm-stuff .eggs",
);
const GENERATED_FOLDER_NAME = /^(?:cmake-build-.*|bazel-(?:bin|out|testlogs)|.*\.egg-info)$/;
const GENERATED_NAMES = words("next-env.d.ts lcov.info coverage-final.json .coverage");
const GENERATED_NAME = new RegExp(
  `(?:${[
    // Minified, bundled, hashed, and the maps of these.
    String.raw`[.-]min\.(?:js|css|mjs|cjs|html)`,
    String.raw`[.-](?:bundle|chunk)\.(?:js|css|mjs|cjs)`,
    String.raw`[.-](?=[0-9a-f]*\d)[0-9a-f]{8,}\.(?:js|css|mjs|cjs)`,
    String.raw`\.map`,
    String.raw`\.tsbuildinfo`,
    // Made from schemas and annotations.
    String.raw`_pb2(?:_grpc)?\.pyi?`,
    String.raw`_pb(?:_service)?\.(?:js|ts|d\.ts|rb)`,
    String.raw`\.pb(?:json|enum|server|grpc|\.\w+)?\.(?:go|cc|h|dart|swift|ts|rs)`,
    String.raw`\.(?:g|gr|freezed|mocks)\.dart`,
    String.raw`\.(?:g|g\.i|designer)\.(?:cs|vb)`,
    String.raw`[._-](?:generated|autogen)\.\w+`,
    String.raw`\.gen\.\w+`,
    // Snapshots of tests.
    String.raw`\.snap`,
    String.raw`\.snap\.new`,
    String.raw`\.ambr`,
    // Compiled.
    String.raw`\.(?:pyc|pyo|class|o|obj)`,
  ].join("|")})$|^(?:zz_generated|moc_[^/]*.cpp$|ui_[^/]*.h$|qrc_[^/]*.cpp$)`,
);

/** Also ordinary words: below a folder of source code they name a part of the program. */
const AMBIGUOUS_FOLDERS: Readonly<Record<string, UnwrittenRole>> = {
  external: "vendored",
  externals: "vendored",
  extern: "vendored",
  out: "generated",
  target: "generated",
  snapshots: "generated",
};
const SOURCE_FOLDERS = words("src source sources lib app internal pkg");

/** @param name in lower case, without folders */
export function unwrittenByName(name: string): UnwrittenRole | undefined {
  if (LOCK_FILES.has(name) || LOCK_NAME.test(name)) return "lock file";
  if (VENDORED_NAMES.has(name)) return "vendored";
  return GENERATED_NAMES.has(name) || GENERATED_NAME.test(name) ? "generated" : undefined;
}

/** @param names of the folders that a file is in, outermost first, in lower case */
export function unwrittenByFolders(names: readonly string[]): UnwrittenRole | undefined {
  if (names.some((name) => VENDORED_FOLDERS.has(name))) return "vendored";
  if (names.some((name) => GENERATED_FOLDERS.has(name) || GENERATED_FOLDER_NAME.test(name))) return "generated";
  for (const name of names) {
    if (Object.hasOwn(AMBIGUOUS_FOLDERS, name)) return AMBIGUOUS_FOLDERS[name];
    if (SOURCE_FOLDERS.has(name)) return undefined;
  }
  return undefined;
}

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
    // At the beginning only: in the middle of a sentence it is about something else.
    String.raw`^[^\p{L}\d]*generated (?:by|from|with|using|automatically)\b`,
  ].join("|"),
  "iu",
);
/** On its own this is advice, perhaps about one line of a file written by hand. */
const ADVICE = /\bdo not (?:edit|modify)\b/i;
/** In capitals it refers to the whole file. */
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
const FILES_PER_SLICE = 200;

interface Candidates {
  /** Whether a score is in the lowest group. */
  readonly isLow: (score: number) => boolean;
  /** Whether the content of a file with this path may show that it is generated. */
  readonly mayBeGenerated: (path: string) => boolean;
  /** Files whose content may differ from what git's index says. */
  readonly changed: ReadonlySet<string>;
  /** Changes whenever git's index does; undefined without git. */
  readonly tracked: unknown;
}

export class GeneratedFiles {
  readonly #root: string;
  /** Results for files that git reports as unchanged, valid while its index is the same. */
  #cache: { readonly tracked: unknown; readonly found: Map<string, boolean> } | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The generated files among ranked ones. Reads until `most` others were found,
   * and through all groups but the lowest, since groups are counted.
   */
  async among(
    ranked: readonly { readonly path: string; readonly score: number }[],
    most: number,
    { isLow, mayBeGenerated, changed, tracked }: Candidates,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (tracked === undefined || this.#cache?.tracked !== tracked) this.#cache = { tracked, found: new Map() };
    const { found } = this.#cache;
    const generated = new Set<string>();
    let others = 0;
    let read = 0;
    for (const { path, score } of ranked) {
      if (others >= most && isLow(score)) break;
      let isGenerated = false;
      if (mayBeGenerated(path)) {
        const known = changed.has(path) ? undefined : found.get(path);
        if (known === undefined && ++read % FILES_PER_SLICE === 0) {
          await setImmediate();
          signal?.throwIfAborted();
        }
        isGenerated = known ?? this.#isGenerated(path);
        found.set(path, isGenerated);
      }
      if (isGenerated) generated.add(path);
      else others++;
    }
    return generated;
  }

  #isGenerated(path: string): boolean {
    const beginning = readBeginning(`${this.#root}/${path}`, MOST_BYTES);
    return beginning !== undefined && isGeneratedContent(nameIn(path).toLowerCase(), beginning);
  }
}
