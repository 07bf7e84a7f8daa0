// Runs a source and collects its events into conversations, as the store does, so
// that tests of sources need no database.
import type {
  ConversationFacts,
  ConversationSource,
  Finding,
  Home,
  MessagePart,
  SourceEvent,
  TranscriptFile,
  Wanted,
} from "../src/conversations/sources/source.ts";

export interface ReadConversation {
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
  events: SourceEvent[] = [];
  present: readonly string[] = [];

  /** Looks into a home, and reads what is there, from where the last reading stopped. */
  async read(source: ConversationSource, home: Home, wanted?: Wanted): Promise<this> {
    this.findings.splice(0, Infinity, ...source.find(home));
    this.events = [];
    for (const transcript of this.transcripts) {
      for await (const batch of source.read(
        transcript,
        this.checkpoints.get(transcript.path),
        new AbortController().signal,
        wanted,
      ))
        for (const event of batch) this.#take(transcript, event);
    }
    return this;
  }

  get transcripts(): TranscriptFile[] {
    return this.findings.flatMap((finding) => (finding.kind === "transcript" ? [finding.transcript] : []));
  }

  /** Conversations with anything that was said in them. */
  get conversations(): Map<string, ReadConversation> {
    const ids = new Set(
      [...this.#parts.values()].filter(({ kind }) => kind === "prose").map((part) => part.conversation),
    );
    return new Map([...ids].map((id) => [id, this.conversation(id)]));
  }

  conversation(id: string): ReadConversation {
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
    for (const one of [...this.events, ...this.findings]) {
      if (one.kind !== "skipped" && one.kind !== "unreadable") continue;
      const key = `${one.kind}: ${one.reason}`;
      notices[key] = (notices[key] ?? 0) + one.count;
    }
    return notices;
  }

  #take(transcript: TranscriptFile, event: SourceEvent): void {
    this.events.push(event);
    if (event.kind === "remembered") {
      this.#take(transcript, { kind: "conversation", facts: event.facts });
      this.#take(transcript, { kind: "part", part: event.part });
    } else if (event.kind === "conversation") {
      const given = Object.fromEntries(Object.entries(event.facts).filter(([, value]) => value !== undefined));
      this.#facts.set(event.facts.id, { ...this.#facts.get(event.facts.id), ...given });
    } else if (event.kind === "part") {
      const before = this.#parts.get(event.part.key);
      if (before === undefined || before.conversation === event.part.conversation)
        this.#parts.set(event.part.key, event.part);
    } else if (event.kind === "checkpoint") this.checkpoints.set(transcript.path, event.checkpoint);
    else if (event.kind === "present") this.present = event.conversations;
  }
}

export function homeIn(folder: string, system: Home["systems"][number] = "linux"): Home {
  return { folder, systems: [system], environment: {}, projects: [] };
}
