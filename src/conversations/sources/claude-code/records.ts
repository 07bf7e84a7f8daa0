// The events of one record of a Claude Code transcript. Pure; used by
// claude-code.ts, which reads the lines.
import {
  boundedText,
  timeOf,
  type MessageKind,
  type MessagePart,
  type Role,
  type SourceEvent,
  type Tokens,
} from "../source.ts";
import { tokensIn } from "../kit/token-counts.ts";

/** The fields of a record that are used; any may be missing or of another type. */
export interface ClaudeRecord {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly parentUuid?: unknown;
  readonly sessionId?: unknown;
  readonly timestamp?: unknown;
  readonly cwd?: unknown;
  readonly gitBranch?: unknown;
  readonly isSidechain?: unknown;
  readonly isMeta?: unknown;
  readonly isCompactSummary?: unknown;
  readonly isApiErrorMessage?: unknown;
  /** Where `/branch` copied the record from. */
  readonly forkedFrom?: { readonly sessionId?: unknown } | null;
  readonly message?: {
    readonly id?: unknown;
    readonly model?: unknown;
    readonly content?: unknown;
    readonly usage?: Readonly<Record<string, unknown>> | null;
  } | null;
  readonly attachment?: { readonly type?: unknown; readonly prompt?: unknown } | null;
  readonly summary?: unknown;
  readonly leafUuid?: unknown;
  readonly aiTitle?: unknown;
  readonly customTitle?: unknown;
}

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly content?: unknown;
}

/** Types whose lines are parsed. */
export const READ_TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "attachment",
  "summary",
  "ai-title",
  "custom-title",
]);

/** Known types without messages. Any other type is counted as unknown. */
export const SILENT_TYPES: ReadonlySet<string> = new Set([
  "progress",
  "system",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "queue-operation",
  "pr-link",
  "agent-name",
  "agent-color",
  "agent-setting",
  "tag",
  "bridge-session",
  "worktree-state",
  "content-replacement",
  "marble-origami-commit",
  "speculation-accept",
  "attribution-snapshot",
  // Since 2.1.325, or not long before it.
  "api-request",
  "api-request-shape",
  "api-request-blob",
  "tools-used",
  "cost-state",
  "atis-latch",
  "isolation-latch",
  "session-owner",
  "dev-mods",
  "memory-mode",
  "repl-mode",
  "frame-link",
  "observer-ref",
  "fork-context-ref",
  "continued-in",
  "derived-from",
  "relocated",
  "resume-head-vouch",
  "ended-by-model",
  "history-suppression",
  "file-history-delta",
  "data-flow-records",
  "data-flow-incomplete",
  "artifact-comment-monitor",
  "artifact-autoreact-ledger",
]);

/** The messages and titles of a record. */
export function eventsOf(record: ClaudeRecord, conversation: string): SourceEvent[] {
  switch (record.type) {
    case "user":
      return userParts(record, conversation);
    case "assistant":
      return assistantParts(record, conversation);
    case "attachment":
      return queuedPrompt(record, conversation);
    case "summary":
      // Written to whichever file was open: the title belongs to the conversation that has the message.
      return isText(record.summary) && isText(record.leafUuid)
        ? [{ kind: "title", message: record.leafUuid, title: record.summary }]
        : [];
    case "ai-title":
      return titled(record.aiTitle, "program", conversation);
    case "custom-title":
      return titled(record.customTitle, "user", conversation);
    default:
      return [];
  }
}

function titled(title: unknown, titleBy: "user" | "program", id: string): SourceEvent[] {
  return isText(title) ? [{ kind: "conversation", facts: { id, title, titleBy } }] : [];
}

function userParts(record: ClaudeRecord, conversation: string): SourceEvent[] {
  if (record.isMeta === true) return [];
  const blocks = blocksOf(record.message?.content);
  const results = blocks.flatMap((block, i) => {
    if (block.type !== "tool_result") return [];
    const text = resultText(block.content);
    const kind = record.isSidechain === true ? "subagent" : "tool";
    return text === "" ? [] : [partOf(record, conversation, "user", kind, text, `#${i}`)];
  });
  const typed = typedText(blocks);
  if (typed === "") return results;
  const isSummary = record.isCompactSummary === true || typed.startsWith(CONTINUED);
  const kind = record.isSidechain === true ? "subagent" : isSummary ? "summary" : "prose";
  return [partOf(record, conversation, "user", kind, typed), ...results];
}

