// What our readers make of a home: every conversation with its messages, as
// read_conversation shows them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationSources, openConversations } from "../../src/conversations/conversations.ts";
import type { ConversationSummary, Message } from "../../src/conversations/conversations.ts";

export type ReadMessage = Pick<Message, "role" | "kind" | "text" | "isAbandoned" | "tool">;

export interface ReadConversation extends Pick<
  ConversationSummary,
  "id" | "source" | "title" | "folder" | "model" | "messages" | "continues" | "created" | "updated" | "timeKnown"
> {
  readonly parts: readonly ReadMessage[];
}

export interface ReadHome {
  readonly conversations: readonly ReadConversation[];
  /** What was passed over or could not be read. */
  readonly notices: readonly string[];
}

/** Reads a home again and again, each time from where the last reading stopped. */
export class HomeReader {
  readonly #folder = mkdtempSync(join(tmpdir(), "commonplace-verify-store-"));
  readonly #conversations: ReturnType<typeof openConversations>;

  constructor(home: string) {
    this.#conversations = openStore(join(this.#folder, "conversations.db"), home);
  }

  async read(): Promise<ReadHome> {
    const conversations = await this.#conversations;
    const options = { complete: true, withTools: true };
    const { answer } = await conversations.recall({ limit: 1000 }, options);
    const found = answer.conversations.toSorted((a, b) => a.created - b.created);
    const states = (await conversations.sources({ asItIs: true })).answer;
    return {
      conversations: found.map((summary) => ({
        ...pick(summary),
        parts: [...conversations.messages(summary)].flat().map(({ role, kind, text, isAbandoned, tool }) => ({
          role,
          kind,
          text,
          isAbandoned,
          tool,
        })),
      })),
      notices: states.flatMap(({ name, skipped, unreadable }) =>
        [...skipped, ...unreadable].map(({ count, reason }) => `${name}: ${count} × ${reason}`),
      ),
    };
  }

  async close(): Promise<void> {
    await (await this.#conversations).close();
    rmSync(this.#folder, { recursive: true });
  }
}

function openStore(file: string, home: string) {
  const place = { folder: home, systems: ["linux"], environment: {}, projects: [] } as const;
  return conversationSources().then((sources) =>
    openConversations({ file, sources, homes: [place], redact: (text) => text, log: () => {} }),
  );
}

function pick(summary: ConversationSummary): Omit<ReadConversation, "parts"> {
  const { id, source, title, folder, model, messages, continues, created, updated, timeKnown } = summary;
  return { id, source, title, folder, model, messages, continues, created, updated, timeKnown };
}
