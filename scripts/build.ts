// Builds dist/main.cjs: the whole program in one file; dist/postgres-client.cjs,
// which it loads if a shared store is named; dist/reader-thread.cjs, which it runs
// in a thread; dist/pdf-process.mjs, which it runs in a process, with
// the character maps that this one needs; and dist/web, the page. What the source imports
// with import() is in the file too, and is run only when it is imported. One
// file starts faster than a dozen chunks; CommonJS starts faster than ES
// modules, for which Node first fills in every export of its own modules.
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { lazySchemas } from "./lazy-schemas.ts";
import { DEFINED_CONSTANTS } from "./program-constants.ts";
import { OLDEST } from "../bin/node-range.js";

// The SDK loads a JSON Schema validator (150 kB) to check what a person
// answers to a server's form. This server compares the answer itself
// (mcp/person-questions.ts).
const noElicitationValidator: Plugin = {
  name: "no-elicitation-validator",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace: "shims" }));
    onLoad({ filter: /.*/, namespace: "shims" }, () => ({
      contents: `
        export { default as process } from "node:process";
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error("This server asks for nothing that has to be validated."); }
        }`,
      resolveDir: import.meta.dirname,
    }));
  },
};

const ROOT = dirname(import.meta.dirname);
/** run.mjs names a draft, which it renames once it is complete. */
const [DIST = "dist"] = process.argv.slice(2);
/** Packages may be in a folder above this one. */
const CHARACTER_MAPS = join(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json"))), "cmaps");

// The scripts for OmniOutliner go in as they are: they run elsewhere. esbuild
// writes down what a plugin calls a file, so that is its path in the project.
const rawText: Plugin = {
  name: "raw-text",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: relative(ROOT, join(resolveDir, path.replace(/\?raw$/, ""))).replaceAll("\\", "/"),
      namespace: "raw",
    }));
    onLoad({ filter: /.*/, namespace: "raw" }, ({ path }) => ({
      contents: readFileSync(join(ROOT, path), "utf8"),
      loader: "text",
    }));
  },
};

/**
 * One character beyond ASCII doubles what the text of the program takes, and a
 * start has to read all of it. esbuild writes such characters as \u… everywhere
 * but in regular expressions, where they may be written so as well.
 */
const asciiAlone: Plugin = {
  name: "ascii-alone",
  setup({ onEnd }) {
    onEnd(({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, path.endsWith(".cjs") ? text.replace(/[\u0080-\uffff]/g, escaped) : text);
      }
    });
  },
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What only a shared store needs are files of their own: a start without one does not read them. */
const APART: Readonly<Record<string, string>> = { pg: "postgres-client", jose: "access-tokens" };
const clientApart: Plugin = {
  name: "client-apart",
  setup({ onResolve }) {
    onResolve({ filter: /^(?:pg|jose)$/ }, ({ path }) => ({ path: `./${APART[path]!}.cjs`, external: true }));
  },
};

const forNode = {
  bundle: true,
  format: "cjs",
  platform: "node",
  target: `node${OLDEST}`,
  // Identifiers keep their names, so that a stack trace in a report can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  // Its entry for Node is a UMD module, whose inner imports esbuild cannot see.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  metafile: true,
  write: false,
} satisfies BuildOptions;

/** The licences of all bundled packages: nearly all require that their text is part of every copy. */
function licencesIn(builds: readonly { metafile: Metafile }[]): string {
  const files = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = new Set(files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const texts = [...folders].toSorted().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file === undefined ? licenceInReadme(folder) : readFileSync(join(folder, file), "utf8").trim();
    return `\n${folder.replace(/^.*node_modules\//, "")}:\n\n${text}\n`;
  });
  return texts.join("");
}

/** Some packages have the text of their licence at the end of their README only. */
function licenceInReadme(folder: string): string {
  const [, text] = /^## licen[cs]e\s+(.*)$/ims.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  if (text?.includes("Permission is hereby granted") !== true)
    throw new Error(`${folder} has no file with its licence.`);
  return text.trim();
}

