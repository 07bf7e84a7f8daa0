// The rows of a task as Cline, Roo Code and Kilo Code show them
// (`ui_messages.json`): what was said and asked, one after the other, each with
// a time. They are the better source of what was typed and answered: what is
// sent to the model (`api_conversation_history.json`) has it between files,
// reminders and the state of the editor, and is rewritten when it is condensed.
// Pure; used by task-reader.ts.
import { boundedText, timeOf, type MessagePart, type SourceEvent, type Tokens } from "../source.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { toolIn } from "./task-tools.ts";

export type Fields = Readonly<Record<string, unknown>>;

type Meaning =
  | "prompt"
  | "answer"
  /** An answer that offers options; which one was chosen may be noted in the row itself. */
  | "question"
  | "thinking"
  | "call"
  | "output"
  | "edit"
  | "summary"
  | "subagent"
  | "silent";

/** `say` of all three programs, past and present. */
const SAID: Readonly<Record<string, Meaning>> = {
  task: "prompt",
  user_feedback: "prompt",
  user_feedback_diff: "edit",
  user_edit_todos: "edit",
  text: "answer",
  completion_result: "answer",
  plan_completion_result: "answer",
  reasoning: "thinking",
  tool: "call",
  command: "call",
  use_mcp_server: "call",
  browser_action_launch: "call",
  browser_action: "call",
  use_subagents: "call",
  task_progress: "call",
  generate_explanation: "call",
  image: "call",
  command_output: "output",
  mcp_server_response: "output",
  browser_action_result: "output",
  inspect_site_result: "output",
  codebase_search_result: "output",
  condense_context: "summary",
  subagent: "subagent",
  subtask_result: "subagent",
  new_task_started: "silent",
  new_task: "silent",
};

const ASKED: Readonly<Record<string, Meaning>> = {
  followup: "question",
  plan_mode_respond: "question",
  plan_mode_response: "question",
  act_mode_respond: "question",
  completion_result: "answer",
  tool: "call",
  command: "call",
  use_mcp_server: "call",
  browser_action_launch: "call",
  use_subagents: "call",
  report_bug: "call",
  command_output: "output",
  new_task: "summary",
  condense: "summary",
  summarize_task: "summary",
};

/** Requests, errors, warnings, checkpoints, hooks, prompts to go on. */
const SILENT =
  /^(?:api_req_\w+|deleted_api_reqs|error|error_retry|diff_error|\w+ignore_error|condense_context_error|command_permission_denied|shell_integration_warning\w*|too_many_tools_warning|checkpoint_\w+|load_mcp_documentation|info|hook_\w+|subagent_usage|conditional_rules_applied|mcp_server_request_started|mcp_notification|browser_session_status|sliding_window_truncation|compaction|resume_\w+|mistake_limit_reached|request_limit_reached|auto_approval_max_req_reached|\w+_prompt|invalid_model)$/;

/** What Cline appends to a result if files were changed, and to a command that needed approval. */
const HAS_CHANGES = /HAS_CHANGES$/;
const NEEDS_APPROVAL = /REQ_APP$/;

/** Its text is JSON with the request, which may be long, and the counts behind it. Within a text, quotes are escaped. */
export function tokensOfRequest(row: Fields): Tokens | undefined {
  const text = textOf(row["text"]) ?? "";
  const count = (name: string) => Number(new RegExp(`"${name}":(\\d{1,12})`).exec(text)?.[1] ?? 0);
  const cache = { cached: count("cacheReads"), written: count("cacheWrites") };
  return tokensIn({ input: count("tokensIn"), output: count("tokensOut"), ...cache }, true);
}

export class TaskRows {
  readonly #task: string;
  readonly #isSubtask: boolean;
  readonly #keys = new Set<string>();
  /** Of the request whose answer the rows are. */
  #request: string | undefined;
  #order = Number.NEGATIVE_INFINITY;
  #rows = 0;
  #answered = "";
  /** Ids of the messages so far, without the task's. */
  readonly messages = new Set<string>();
  /** Rows of a kind that is not known. */
  skipped = 0;

  /** @param isSubtask its first prompt is by another task's assistant */
  constructor(task: string, isSubtask: boolean) {
    this.#task = task;
    this.#isSubtask = isSubtask;
  }

