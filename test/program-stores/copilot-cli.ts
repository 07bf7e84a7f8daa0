// GitHub Copilot CLI 1.0.102: a folder for each session with its events, and a
// file that names it; as real ones are.
import { join } from "node:path";
import {
  derivedId,
  isoTime,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type ProgramStore,
} from "./made-conversation.ts";

export const copilotCliStore: ProgramStore = {
  write(home, conversations) {
    for (const conversation of conversations) {
      const { id, folder, branch, title, turns } = conversation;
      const session = join(home, ".copilot", "session-state", id);
      writeJsonLines(join(session, "events.jsonl"), eventsOf(conversation));
      const workspace = [
        `id: ${id}`,
        `cwd: ${folder}`,
        `git_root: ${folder}`,
        "repository: example/tiny",
        "host_type: github",
        `branch: ${branch}`,
        "client_name: github/cli",
        `name: ${title}`,
        "user_named: false",
        "summary_count: 0",
        "fork_count: 0",
        `created_at: ${isoTime(turns[0]!.at)}`,
        `updated_at: ${isoTime(turns.at(-1)!.at + 1000)}`,
      ];
      writeStoreFile(join(session, "workspace.yaml"), workspace.map((line) => `${line}\n`).join(""));
    }
  },
};

function eventsOf({ id, folder, branch, model, turns }: MadeConversation): object[] {
  const events: object[] = [];
  let parentId: string | null = null;
  const add = (at: number, type: string, data: object): void => {
    const own = derivedId(id, "event", events.length);
    events.push({ type, data, id: own, timestamp: isoTime(at), parentId });
    parentId = own;
  };
  const context = { cwd: folder, gitRoot: folder, repository: "example/tiny", hostType: "github", branch };
  add(turns[0]!.at, "session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: isoTime(turns[0]!.at),
    selectedModel: model,
    contextTier: null,
    context,
    alreadyInUse: false,
    remoteSteerable: false,
  });
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    const interactionId = derivedId(id, "interaction", i);
    const originatingMessageId = derivedId(id, "message", i);
    const answered = (time: number, turnId: string, rest: object): void => {
      add(time, "assistant.turn_start", { turnId, interactionId });
      add(time, "session.usage_record", { usage: { model, inputTokens: 1200, outputTokens: 42 } });
      add(time, "assistant.message", {
        messageId: derivedId(id, "message", i, turnId),
        originatingMessageId,
        model,
        ...rest,
        interactionId,
        turnId,
        rte: false,
        apiCallId: `chatcmpl-${i}-${turnId}`,
      });
    };
    add(at, "user.message", {
      content: prompt,
      transformedContent: `<current_datetime>${isoTime(at)}</current_datetime>\n\n${prompt}`,
      messageId: originatingMessageId,
      supportedNativeDocumentMimeTypes: [],
      delivery: "idle",
      interactionId,
      turnId: "0",
    });
    if (i === 0)
      add(at + 1, "system.message", { role: "system", content: "You are the GitHub Copilot CLI.", interactionId });
    const call = { toolCallId: `call_${id.slice(0, 8)}_${i}`, name: "view", arguments: { path: tool.file } };
    answered(at + 300, "0", {
      content: "",
      toolRequests: [{ ...call, type: "function", intentionSummary: `view the file at ${tool.file}.` }],
      reasoningText: thinking,
    });
    const { toolCallId, name, arguments: given } = call;
    add(at + 400, "tool.execution_start", { toolCallId, toolName: name, arguments: given, turnId: "0", model });
    add(at + 500, "tool.execution_complete", {
      toolCallId,
      model,
      interactionId,
      turnId: "0",
      success: true,
      result: { content: tool.output, detailedContent: tool.output },
      toolTelemetry: {},
    });
    add(at + 500, "assistant.turn_end", { turnId: "0" });
    answered(at + 1000, "1", { content: answer, toolRequests: [] });
    add(at + 1000, "assistant.turn_end", { turnId: "1" });
  }
  return events;
}
