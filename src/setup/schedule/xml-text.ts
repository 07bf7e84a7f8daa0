// Text in XML. Used by launchd.ts and windows-task.ts.

/** Control characters, which XML cannot hold, are left out: no path that can be typed has them. */
export function xmlText(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
