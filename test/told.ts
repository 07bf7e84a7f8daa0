// What a source tells, put together as the store would, so that tests of
// sources need no store.
import type {
  ConversationFacts,
  ConversationSource,
  Finding,
  Home,
  MessagePart,
  Told,
  Unit,
} from "../src/conversations/sources/source.ts";

export interface ToldConversation {
  readonly facts: Partial<ConversationFacts>;
  /** In order. */
  readonly parts: readonly MessagePart[];
}

export class Reading {
  readonly findings: Finding[] = [];
  readonly #facts = new Map<string, Partial<ConversationFacts>>();
  readonly #parts = new Map<string, MessagePart>();
  readonly checkpoints = new Map<string, string>();
  /** In the last reading. */
  told: Told[] = [];
  present: readonly string[] = [];

  /** Looks into a home, and reads what is there, from where the last reading stopped. */
  async read(source: ConversationSource, home: Home): Promise<this> {
    this.findings.splice(0, Infinity, ...source.find(home));
    this.told = [];
    for (const unit of this.units) {
      for await (const batch of source.read(unit, this.checkpoints.get(unit.path), new AbortController().signal))
        for (const told of batch) this.#take(unit, told);
    }
    return this;
  }

  get units(): Unit[] {
    return this.findings.flatMap((finding) => (finding.kind === "unit" ? [finding.unit] : []));
  }

  /** Conversations with anything that was said in them. */
  get conversations(): Map<string, ToldConversation> {
    const ids = new Set(
      [...this.#parts.values()].filter(({ kind }) => kind === "prose").map((part) => part.conversation),
    );
    return new Map([...ids].map((id) => [id, this.conversation(id)]));
  }

  conversation(id: string): ToldConversation {
    const parts = [...this.#parts.values()].filter(({ conversation }) => conversation === id);
    return { facts: this.#facts.get(id) ?? {}, parts: parts.toSorted((a, b) => a.order - b.order) };
  }

  prose(id: string): string[] {
    return this.conversation(id)
      .parts.filter(({ kind }) => kind === "prose")
      .map(({ role, text }) => `${role}: ${text}`);
  }

  /** What was passed over or could not be read, with how many. */
  get notices(): Record<string, number> {
    const notices: Record<string, number> = {};
    for (const one of [...this.told, ...this.findings]) {
      if (one.kind !== "skipped" && one.kind !== "unreadable") continue;
      const key = `${one.kind}: ${one.reason}`;
      notices[key] = (notices[key] ?? 0) + one.count;
    }
    return notices;
  }

  #take(unit: Unit, told: Told): void {
    this.told.push(told);
    if (told.kind === "remembered") {
      this.#take(unit, { kind: "conversation", facts: told.facts });
      this.#take(unit, { kind: "part", part: told.part });
    } else if (told.kind === "conversation") {
      const given = Object.fromEntries(Object.entries(told.facts).filter(([, value]) => value !== undefined));
      this.#facts.set(told.facts.id, { ...this.#facts.get(told.facts.id), ...given });
    } else if (told.kind === "part") {
      const before = this.#parts.get(told.part.key);
      if (before === undefined || before.conversation === told.part.conversation)
        this.#parts.set(told.part.key, told.part);
    } else if (told.kind === "checkpoint") this.checkpoints.set(unit.path, told.checkpoint);
    else if (told.kind === "present") this.present = told.conversations;
  }
}

export function homeIn(folder: string, system: Home["systems"][number] = "linux"): Home {
  return { folder, systems: [system], environment: {} };
}