function assistantParts(record: ClaudeRecord, conversation: string): SourceEvent[] {
  const { message } = record;
  if (message?.model === "<synthetic>" || record.isApiErrorMessage === true || record.isMeta === true) return [];
  const blocks = blocksOf(message?.content);
  const said = textOf(blocks);
  // Everything of a sub-agent is of the kind `subagent`.
  const side = record.isSidechain === true ? "subagent" : undefined;
  return [
    ...(said === "" ? [] : [partOf(record, conversation, "assistant", side ?? "prose", said)]),
    ...blocks.flatMap((block, i): SourceEvent[] => {
      if (block.type === "thinking" && isText(block.thinking))
        return [partOf(record, conversation, "assistant", side ?? "thinking", block.thinking, `#${i}`)];
      if (block.type !== "tool_use" && block.type !== "server_tool_use") return [];
      const tool = isText(block.name) ? block.name : "tool";
      const asked = partOf(record, conversation, "assistant", side ?? "tool", askedText(tool, block.input), `#${i}`);
      return [{ ...asked, part: { ...asked.part, tool, files: filesIn(block.input) } }];
    }),
  ];
}

/** The tokens of the whole message, which all its records have, the last of them with all that was said. */
export function tokensOfRecord({ message }: ClaudeRecord): Tokens | undefined {
  const usage = message?.usage;
  if (usage === undefined || usage === null || typeof usage !== "object") return undefined;
  const counted = {
    input: usage["input_tokens"],
    output: usage["output_tokens"],
    cached: usage["cache_read_input_tokens"],
    written: usage["cache_creation_input_tokens"],
  };
  return tokensIn(counted, true);
}

/** What a person typed while the assistant was working. */
function queuedPrompt(record: ClaudeRecord, conversation: string): SourceEvent[] {
  const { attachment } = record;
  if (attachment?.type !== "queued_command" || record.isMeta === true || record.isSidechain === true) return [];
  const typed = typedText(blocksOf(attachment.prompt));
  return typed === "" ? [] : [partOf(record, conversation, "user", "prose", typed)];
}

function partOf(
  record: ClaudeRecord,
  conversation: string,
  role: Role,
  kind: MessageKind,
  text: string,
  suffix = "",
): { readonly kind: "part"; readonly part: MessagePart } {
  const uuid = String(record.uuid);
  const time = timeOf(record.timestamp);
  const part = {
    conversation,
    key: uuid + suffix,
    message: role === "assistant" && isText(record.message?.id) ? record.message.id : uuid,
    order: time ?? 0,
    role,
    kind,
    text: kind === "prose" ? text : boundedText(text),
    time,
    ...(role === "user" && kind === "prose" && isText(record.parentUuid) && { follows: record.parentUuid }),
  };
  return { kind: "part", part };
}

/** Content is a text or a list of blocks. */
function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter((block) => typeof block === "object" && block !== null) : [];
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ type, text }) =>
      type === "text" && isText(text) ? [text.trim()] : type === "image" ? ["[image]"] : [],
    )
    .filter((text) => text !== "")
    .join("\n\n");
}

/** What the program puts around or in place of a prompt. */
const WRAPPED =
  /<(system-reminder|local-command-caveat|local-command-stdout|local-command-stderr|command-name|command-message|command-args|command-contents|bash-input|bash-stdout|bash-stderr|task-notification|ide_opened_file|ide_selection|user-prompt-submit-hook|user-memory-input)>[^]*?(?:<\/\1>|$)/g;
const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]$/;
const CAVEAT = /^Caveat: The messages below were generated by the user while running local commands\./;
/** How a summary begins in releases that do not mark it. */
const CONTINUED = "This session is being continued from a previous conversation";

/** What a person typed, without what the program added; possibly empty. */
function typedText(blocks: readonly Block[]): string {
  const own = blocks.map((block) =>
    isText(block.text) && block.text.includes("<") ? { ...block, text: block.text.replace(WRAPPED, "") } : block,
  );
  const typed = textOf(own.filter(({ text }) => !isText(text) || !INTERRUPTED.test(text.trim())));
  return CAVEAT.test(typed) ? "" : typed;
}

function resultText(content: unknown): string {
  const text = textOf(blocksOf(content)).replace(WRAPPED, "").trim();
  return text;
}

/** The most important arguments of calls, in this order. Others come after them, with their names. */
const MAIN_ARGUMENTS = [
  "command",
  "file_path",
  "notebook_path",
  "filePath",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
  "skill",
  "plan",
];

const EDITS = ["new_string", "edits", "content", "new_source"];

function askedText(tool: string, input: unknown): string {
  if (typeof input !== "object" || input === null) return tool;
  const values = input as Record<string, unknown>;
  // What was replaced and what was written must stay apart: recall by file compares them.
  if (EDITS.some((name) => name in values)) return `${tool}: ${JSON.stringify(input)}`;
  const main = MAIN_ARGUMENTS.filter((name) => isText(values[name]));
  if (main.length === 0) return `${tool}: ${JSON.stringify(input)}`;
  const others = Object.keys(values)
    .filter((name) => !main.includes(name))
    .toSorted();
  return `${tool}: ${[
    ...main.map((name) => shown(values[name])),
    ...others.map((name) => `${name}: ${shown(values[name])}`),
  ].join("\n")}`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const FILE_ARGUMENTS = ["file_path", "notebook_path", "filePath"];

function filesIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  const values = input as Record<string, unknown>;
  return FILE_ARGUMENTS.flatMap((name) => (isText(values[name]) ? [values[name]] : []));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