const program = await build({
  ...forNode,
  entryPoints: ["src/main.ts"],
  outfile: join(DIST, "main.cjs"),
  legalComments: "linked",
  // Zod compiles a parser for each schema with `new Function` unless this is
  // set; for a handful of parses that costs more than it saves.
  banner: { js: "globalThis.__zod_globalConfig = { jitless: true };" },
  define: { ...DEFINED_CONSTANTS, "import.meta.dirname": "__dirname" },
  // What is loaded from another file is required: Node warns of an import() in a script that bin/code-cache.js runs.
  supported: { "dynamic-import": false },
  plugins: [lazySchemas, noElicitationValidator, rawText, clientApart, asciiAlone],
});
const client = await build({
  ...forNode,
  entryPoints: Object.fromEntries(Object.entries(APART).map(([name, file]) => [file, name])),
  // An optional one with native code, which is not asked for.
  external: ["pg-native"],
  outdir: DIST,
  outExtension: { ".js": ".cjs" },
  plugins: [asciiAlone],
});
const thread = await build({
  ...forNode,
  entryPoints: ["src/conversations/ingest/reading/reader-thread.ts"],
  outfile: join(DIST, "reader-thread.cjs"),
  define: DEFINED_CONSTANTS,
  plugins: [asciiAlone],
});
const pdfProcess = await build({
  ...forNode,
  entryPoints: ["src/vault/pdf/pdf-process.ts"],
  outfile: join(DIST, "pdf-process.mjs"),
  // pdf.js has to know its own address.
  format: "esm",
  // Nearly all of it is not ours: a third smaller.
  minifyIdentifiers: true,
  legalComments: "none",
  write: true,
});
cpSync("assets/word-vectors/words.bin", join(DIST, "word-vectors.bin"));
writeFileSync(join(DIST, "pdf-character-maps.br"), packedMaps(CHARACTER_MAPS));

/** All character maps of pdf.js in one file: their names and lengths as JSON, a zero, and one after the other. A third of their size. */
function packedMaps(folder: string): Buffer {
  const maps = readdirSync(folder)
    .filter((name) => name.endsWith(".bcmap"))
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const lengths = JSON.stringify(maps.map(({ name, bytes }) => [name, bytes.length]));
  const packed = Buffer.concat([Buffer.from(`${lengths}\0`), ...maps.map(({ bytes }) => bytes)]);
  // The highest quality takes 3.7 s for 58 kB less, in every build.
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  return brotliCompressSync(packed, { params: { [quality]: 9, [size]: packed.length } });
}

// The page: page.js and its imports are the frame; Markdown and the
// views are files of their own, loaded when they are needed. A front door
// that the first view uses brings everything that it exports into the first
// download, so web/components/ has nothing that only lazy views use.
const page = await build({
  entryPoints: { page: "web/app/app.tsx", theme: "web/app/theme.ts", style: "web/style/style.css" },
  outdir: join(DIST, "web"),
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["chrome120", "firefox128", "safari17"],
  // The page uses pure parts of search/ and markdown/. What else their front
  // doors lead to is dropped; `checkForBrowsers` makes sure of it.
  external: ["node:*"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".woff2": "file" },
  assetNames: "[name]-[hash]",
  minify: true,
  legalComments: "linked",
  metafile: true,
});
const mapsLicence = readFileSync(join(CHARACTER_MAPS, "LICENSE"), "utf8").replaceAll("%%Copyright: ", "");
const fontsLicence = readFileSync("assets/fonts/LICENSE", "utf8");
const vectorsLicence = readFileSync("assets/word-vectors/LICENSE", "utf8");
appendFileSync(
  join(DIST, "main.cjs.LEGAL.txt"),
  `${licencesIn([program, client, thread, pdfProcess, page])}\nThe table of word vectors, assets/word-vectors:\n\n${vectorsLicence.trim()}\n\nThe fonts of the page, assets/fonts:\n\n${fontsLicence.trim()}\n\nThe character maps of pdfjs-dist:\n\n${mapsLicence.trim()}\n`,
);
for (const file of ["index.html", "icon.svg"]) cpSync(`web/${file}`, join(DIST, "web", file));
checkForBrowsers(Object.values(page.metafile.outputs));

/** No file of the page may ask for a module of Node's: it would load nowhere. */
function checkForBrowsers(outputs: readonly { readonly imports: readonly { readonly path: string }[] }[]): void {
  const wrong = outputs.flatMap(({ imports }) => imports).filter(({ path }) => path.startsWith("node:"));
  if (wrong.length > 0) throw new Error(`The page imports ${wrong.map(({ path }) => path).join(", ")}.`);
}
