// What the parts of a response are: text, thinking, calls of tools, edits, notes
// of the editor. Pure; used by requests.ts.
import { folderOfUri } from "../kit/workspace-uri.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { markdownOf } from "./chat-state.ts";
import { invocationOf, type ToolCalls } from "./tool-invocations.ts";
import type { MessageKind } from "../source.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Said {
  readonly kind: MessageKind;
  readonly text: string;
  readonly tool?: string;
  readonly files?: readonly string[];
}

/** Text that continues the sentence before it; or a part of its own; or nothing. */
export type Shown = { readonly inline: string } | Said | "silent" | "unknown";

/** Progress, buttons, notices, and marks for the editor. */
const SILENT =
  /^(?:autoModeResolution|clearToPreviousToolInvocation|codeblockUri|command|confirmation|disabledClaudeHooks|elicitation\w*|extensions|hook|info|mcp\w+|move|multiDiffData|prepareToolInvocation|progress\w+|pullRequest|systemNotification|treeData|undoStop|voiceProgress|warning)$/;

export function shownBy(part: unknown, calls: ToolCalls): Shown {
  if (typeof part === "string") return { inline: part };
  const fields = recordOf(part);
  if (fields === undefined) return "silent";
  const kind = textOf(fields["kind"]);
  const shown = kind === undefined ? { inline: markdownOf(fields) ?? "" } : shownAs(kind, fields, calls);
  const isNested = textOf(fields["subAgentInvocationId"]) !== undefined || fields["fromSubAgent"] === true;
  if (!isNested || typeof shown === "string") return shown;
  if ("inline" in shown) return { kind: "subagent", text: shown.inline };
  return { ...shown, kind: "subagent" };
}

function shownAs(kind: string, fields: Fields, calls: ToolCalls): Shown {
  switch (kind) {
    case "markdownContent":
    case "markdownVuln":
      return { inline: markdownOf(fields["content"]) ?? "" };
    case "inlineReference":
      return { inline: nameOf(fields) };
    case "thinking": {
      const { value } = fields;
      const text = Array.isArray(value) ? value.filter((one) => typeof one === "string").join("") : textOf(value);
      return { kind: "thinking", text: text?.trim() ?? "" };
    }
    case "toolInvocation":
    case "toolInvocationSerialized":
      return invocationOf(fields, calls);
    case "textEditGroup":
    case "notebookEditGroup":
      return editOf([fields["uri"]], textsIn(fields["edits"]));
    case "workspaceEdit":
      return editOf(
        recordsOf(fields["edits"]).flatMap((edit) => [edit["newResource"], edit["oldResource"], edit["resource"]]),
        [],
      );
    case "externalEdit":
      return editOf(Array.isArray(fields["uris"]) ? fields["uris"] : [], []);
    case "questionCarousel":
    case "planReview": {
      const { questions, data, title, content } = fields;
      return { kind: "tool", tool: kind, text: `${kind} ${JSON.stringify({ title, content, questions, data })}` };
    }
    default:
      return SILENT.test(kind) ? "silent" : "unknown";
  }
}

/** As the editor shows a file or symbol in the middle of a sentence. */
function nameOf({ inlineReference, name }: Fields): string {
  const reference = recordOf(inlineReference);
  const location = recordOf(reference?.["location"]) ?? reference;
  const path = pathOf(location?.["uri"]) ?? pathOf(location);
  const shown = textOf(name) ?? textOf(reference?.["name"]) ?? path?.replace(/^.*[/\\]/, "");
  return shown === undefined ? "" : `\`${shown}\``;
}

/** The native path of a URI as the editor stores it: text, or its parts. */
export function pathOf(uri: unknown): string | undefined {
  const text = textOf(uri);
  if (text !== undefined) return folderOfUri(text);
  const parts = recordOf(uri);
  const path = textOf(parts?.["path"]);
  if (path === undefined || typeof parts!["scheme"] !== "string") return undefined;
  return /^(?:file|vscode-remote|vscode-vfs|vscode-notebook-cell)$/.test(parts!["scheme"])
    ? folderOfUri(path)
    : undefined;
}

function editOf(uris: readonly unknown[], texts: readonly string[]): Said {
  const files = [...new Set(uris.map(pathOf).filter((file) => file !== undefined))];
  return { kind: "tool", tool: "edit", text: [`edit ${files.join(" ")}`, ...texts].join("\n"), files };
}

/** Lists of lists of edits. */
function textsIn(edits: unknown): string[] {
  const lists: unknown[] = Array.isArray(edits) ? edits.flat() : [];
  return recordsOf(lists).flatMap((edit) => textOf(edit["text"]) ?? textOf(recordOf(edit["edit"])?.["text"]) ?? []);
}
