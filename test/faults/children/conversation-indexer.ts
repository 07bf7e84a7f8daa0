// A process that updates a shared store of conversations, and reports what it
// finds in the end.
import { join } from "node:path";
import { openConversations } from "../../../src/conversations/conversation-library.ts";
import { claudeCode } from "../../../src/conversations/sources/claude-code/claude-code.ts";

export interface ConversationOrders {
  readonly home: string;
  readonly data: string;
  /** Words, each of which is looked for after everything was read. */
  readonly queries?: readonly string[];
}

export interface ConversationReport {
  /** How many conversations there are for each query. */
  readonly found: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly unreadable: readonly { readonly count: number; readonly reason: string }[];
  readonly archived: number;
  readonly logged: readonly string[];
}

const { home, data, queries = [] } = JSON.parse(process.argv[2] ?? "{}") as ConversationOrders;
const logged: string[] = [];
const conversations = openConversations({
  file: join(data, "conversations.db"),
  sources: [claudeCode],
  homes: [{ folder: home, systems: ["linux"], environment: {}, projects: [] }],
  redact: (text) => text,
  log: (line) => logged.push(line),
});
process.stdout.write("ready\n");
await conversations.refresh();
const found: Record<string, number> = {};
for (const query of queries) found[query] = (await conversations.recall({ query, limit: 1 })).answer.total;
const [state] = (await conversations.sources({ complete: true, withTools: true })).answer;
await conversations.close();
const { messages, archived, unreadable } = state!;
process.stdout.write(
  `${JSON.stringify({ found, messages, archived, unreadable, logged } satisfies ConversationReport)}\n`,
);
