// The messages of a conversation as the page groups them: prose stands alone, and
// the tool calls, results and thoughts in between are one group. Pure.

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

/** A group in one line: "Read, Bash ×3, thinking". */
export function summaryOf(messages: readonly Message[]): string {
  const counts = new Map<string, number>();
  for (const { kind, tool } of messages) {
    const name = tool ?? kind ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // Results have no tool name: they belong to the calls before them.
  if (counts.size > 1) counts.delete("tool");
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
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