  *eventsOf(row: Fields | undefined): Generator<SourceEvent> {
    const isFirst = this.#rows++ === 0;
    const kind = textOf(row?.[row["type"] === "ask" ? "ask" : "say"]);
    if (row === undefined || kind === undefined) {
      this.skipped++;
      return;
    }
    const time = timeOf(row["ts"]);
    const key = this.#keyAt(time);
    if (kind === "api_req_started") this.#request = key;
    const meaning = meaningOf(kind, row, isFirst);
    if (meaning === undefined) this.skipped++;
    if (meaning === undefined || meaning === "silent") return;
    this.#order = Math.max(time ?? this.#order, this.#order + SHORTLY, 0);
    if (meaning === "prompt" || meaning === "edit") this.#request = undefined;
    const role = meaning === "prompt" || meaning === "edit" ? ("user" as const) : ("assistant" as const);
    const message = role === "user" ? key : (this.#request ?? key);
    for (const part of this.#partsOf(meaning, kind, row, isFirst)) {
      const own = { role, ...part };
      // An option that was chosen is a message of its own.
      const of = own.role === role ? message : `${key}:chosen`;
      if (part.kind === "prose" || meaning === "call") this.messages.add(of);
      const place = { conversation: this.#task, order: this.#order, time };
      const suffix = part.suffix === undefined ? "" : `:${part.suffix}`;
      const { suffix: _, ...rest } = own;
      yield {
        kind: "part",
        part: { ...place, key: `${this.#task}:${key}${suffix}`, message: `${this.#task}:${of}`, ...rest },
      };
    }
  }

  /** Times are the program's own ids of rows. */
  #keyAt(time: number | undefined): string {
    const own = time === undefined ? `row${this.#rows}` : String(time);
    let key = own;
    for (let i = 2; this.#keys.has(key); i++) key = `${own}.${i}`;
    this.#keys.add(key);
    return key;
  }

  *#partsOf(meaning: Meaning, kind: string, row: Fields, isFirst: boolean): Generator<RowPart> {
    const text = (textOf(row["text"]) ?? "").trim();
    const thought = meaning === "thinking" ? text || textOf(row["reasoning"]) : textOf(row["reasoning"]);
    if (thought !== undefined && thought !== "")
      yield { kind: "thinking", suffix: "thinking", text: boundedText(thought) };
    switch (meaning) {
      case "prompt":
        return yield* promptIn(text, row, isFirst && this.#isSubtask);
      case "answer": {
        const said = text.replace(HAS_CHANGES, "").trim();
        // The question whether a result is accepted repeats it.
        if (said !== "" && !(row["type"] === "ask" && said === this.#answered)) yield { kind: "prose", text: said };
        this.#answered = said;
        return;
      }
      case "question":
        return yield* questionIn(text);
      case "summary": {
        const summary = textOf(recordOf(row["contextCondense"])?.["summary"]) ?? text;
        if (summary !== "") yield { kind: "summary", text: boundedText(summary) };
        return;
      }
      case "subagent":
        return yield* subagentIn(text);
      case "call":
      case "output":
      case "edit": {
        const tool = toolIn(kind, text.replace(NEEDS_APPROVAL, ""));
        if (tool.text !== "") yield tool;
      }
    }
  }
}

/** Less than the millisecond between rows. */
const SHORTLY = 0.001;

type RowPart = Pick<MessagePart, "kind" | "text" | "files" | "tool"> & {
  readonly role?: MessagePart["role"];
  readonly suffix?: string;
};

function meaningOf(kind: string, row: Fields, isFirst: boolean): Meaning | undefined {
  // The task itself: Cline has its own kind for it, the others have not.
  if (isFirst && kind === "text") return "prompt";
  const known = (row["type"] === "ask" ? ASKED : SAID)[kind];
  return known ?? (SILENT.test(kind) ? "silent" : undefined);
}

function* promptIn(text: string, row: Fields, isByAssistant: boolean): Generator<RowPart> {
  const images = Array.isArray(row["images"]) && row["images"].length > 0 ? ["[image]"] : [];
  const attached = Array.isArray(row["files"]) ? row["files"].filter((file) => typeof file === "string") : [];
  const typed = [...(text === "" ? [] : [text]), ...images].join("\n\n");
  const files = attached.length > 0 ? { files: attached } : {};
  if (typed === "") return;
  if (isByAssistant) yield { kind: "subagent", text: boundedText(typed), ...files };
  else yield { kind: "prose", text: typed, ...files };
}

/** A text, or JSON: Cline's `{question | response, options, selected}`, Roo's `{question, suggest: [{answer}]}`. */
function* questionIn(text: string): Generator<RowPart> {
  const fields = text.startsWith("{") ? recordOf(storedJson(text)) : undefined;
  const asked = fields === undefined ? text : (textOf(fields["question"]) ?? textOf(fields["response"]) ?? "").trim();
  const offered = Array.isArray(fields?.["options"]) ? fields["options"] : recordsOf(fields?.["suggest"]);
  const options = offered.map((one: unknown) => textOf(one) ?? textOf(recordOf(one)?.["answer"]));
  const listed = options.filter((one) => one !== undefined).map((one) => `- ${one.trim()}`);
  const said = [asked, listed.join("\n")].filter((one) => one !== "").join("\n\n");
  if (said !== "") yield { kind: "prose", text: said };
  const chosen = textOf(fields?.["selected"]);
  if (chosen !== undefined) yield { kind: "prose", role: "user", suffix: "chosen", text: chosen.trim() };
}

/** Cline's `{items: [{prompt, result}]}`, or the result of a task that was started by this one. */
function* subagentIn(text: string): Generator<RowPart> {
  const items = text.startsWith("{") ? recordsOf(recordOf(storedJson(text))?.["items"]) : [];
  if (items.length === 0 && text !== "") yield { kind: "subagent", text: boundedText(text) };
  for (const [i, { prompt, result }] of items.entries())
    for (const [name, said] of Object.entries({ prompt, result })) {
      const shown = textOf(said);
      if (shown !== undefined) yield { kind: "subagent", suffix: `${name}${i}`, text: boundedText(shown) };
    }
}
