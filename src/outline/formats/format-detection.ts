// What kind of outline a file is, told by its content and never by its name,
// and the way from its bytes to its rows. The file document uses it.
import { isUtf8 } from "node:buffer";
import { Problem } from "../../kernel/kernel.ts";
import { LARGEST_CONTENTS, tooLarge } from "./archives/size-limits.ts";
import { openGzip } from "./archives/gzip.ts";
import { readMarkdown } from "./markdown/markdown.ts";
import { readOo3 } from "./omnioutliner3/omnioutliner3.ts";
import { readOoutline } from "./omnioutliner5/omnioutliner5.ts";
import { readOpml } from "./opml/opml.ts";
import type { ParsedOutline } from "./parsed-outline.ts";
import { transcode } from "./xml/encoding.ts";
import { openZip } from "./archives/zip.ts";

/** The text of an outline, and the file that it comes to with another text. */
export interface Container {
  readonly contents: () => Buffer;
  /** Whether the contents are the file. */
  readonly isPlain: boolean;
  readonly replaced: (contents: Buffer) => Promise<Buffer>;
}

export const CONTENTS = "contents.xml";

export function openContainer(bytes: Buffer): Container {
  return inUtf8(containerOf(bytes));
}

/** The container with its contents in UTF-8, whatever encoding they declare. Nothing is unpacked before it is asked for. */
function inUtf8(container: Container): Container {
  let encode: ((utf8: Buffer) => Buffer) | undefined;
  const contents = (): Buffer => {
    const own = container.contents();
    const found = transcode(own);
    encode = found?.encode;
    return found?.utf8 ?? own;
  };
  const isPlain = container.isPlain && contents() === container.contents();
  return {
    contents,
    isPlain,
    replaced: async (changed) => {
      if (encode === undefined && !isPlain) contents();
      return container.replaced(encode === undefined ? changed : encode(changed));
    },
  };
}

function containerOf(bytes: Buffer): Container {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return { ...openZip(bytes, CONTENTS), isPlain: false };
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { ...openGzip(bytes), isPlain: false };
  if (bytes.length > LARGEST_CONTENTS) throw tooLarge();
  return { contents: () => bytes, isPlain: true, replaced: async (contents) => contents };
}

/** How much of a file is looked at to tell what it is. */
const HEAD = 64 * 1024;

export function parseOutline(contents: Buffer): ParsedOutline {
  if ((contents[0] === 0xff && contents[1] === 0xfe) || (contents[0] === 0xfe && contents[1] === 0xff))
    throw new Problem(
      "invalid",
      "Only XML outlines are read in UTF-16, and this file is none. It was not changed.",
      "Convert it to UTF-8 with another program first.",
    );
  const head = contents.toString("utf8", 0, HEAD).replace(/^\uFEFF/, "");
  const { root, attributes } = rootTag(head);
  if (root === "opml") return readOpml(contents);
  if (root === "plist" || head.startsWith("bplist"))
    throw new Problem(
      "invalid",
      "This is a document of OmniOutliner 2, whose format this program does not edit: it is left as it is.",
      "Open it in a later OmniOutliner and save it, or export it as OPML.",
    );
  if (root === "outline" || /OmniOutliner\/v\d/.test(attributes)) {
    if (attributes.includes("OmniOutliner/v5")) return readOoutline(contents);
    if (attributes.includes("OmniOutliner/v3")) return readOo3(contents);
    throw new Problem(
      "invalid",
      "This is an outline of a version that this program does not know: it is left as it is.",
    );
  }
  if (/^\s*<(?:\?xml\b|!DOCTYPE\b|opml\b|outline\b)/i.test(head))
    throw root === "" || !head.includes(">")
      ? new Problem("invalid", "The outline file is damaged: it begins as XML and breaks off. It was not changed.")
      : new Problem("invalid", "This XML file is no outline that this program knows. It was not changed.");
  if (contents.includes(0) || !isUtf8(contents))
    throw new Problem("invalid", "The file is not text, or not in UTF-8: it is left as it is.");
  return readMarkdown(contents);
}

/** The first element of an XML text; "" where the text begins with anything else. No regular expression: it could be led to try for ever. */
function rootTag(head: string): { readonly root: string; readonly attributes: string } {
  const after = (mark: string, from: number) => {
    const at = head.indexOf(mark, from);
    return at === -1 ? head.length : at + mark.length;
  };
  let at = 0;
  for (;;) {
    while (/\s/.test(head[at] ?? "")) at++;
    if (head.startsWith("<?", at)) at = after("?>", at);
    else if (head.startsWith("<!--", at)) at = after("-->", at);
    else if (head.startsWith("<!", at)) at = after(">", at);
    // The end of declarations inside of the declaration.
    else if (at > 0 && head.startsWith("]", at)) at = after(">", at);
    else break;
  }
  const [, root = "", attributes = ""] = /^<([A-Za-z_][\w.-]*)([^>]*)/.exec(head.slice(at)) ?? [];
  return { root, attributes };
}
