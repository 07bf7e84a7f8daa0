// Titles and snippets as plain text: what people and assistants wrote may have
// Markdown in it, which a list does not render. Pure.

export function withoutMarkup(text: string): string {
  // Code is left as it is, without its backticks.
  const parts = text.split(/(`+[^`]+`+)/).map((part, i) => (i % 2 === 1 ? part.replaceAll("`", "") : proseOf(part)));
  return parts.join("").replace(/\s+/g, " ").trim();
}

function proseOf(text: string): string {
  return (
    text
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
      // A link that is cut off at the end of the snippet.
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)$/, "$1")
      .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
      .replace(/(^…?|\s)(?:#{1,6}|>|[-*+] \[.\]|\[[ x]\]|[-*+]|\[![\w-]+\][-+]?)(?=\s)/g, "$1")
      .replace(/\*\*|__|==|~~|`+|%%|\*(?=\w)|(?<=\w)\*/g, "")
  );
}

/** Of a conversation: often the beginning of its first prompt. */
export function conversationTitle(title: string): string {
  return withoutMarkup(title) || "Untitled";
}
