// The messages of a conversation, put together as a person reads them: what was
// said stands alone, what was done between is one fold. Pure.

export interface Message {
  /** Empty where it is not prose. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly time?: string;
  /** What is not prose: a tool's call or result, a thought, a sub-agent … */
  readonly kind?: string;
  readonly tool?: string;
  readonly abandoned?: boolean;
}

export type Turn =
  | { readonly is: "said"; readonly message: Message; /** Whether another spoke before. */ readonly isNew: boolean }
  | { readonly is: "done"; readonly messages: readonly Message[] };

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  let speaker = "";
  let done: Message[] = [];
  const close = () => {
    if (done.length > 0) turns.push({ is: "done", messages: done });
    done = [];
  };
  for (const message of messages) {
    if (message.kind !== undefined) {
      done.push(message);
      continue;
    }
    close();
    turns.push({ is: "said", message, isNew: message.role !== speaker });
    speaker = message.role;
  }
  close();
  return turns;
}

/** What a fold holds, in a line: "Read, Bash ×3, thinking". */
export function summaryOf(messages: readonly Message[]): string {
  const counts = new Map<string, number>();
  for (const { kind, tool } of messages) {
    const name = tool ?? kind ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // What a tool gave has no name of its own: it belongs to the call before it.
  if (counts.size > 1) counts.delete("tool");
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}

/**
 * Messages with those that follow. Where these begin with some that are there
 * already, those are taken as they are now. Only what was said has an id.
 */
export function joined(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  const places = new Map(before.flatMap(({ id, kind }, i) => (kind === undefined ? [[id, i] as const] : [])));
  const from = after.findIndex(({ id, kind }) => kind === undefined && places.has(id));
  return from === -1 ? [...before, ...after] : [...before.slice(0, places.get(after[from]!.id)), ...after.slice(from)];
}
