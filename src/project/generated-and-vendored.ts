// Recognizes files that nobody wrote by hand in this project, by name and folder:
// lock files, generated and vendored files. Pure. Used by file-kinds.ts.

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
