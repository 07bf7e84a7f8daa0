// Escapes a text for a regular expression, for the whole program: `RegExp.escape`
// does not exist on Node 22.

/** Returns a pattern that matches the text literally, with every flag, and between the brackets of a class too. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("-", "\\x2d");
}
