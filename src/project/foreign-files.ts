// Recognizes files that nobody wrote by hand in this project (lock files,
// generated and vendored ones) by name, by folder and by .gitattributes.
// generated-files.ts recognizes others by their content. Used by file-kinds.ts
// and project.ts.
import { join } from "node:path";
import { parseJson } from "../kernel/kernel.ts";
import { AttributePattern } from "./ignore-rules.ts";
import { readBeginning } from "./project-files.ts";

export type ForeignRole = "lock file" | "generated" | "vendored";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Those whose names the rule below does not cover. All names here are in lower case. */
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

/** Also ordinary words: below a folder of sources they name a part of the program. */
const AMBIGUOUS_FOLDERS: Readonly<Record<string, ForeignRole>> = {
  external: "vendored",
  externals: "vendored",
  extern: "vendored",
  out: "generated",
  target: "generated",
  snapshots: "generated",
};
const SOURCE_FOLDERS = words("src source sources lib app internal pkg");

/** @param name in lower case, without folders */
export function foreignByName(name: string): ForeignRole | undefined {
  if (LOCK_FILES.has(name) || LOCK_NAME.test(name)) return "lock file";
  if (VENDORED_NAMES.has(name)) return "vendored";
  return GENERATED_NAMES.has(name) || GENERATED_NAME.test(name) ? "generated" : undefined;
}

/** @param names of the folders on the way to a file, in lower case */
export function foreignByFolders(names: readonly string[]): ForeignRole | undefined {
  if (names.some((name) => VENDORED_FOLDERS.has(name))) return "vendored";
  if (names.some((name) => GENERATED_FOLDERS.has(name) || GENERATED_FOLDER_NAME.test(name))) return "generated";
  for (const name of names) {
    if (Object.hasOwn(AMBIGUOUS_FOLDERS, name)) return AMBIGUOUS_FOLDERS[name];
    if (SOURCE_FOLDERS.has(name)) return undefined;
  }
  return undefined;
}

// What .gitattributes files say about who made a file: linguist-generated and
// linguist-vendored, set or taken back. Patterns are those of ignore files,
// without negation. Pure but for reading the files.

/** Whether a path is marked so; undefined where nothing is said. Missing where no file says anything. */
type Verdict = (path: string) => boolean | undefined;

export interface Marked {
  readonly generated?: Verdict;
  readonly vendored?: Verdict;
}

export const NOTHING_MARKED: Marked = {};

interface AttributesFile {
  /** The folder of the file, with `/` at the end; empty for the root. */
  readonly base: string;
  readonly rules: readonly AttributeRule[];
}

interface AttributeRule {
  readonly pattern: AttributePattern;
  readonly isSet: boolean;
}

/** A hostile project may have any number of rules, each of which is compared with every path. */
const MOST_FILES = 20;
const MOST_BYTES = 64 * 1024;
const MOST_RULES = 500;

const depthOf = (path: string): number => path.split("/").length;

/** The files that are read: those nearest to the root. */
export function attributesFilesIn(files: readonly string[]): readonly string[] {
  return files
    .filter((path) => path.endsWith(".gitattributes") && /(?:^|\/)\.gitattributes$/.test(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MOST_FILES);
}

export function readAttributes(root: string, paths: readonly string[]): Marked {
  const texts = paths.map((path) => ({
    base: path.slice(0, path.lastIndexOf("/") + 1),
    text: readBeginning(join(root, path), MOST_BYTES) ?? "",
  }));
  return markedBy(texts);
}

/** @param texts of .gitattributes files, those nearest to the root first */
export function markedBy(texts: readonly { readonly base: string; readonly text: string }[]): Marked {
  const verdictFor = (attribute: string): Verdict | undefined => {
    const files = texts
      .map(({ base, text }): AttributesFile => ({ base, rules: rulesOf(text, attribute) }))
      .filter(({ rules }) => rules.length > 0)
      // The file nearest to a path decides.
      .toReversed();
    if (files.length === 0) return undefined;
    return (path) => {
      for (const { base, rules } of files) {
        if (!path.startsWith(base)) continue;
        const rule = rules.findLast(({ pattern }) => pattern.matches(path.slice(base.length)));
        if (rule !== undefined) return rule.isSet;
      }
      return undefined;
    };
  };
  const generated = verdictFor("linguist-generated");
  const vendored = verdictFor("linguist-vendored");
  return { ...(generated && { generated }), ...(vendored && { vendored }) };
}

function rulesOf(text: string, attribute: string): readonly AttributeRule[] {
  const rules = text.split(/\r?\n/).flatMap((line): AttributeRule[] => {
    const [, quoted, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s"#!]\S*)\s+(.+)$/.exec(line) ?? [];
    if (quoted === undefined || rest === undefined) return [];
    const state = rest
      .trim()
      .split(/\s+/)
      .findLast((word) => word.replace(/^[-!]|=.*$/g, "") === attribute);
    const name = state === undefined ? undefined : unquoted(quoted);
    const pattern = name === undefined ? undefined : AttributePattern.parse(name);
    const isSet = state === attribute || state === `${attribute}=true`;
    return pattern === undefined ? [] : [{ pattern, isSet }];
  });
  return rules.slice(0, MOST_RULES);
}

function unquoted(pattern: string): string | undefined {
  if (!pattern.startsWith('"')) return pattern;
  const name = parseJson(pattern);
  return typeof name === "string" && !/[\r\n]/.test(name) ? name : undefined;
}
