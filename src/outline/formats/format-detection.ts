// Detects the format of an outline by its content, and parses it. The name of the
// file only says what must not be taken for lines of text. Used by file/.
import { isUtf8 } from "node:buffer";
import { Problem } from "../../kernel/kernel.ts";
import { MAX_CONTENTS_SIZE, tooLarge } from "./archives/size-limits.ts";
import { openGzip } from "./archives/gzip.ts";
import { parseMarkdown } from "./markdown/markdown.ts";
import { parseOmniOutliner3 } from "./omnioutliner3/omnioutliner3.ts";
import { parseOmniOutliner5 } from "./omnioutliner5/omnioutliner5.ts";
import { parseOpml } from "./opml/opml.ts";
import type { ParsedOutline } from "./parsed-outline.ts";
import { transcode } from "./xml/encoding.ts";
import { openZip } from "./archives/zip.ts";

/** A file that contains the text of an outline, possibly compressed. */
export interface Container {
  readonly contents: () => Buffer;
  /** True if the contents are the bytes of the file themselves. */
  readonly isPlain: boolean;
  /** The bytes of the file with other contents. */
  readonly replaced: (contents: Buffer) => Promise<Buffer>;
}

export const CONTENTS = "contents.xml";

export function openContainer(bytes: Buffer): Container {
  return inUtf8(containerOf(bytes));
}

/** The container with its contents in UTF-8, whatever encoding they declare. Unpacks lazily. */
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
  if (bytes.length > MAX_CONTENTS_SIZE) throw tooLarge();
  return { contents: () => bytes, isPlain: true, replaced: async (contents) => contents };
}

/** How many bytes of a file are examined to detect its format. */
const HEAD = 64 * 1024;

/** Names of files that hold XML, or are damaged. */
const XML_NAME = /\.(?:opml|ooutline|oo3)(?:[/\\]contents\.xml)?$/i;

/** @param path of the file, as far as it has one */
export function parseOutline(contents: Buffer, path = ""): ParsedOutline {
  if ((contents[0] === 0xff && contents[1] === 0xfe) || (contents[0] === 0xfe && contents[1] === 0xff))
    throw new Problem(
      "invalid",
      "Only XML outlines can be read in UTF-16, and this file is not one. The file was not changed.",
      "Convert it to UTF-8 with another program first.",
    );
  const head = contents.toString("utf8", 0, HEAD).replace(/^\uFEFF/, "");
  const { root, attributes } = rootTag(head);
  if (root === "opml") return parseOpml(contents);
  if (root === "plist" || head.startsWith("bplist"))
    throw new Problem(
      "invalid",
      "This is a document of OmniOutliner 2, whose format this program cannot edit. The file was not changed.",
      "Open it in a later OmniOutliner and save it, or export it as OPML.",
    );
  if (root === "outline" || /OmniOutliner\/v\d/.test(attributes)) {
    if (attributes.includes("OmniOutliner/v5")) return parseOmniOutliner5(contents);
    if (attributes.includes("OmniOutliner/v3")) return parseOmniOutliner3(contents);
    throw new Problem(
      "invalid",
      "This is an outline of a version that this program does not know. The file was not changed.",
    );
  }
  if (/^\s*<(?:\?xml\b|!DOCTYPE\b|opml\b|outline\b)/i.test(head))
    throw root === "" || !head.includes(">")
      ? new Problem(
          "invalid",
          "The outline file is damaged: it begins as XML and breaks off. The file was not changed.",
        )
      : new Problem("invalid", "This XML file is not an outline that this program knows. The file was not changed.");
  if (XML_NAME.test(path))
    throw new Problem(
      "invalid",
      "The outline file is damaged: its content is not what its name says. The file was not changed.",
      "Restore an earlier version of it, or give it the name of what it is, such as .md for a list.",
    );
  if (contents.includes(0) || !isUtf8(contents))
    throw new Problem("invalid", "The file is not text, or not in UTF-8. The file was not changed.");
  return parseMarkdown(contents);
}

/** The first element of an XML text; "" if the text begins with something else. Not one regular expression, which could backtrack endlessly. */
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
    // The end of an internal DTD subset.
    else if (at > 0 && head.startsWith("]", at)) at = after(">", at);
    else break;
  }
  const [, root = "", attributes = ""] = /^<([A-Za-z_][\w.-]*)([^>]*)/.exec(head.slice(at)) ?? [];
  return { root, attributes };
}
