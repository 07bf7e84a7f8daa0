// The files that a conversation is about: those that its tools touched, and
// those that its text names. Pure; used when transcripts are ingested, and to
// compare a question with conversations.

/** Extensions that people discuss. With any extension, version numbers and missing spaces would look like files. */
const ENDINGS =
  "astro|bash|c|cc|cfg|cjs|conf|cpp|cs|css|csv|cts|dart|env|ex|exs|go|gradle|graphql|h|hpp|hs|html|ini|ipynb|java|jl|js|json|jsonl|jsx|kt|kts|less|lock|lua|m|md|mdx|mjs|mod|mts|nix|php|pl|plist|prisma|properties|proto|ps1|py|r|rb|rs|rst|sass|scala|scss|sh|sol|sql|sum|svelte|swift|tex|tf|tfvars|toml|ts|tsx|txt|vue|xml|yaml|yml|zig|zsh";
const FILE = new RegExp(
  `(?<![\\w/.@:-])(?:[A-Za-z]:\\\\|~?/|\\.{1,2}/)?(?:[\\w@.+-]+[/\\\\])*[\\w@.+-]*[\\w@-]\\.(?:${ENDINGS})(?![\\w/-])`,
  "g",
);
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
const MAX_MENTIONS = 100;

/** Files that a text names, each once, in order. */
export function filesNamedIn(text: string): string[] {
  if (!/\.[a-zA-Z]/.test(text)) return [];
  const named = new Set<string>();
  for (const [file] of text.replace(ADDRESS, " ").matchAll(FILE)) {
    if (!/^\.{0,2}[/\\]?\.\w+$/.test(file)) named.add(file);
    if (named.size === MAX_MENTIONS) break;
  }
  return [...named];
}

/**
 * A path in one form: slashes, drive letters in upper case, relative to the
 * folder if it is below that. Below a drive, case is ignored.
 */
export function comparableFile(path: string, folder: string | undefined): string {
  const plain = slashed(path).replace(/^(?:\.\/)+/, "");
  if (folder === undefined) return plain;
  const base = slashed(folder).replace(/(?<!\/)\/+$/, "");
  const inCase = (text: string) => (/^[A-Z]:/.test(base) ? text.toLowerCase() : text);
  return base !== "" && inCase(plain).startsWith(inCase(`${base}/`)) ? plain.slice(base.length + 1) : plain;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/^[a-z]:(?=\/|$)/, (drive) => drive.toUpperCase());
}
