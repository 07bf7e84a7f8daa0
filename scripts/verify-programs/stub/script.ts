// What the stub says: decided by the last marked prompt in a request, and by what
// has happened since. It keeps no state, so programs may ask as often as they like.
import { type Before, marker, printCommand } from "../markers.ts";
import type { Asked, AskedTurn, Reply, ToolCall } from "./exchange.ts";

/** How a program's tools are called: they all have a shell, each under another name. */
export interface ToolNames {
  readonly shell: (command: string) => ToolCall;
  /** Asks a sub-agent: calls that are made one after the other, each with what the one before it has returned. */
  readonly helper?: readonly ((prompt: string, result: string) => ToolCall)[];
  /** A tool by which the sub-agent must give its answer. */
  readonly helperAnswer?: (text: string) => ToolCall;
}

const PROMPT = /quokkaprompt(\d+)((?: with| and| thinking| tool| helper)*)/g;
const HELPER_PROMPT = /dingotask(\d+)/g;

const ASKS_FOR_SUMMARY = /summar|compact|compress|checkpoint|handoff/i;
const ASKS_FOR_TITLE = /title|topic|slug|one sentence/i;

/** Characters in which an instruction says what it is about; further on, it may mention anything. */
const BEGINNING = 250;

export function replyTo(asked: Asked, tools: ToolNames): Reply {
  const at = asked.turns.findLastIndex((turn) => turn.role === "user" && isMarked(turn.text));
  const since = asked.turns.slice(at + 1);
  const instruction = since.findLast((turn) => turn.role === "user")?.text ?? "";
  if (asked.tools.length === 0 || instruction !== "") {
    const aside = replyAside(asked, instruction);
    if (aside !== undefined) return aside;
  }
  if (at === -1) return { text: "Nothing was asked." };
  return replyToPrompt(asked.turns[at]!, since, tools);
}

/** Programs ask for titles and summaries, too: without tools, or at the end of the conversation. */
function replyAside({ system, turns, tools }: Asked, instruction: string): Reply | undefined {
  const summary = { text: `<summary>${marker.summary}</summary>` };
  if (tools.length > 0) return ASKS_FOR_SUMMARY.test(instruction) ? summary : undefined;
  const last = turns.at(-1)?.text ?? "";
  const beginnings = [system, last].map((text) => text.slice(0, BEGINNING));
  if (beginnings.some((text) => ASKS_FOR_TITLE.test(text))) return { text: marker.title };
  if (ASKS_FOR_SUMMARY.test(system) || ASKS_FOR_SUMMARY.test(last)) return summary;
  return undefined;
}

function replyToPrompt({ text }: AskedTurn, since: readonly AskedTurn[], tools: ToolNames): Reply {
  const results = since.filter(({ role }) => role === "tool").map((turn) => turn.text);
  const hasResult = results.length > 0;
  const task = lastMatch(HELPER_PROMPT, text);
  const prompt = lastMatch(PROMPT, text);
  if (prompt === undefined || (task !== undefined && task.index > prompt.index)) {
    const answer = marker.helperAnswer(Number(task![1]));
    if (tools.helperAnswer === undefined || hasResult) return { text: answer };
    return { call: tools.helperAnswer(answer) };
  }
  const n = Number(prompt[1]);
  const isWanted = (before: Before) => prompt[2]!.includes(before);
  const thinking = isWanted("thinking") && !hasResult ? marker.thought(n) : undefined;
  const call = isWanted("helper")
    ? tools.helper?.[results.length]?.(marker.helperPrompt(n), results.at(-1) ?? "")
    : isWanted("tool") && !hasResult
      ? tools.shell(printCommand(n))
      : undefined;
  return call === undefined ? { thinking, text: marker.answer(n) } : { thinking, call };
}

function isMarked(text: string): boolean {
  return lastMatch(PROMPT, text) !== undefined || lastMatch(HELPER_PROMPT, text) !== undefined;
}

function lastMatch(pattern: RegExp, text: string): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1);
}
