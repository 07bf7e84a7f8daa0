// pi 0.73: a file for each session, in a folder named after the project; entries
// as its session-manager.ts appends them.
import { join } from "node:path";
import { derivedId, isoTime, writeJsonLines, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const piStore = storeIn(".pi/agent/sessions");

/** Programs that were made from it. */
export const ompStore = storeIn(".omp/agent/sessions", (conversation) => [
  { type: "title", title: conversation.title },
  ...entriesOf(conversation),
]);
export const primeStore = storeIn(".prime/agent/sessions");
export const openclawStore = agentStoreIn(".openclaw/agents/main/sessions");
export const qclawStore = agentStoreIn(".qclaw/agents/main/sessions");

function storeIn(sessions: string, contentOf = entriesOf): ProgramStore {
  return {
    lacks: ["branch"],
    write(home, conversations) {
      for (const conversation of conversations) {
        const { id, folder, turns } = conversation;
        const slug = `--${folder.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-")}--`;
        const time = isoTime(turns[0]!.at).replaceAll(/[:.]/g, "-");
        writeJsonLines(join(home, sessions, slug, `${time}_${id}.jsonl`), contentOf(conversation));
      }
    },
  };
}

/** Files with the ids of their sessions alone. */
function agentStoreIn(sessions: string): ProgramStore {
  return {
    lacks: ["branch"],
    write(home, conversations) {
      for (const conversation of conversations)
        writeJsonLines(join(home, sessions, `${conversation.id}.jsonl`), entriesOf(conversation));
    },
  };
}

function entriesOf({ id, folder, title, model, turns }: MadeConversation): object[] {
  const start = turns[0]!.at;
  const entries: object[] = [{ type: "session", version: 3, id, timestamp: isoTime(start), cwd: folder }];
  let parentId: string | null = null;
  const add = (at: number, type: string, values: object): void => {
    const own = derivedId(id, entries.length).slice(0, 8);
    entries.push({ type, id: own, parentId, timestamp: isoTime(at), ...values });
    parentId = own;
  };
  const answered = (at: number, content: object[], stopReason: string): void =>
    add(at, "message", {
      message: {
        role: "assistant",
        content,
        api: "anthropic-messages",
        provider: "p",
        model,
        stopReason,
        timestamp: at,
      },
    });
  add(start, "model_change", { provider: "p", modelId: model });
  add(start, "thinking_level_change", { thinkingLevel: "medium" });
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    add(at, "message", { message: { role: "user", content: [{ type: "text", text: prompt }], timestamp: at } });
    const call = { type: "toolCall", id: `toolu_${i}`, name: "read", arguments: { path: tool.file } };
    answered(at + 300, [{ type: "thinking", thinking, thinkingSignature: "c2ln" }, call], "toolUse");
    add(at + 500, "message", {
      message: {
        role: "toolResult",
        toolCallId: call.id,
        toolName: "read",
        content: [{ type: "text", text: tool.output }],
        isError: false,
        timestamp: at + 500,
      },
    });
    answered(at + 1000, [{ type: "text", text: answer }], "stop");
    if (i === 0) add(at + 1100, "session_info", { name: title });
  }
  return entries;
}
