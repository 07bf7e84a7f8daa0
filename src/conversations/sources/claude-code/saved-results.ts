// Long results of tools, which Claude Code writes to
// `<project>/<session>/tool-results/*.txt`: the record has their beginning, and
// the path of the file. Used by claude-code.ts.
import { closeSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { openForReading, piecesOf } from "../../../files/files.ts";
import { boundedText, MAX_PART_LENGTH, type MessagePart } from "../source.ts";

/**
 * As versions since 2.1 write it: around a preview, instead of the text, and as the error of a result that is too long.
 * Only the last folders of the path count: a home may have been moved or mounted, and no transcript leads elsewhere.
 */
const SAVED =
  /^(?:<persisted-output>\s*(?:Output too large \([^)\n]*\)\. Full output|Tool result) saved to:|Error: result \([^)\n]*\) exceeds maximum allowed tokens\. Output has been saved to) [^\n]*?[/\\]([\w-]+)[/\\]tool-results[/\\]([\w-]+\.(?:txt|json))(?![\w-])/;

/** @param project the folder of the project in `projects/` */
export function withSavedResult(part: MessagePart, project: string): MessagePart {
  if (part.role !== "user" || part.kind === "prose") return part;
  const [, session, name] = SAVED.exec(part.text) ?? [];
  if (session === undefined || name === undefined) return part;
  const text = textAt(join(project, session, "tool-results", name));
  return text === undefined ? part : { ...part, text };
}

/** Undefined if the file is gone. */
function textAt(path: string): string | undefined {
  let file: number;
  try {
    file = openForReading(path);
  } catch {
    return undefined;
  }
  try {
    const decoder = new StringDecoder("utf8");
    let text = "";
    for (const piece of piecesOf(file)) {
      text += decoder.write(piece);
      if (text.length > MAX_PART_LENGTH) break;
    }
    return text.trim() === "" ? undefined : boundedText(text.trim());
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
