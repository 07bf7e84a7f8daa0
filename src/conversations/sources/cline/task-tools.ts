// The tool calls and outputs among the rows of a task: JSON in most rows, plain
// text in others. Pure; used by task-rows.ts.
import { boundedText, type MessagePart } from "../source.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";

type ToolPart = Pick<MessagePart, "kind" | "text" | "files" | "tool">;

/** @param kind the row's own: `tool`, `command`, `command_output`, `browser_action` … */
export function toolIn(kind: string, text: string): ToolPart {
  const fields = text.startsWith("{") ? recordOf(storedJson(text)) : undefined;
  if (kind === "image") return { kind: "tool", tool: "image", text: "[image]" };
  if (fields === undefined) return { kind: "tool", tool: kind, text: boundedText(text) };
  const texts = (...names: readonly string[]) => names.flatMap((name) => textOf(fields[name]) ?? []);
  if (kind === "use_mcp_server") {
    const [tool = "mcp"] = texts("toolName", "uri");
    return { kind: "tool", tool, text: boundedText([tool, ...texts("serverName", "arguments")].join(" ")) };
  }
  // Never the screenshot.
  if (kind === "browser_action_result")
    return { kind: "tool", tool: kind, text: boundedText(texts("currentUrl", "logs").join("\n")) };
  const tool = textOf(fields["tool"]);
  if (tool === undefined) return { kind: "tool", tool: kind, text: boundedText(text) };
  // A summary that the assistant wrote to go on with.
  if (tool === "summarizeTask") return { kind: "summary", text: boundedText(texts("content").join("\n")) };
  const files = [fields, ...recordsOf(fields["batchFiles"]), ...recordsOf(fields["batchDiffs"])].flatMap(
    ({ path }) => textOf(path) ?? [],
  );
  const call = [tool, ...files, ...texts("query", "regex", "filePattern", "command", "args", "mode", "skill")].join(
    " ",
  );
  const shown = [call, ...texts("reason", "diff", "content").slice(0, 1)].join("\n");
  return { kind: "tool", tool, text: boundedText(shown), ...(files.length > 0 && { files }) };
}
