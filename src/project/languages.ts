// The language of a file, by its name. Pure; only languages in which people
// write programs, styles or documents: data is counted as data.

const EXTENSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    TypeScript: "ts tsx mts cts",
    JavaScript: "js jsx mjs cjs",
    Python: "py pyi pyw",
    Rust: "rs",
    Go: "go",
    Java: "java",
    Kotlin: "kt kts",
    Scala: "scala sc",
    Groovy: "groovy gradle",
    Clojure: "clj cljs cljc edn",
    C: "c h",
    "C++": "cc cpp cxx hh hpp hxx ino",
    "C#": "cs csx",
    "F#": "fs fsi fsx",
    "Visual Basic": "vb",
    "Objective-C": "m mm",
    Swift: "swift",
    Dart: "dart",
    Ruby: "rb rake gemspec erb",
    PHP: "php phtml",
    Perl: "pl pm",
    Lua: "lua",
    R: "r rmd",
    Julia: "jl",
    Haskell: "hs lhs",
    OCaml: "ml mli",
    Elm: "elm",
    Elixir: "ex exs heex",
    Erlang: "erl hrl",
    Zig: "zig",
    Nim: "nim",
    Crystal: "cr",
    D: "d",
    Fortran: "f f90 f95 for",
    Pascal: "pas pp",
    Solidity: "sol",
    Assembly: "asm s",
    CUDA: "cu cuh",
    GLSL: "glsl vert frag comp",
    Shell: "sh bash zsh fish ksh",
    PowerShell: "ps1 psm1 psd1",
    Batch: "bat cmd",
    SQL: "sql",
    GraphQL: "graphql gql",
    "Protocol Buffers": "proto",
    Terraform: "tf tfvars",
    Nix: "nix",
    CMake: "cmake",
    HTML: "html htm xhtml",
    CSS: "css",
    Sass: "scss sass",
    Less: "less",
    Vue: "vue",
    Svelte: "svelte",
    Astro: "astro",
    Markdown: "md mdx markdown",
    reStructuredText: "rst",
    AsciiDoc: "adoc asciidoc",
    TeX: "tex sty cls bib",
    Typst: "typ",
    "Jupyter Notebook": "ipynb",
    "Vim Script": "vim",
    "Emacs Lisp": "el",
    Lisp: "lisp lsp cl",
    Scheme: "scm ss rkt",
    WebAssembly: "wat",
    JSON: "json json5 jsonc jsonl",
    YAML: "yaml yml",
    TOML: "toml",
    XML: "xml xsd xsl xslt plist",
  }).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [extension, language])),
);

const NAMES: Readonly<Record<string, string>> = {
  makefile: "Makefile",
  gnumakefile: "Makefile",
  dockerfile: "Dockerfile",
  containerfile: "Dockerfile",
  jenkinsfile: "Groovy",
  rakefile: "Ruby",
  gemfile: "Ruby",
  vagrantfile: "Ruby",
  "cmakelists.txt": "CMake",
  justfile: "Just",
};

/** Languages that hold data or prose: counted, but a project is not written in them. */
export const NOT_CODE: ReadonlySet<string> = new Set([
  "JSON",
  "YAML",
  "TOML",
  "XML",
  "Markdown",
  "reStructuredText",
  "AsciiDoc",
]);

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const named = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (named !== undefined) return named;
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1);
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}
