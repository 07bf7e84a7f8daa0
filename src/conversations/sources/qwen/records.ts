// The content of one record of a Qwen Code session: Gemini's parts in an
// envelope like that of Claude Code. Pure; used by qwen.ts.
import type { Said, Tokens } from "../source.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { outputIn } from "../gemini/messages.ts";
import { callOf, joined } from "../kit/said.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import type { Fields } from "../kit/session-log.ts";

/** What the program wrote in the place of a person: notices of background tasks, scheduled prompts, goals. */
const NOT_TYPED = new Set(["notification", "cron", "goal_runtime"]);

export function tokensOf(record: Fields): Tokens | undefined {
  const counted = recordOf(record["usageMetadata"]);
  if (counted === undefined) return undefined;
  const input = counted["promptTokenCount"];
  const output = outputIn({
    input,
    output: counted["candidatesTokenCount"],
    thoughts: counted["thoughtsTokenCount"],
    total: counted["totalTokenCount"],
  });
  return tokensIn({ input, output, cached: counted["cachedContentTokenCount"] });
}

/** What a record of type user, assistant or tool_result says: at most one text of each kind, and each tool call. */
export function saidIn(record: Fields): Said[] {
  const parts = recordsOf(recordOf(record["message"])?.["parts"]);
  if (record["type"] === "tool_result") return [...parts.flatMap(resultIn), ...subagentIn(record)];
  if (record["type"] === "user") return typedIn(record, parts);
  const texts = (isThought: boolean) =>
    joined(parts.filter(({ thought }) => (thought === true) === isThought).map(({ text }) => text));
  const prose = texts(false);
  const calls = parts.flatMap(callIn);
  return [
    { role: "assistant" as const, kind: "thinking" as const, text: texts(true) },
    { role: "assistant" as const, kind: "prose" as const, text: prose },
    ...calls,
  ].filter(({ text }) => text !== "");
}

function typedIn(record: Fields, parts: readonly Fields[]): Said[] {
  if (NOT_TYPED.has(String(record["subtype"]))) return [];
  // What the person saw, if hooks or files added to it.
  const shown = textOf(recordOf(record["systemPayload"])?.["displayText"]);
  const text = shown ?? withoutContext(joined(parts.map(({ text: one }) => one)));
  const hasImage = parts.some((part) => part["inlineData"] !== undefined || part["fileData"] !== undefined);
  const typed = joined([text, hasImage ? "[image]" : ""]);
  return typed === "" ? [] : [{ role: "user", kind: "prose", text: typed }];
}

/** The program adds reminders, and the content of files that the prompt names. */
function withoutContext(text: string): string {
  return text
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .replaceAll(/--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g, "")
    .trim();
}

function callIn({ functionCall }: Fields): Said[] {
  const call = recordOf(functionCall);
  return call === undefined
    ? []
    : [callOf({ ...call, args: recordOf(call["args"]) }, { fileArguments: FILE_ARGUMENTS })];
}

const FILE_ARGUMENTS = ["file_path", "absolute_path", "path", "notebook_path"];

function resultIn({ functionResponse }: Fields): Said[] {
  const result = recordOf(functionResponse);
  if (result === undefined) return [];
  const response = recordOf(result["response"]);
  const text = textOf(response?.["output"]) ?? textOf(response?.["error"]);
  const given = text ?? (response === undefined ? "" : JSON.stringify(response));
  return given === "" ? [] : [{ role: "assistant", kind: "tool", tool: textOf(result["name"]) ?? "tool", text: given }];
}

/** Older versions kept a sub-agent's messages nowhere else; newer ones say that they have a transcript of their own. */
function subagentIn(record: Fields): Said[] {
  const shown = recordOf(recordOf(record["toolCallResult"])?.["resultDisplay"]);
  if (shown?.["type"] !== "task_execution" || shown["subagentSessionReady"] === true) return [];
  const asked = textOf(shown["taskPrompt"]);
  const answered = textOf(shown["result"]);
  return [
    ...(asked === undefined ? [] : [{ role: "user" as const, kind: "subagent" as const, text: asked }]),
    ...(answered === undefined ? [] : [{ role: "assistant" as const, kind: "subagent" as const, text: answered }]),
  ];
}

/** The summary of a compression: the first thing that the model reads afterwards. */
export function summaryIn(payload: Fields | undefined): string {
  const history = recordsOf(payload?.["compressedHistory"]).filter(({ role }) => role === "user");
  const texts = history.map(({ parts }) => withoutContext(joined(recordsOf(parts).map(({ text }) => text))));
  return texts.find((text) => text !== "") ?? "";
}
