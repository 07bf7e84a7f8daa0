// The messages of a conversation as the page groups them: prose stands alone, and
// the tool calls, results and thoughts in between are one group. Pure.

import { isRecord, nameIn, parseJson } from "../../../../src/kernel/kernel.ts";
import type { ResultNamed } from "../../../../src/tools/tools.ts";

/** Only prose has an id, and everything else a kind: "tool", "thinking" … */
export type Message = ResultNamed<"read_conversation">["messages"][number];

export type Turn =
  | {
      readonly is: "prose";
      readonly message: Message;
      /** True if the previous prose has another role. */
      readonly isNewSpeaker: boolean;
    }
  | { readonly is: "steps"; readonly messages: readonly Message[] };

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  let speaker = "";
  let steps: Message[] = [];
  const addSteps = () => {
    if (steps.length > 0) turns.push({ is: "steps", messages: steps });
    steps = [];
  };
  for (const message of messages) {
    if (message.kind !== undefined) {
      steps.push(message);
      continue;
    }
    addSteps();
    turns.push({ is: "prose", message, isNewSpeaker: message.role !== speaker });
    speaker = message.role;
  }
  addSteps();
  return turns;
}

/** What is one line of a group: a call of a tool with what it returned, a thought, or what was returned by no known call. */
export interface StepLine {
  readonly is: "call" | "thought" | "result";
  readonly message: Message;
  readonly result: Message | undefined;
}

/**
 * Results have no name and follow the calls that they belong to, in their order. Where they are not as many as the
 * calls before them, nobody can tell whose they are: then they are lines of their own.
 */
export function stepLines(messages: readonly Message[]): StepLine[] {
  const lines: StepLine[] = [];
  for (let i = 0; i < messages.length;) {
    const message = messages[i]!;
    if (!isCall(message)) {
      lines.push({ is: isResult(message) ? "result" : "thought", message, result: undefined });
      i++;
      continue;
    }
    const calls = runOf(messages, i, isCall);
    const results = runOf(messages, i + calls.length, isResult);
    const isPaired = results.length === calls.length;
    lines.push(
      ...calls.map((call, at): StepLine => ({ is: "call", message: call, result: isPaired ? results[at] : undefined })),
    );
    i += calls.length + (isPaired ? results.length : 0);
  }
  return lines;
}

function isResult({ kind, tool, edits }: Message): boolean {
  return kind === "tool" && tool === undefined && edits === undefined;
}

function isCall(message: Message): boolean {
  return (message.tool !== undefined || message.edits !== undefined) && !isResult(message);
}

function runOf(messages: readonly Message[], from: number, is: (message: Message) => boolean): readonly Message[] {
  const end = messages.findIndex((message, i) => i >= from && !is(message));
  return messages.slice(from, end === -1 ? undefined : end);
}

/** As programs begin the result of a call that failed. */
const FAILED =
  /^(?:<tool_use_error>|error\b[:\s]|exit code:? [1-9]|(?:\w+: )?(?:command not found|permission denied|no such file))/i;

export function hasFailed({ result, message, is }: StepLine): boolean {
  return FAILED.test((is === "result" ? message : result)?.text.trimStart() ?? "");
}

/** The tool without the server that it is of: search for mcp__notes__search. */
export function stepName({ is, message: { tool, kind } }: StepLine): string {
  if (is === "result") return "Result";
  if (is === "thought" && kind === "thinking") return "Thought";
  return tool?.replace(/^mcp__.+?__/, "") ?? (is === "call" ? "Edit" : (kind ?? ""));
}

/** What the step is about in a few words: a file, a command, the first line of a thought. */
export function stepSubject({ message: { tool, text, edits } }: StepLine): string {
  if (edits !== undefined) return [...new Set(edits.map(({ file }) => nameIn(file)))].join(", ");
  const said = tool !== undefined && text.startsWith(`${tool}:`) ? text.slice(tool.length + 1) : text;
  const input = argumentsIn(said);
  const first = (input === undefined ? said : textIn(Object.values(input))).trim().split("\n", 1)[0]!;
  return /^(?:[A-Z]:)?[/\\]\S+$/i.test(first) ? nameIn(first.replaceAll("\\", "/")) : first;
}

function textIn(values: readonly unknown[]): string {
  const found = values.find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
}

/** Calls are stored as the name of the tool, and the arguments as JSON. */
export function argumentsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const start = text.indexOf("{");
  const input = start === -1 ? undefined : parseJson(text.slice(start));
  return isRecord(input) ? input : undefined;
}

/**
 * Adds a later page of messages. If the page starts with messages that are there
 * already, it replaces them. Only prose has an id to recognise it by.
 */
export function appendMessages(before: readonly Message[], page: readonly Message[]): readonly Message[] {
  const indexes = new Map(before.flatMap(({ id, kind }, i) => (kind === undefined ? [[id, i] as const] : [])));
  const from = page.findIndex(({ id, kind }) => kind === undefined && indexes.has(id));
  return from === -1 ? [...before, ...page] : [...before.slice(0, indexes.get(page[from]!.id)), ...page.slice(from)];
}
