// Recognises by the beginning of a file that a machine wrote it: a comment that
// says so, or lines as only a minifier makes them. Pure; generated-files.ts reads.

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
