// Continue in an editor: a document for each session, and a list of all. By its
// published code (core/util/history.ts, gui/src/redux/slices/sessionSlice.ts),
// June 2026.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { derivedId, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const continueStore: ProgramStore = {
  lacks: ["branch", "times"],
  write(home, conversations) {
    const sessions = join(home, ".continue", "sessions");
    const write = (name: string, content: unknown) =>
      writeStoreFile(join(sessions, name), JSON.stringify(content, undefined, 2));
    for (const conversation of conversations) write(`${conversation.id}.json`, sessionOf(conversation));
    write(
      "sessions.json",
      conversations.map(({ id, title, folder, turns }) => ({
        sessionId: id,
        title,
        dateCreated: String(turns[0]!.at),
        workspaceDirectory: pathToFileURL(folder).href,
        messageCount: turns.length * 2,
      })),
    );
  },
};

function sessionOf({ id, folder, title, model, turns }: MadeConversation): object {
  const history = turns.flatMap(({ prompt, thinking, tool, answer }, i) => {
    const item = (name: string, message: object, more: object = {}) => ({
      message: { ...message, id: derivedId(id, i, name) },
      contextItems: [],
      ...more,
    });
    const toolCall = {
      id: `toolu_${i}`,
      type: "function",
      function: { name: "read_file", arguments: JSON.stringify({ filepath: tool.file }) },
    };
    return [
      item(
        "prompt",
        { role: "user", content: [{ type: "text", text: prompt }] },
        { editorState: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: prompt }] }] } },
      ),
      item("thinking", { role: "thinking", content: thinking, signature: "c2lnbmVk" }),
      item(
        "call",
        { role: "assistant", content: "", toolCalls: [toolCall] },
        {
          toolCallStates: [
            {
              toolCallId: toolCall.id,
              toolCall,
              status: "done",
              parsedArgs: { filepath: tool.file },
              output: [{ name: "file", description: tool.file, content: tool.output }],
            },
          ],
        },
      ),
      item("answer", { role: "assistant", content: answer }, { isGatheringContext: false }),
    ];
  });
  const workspaceDirectory = pathToFileURL(folder).href;
  return { sessionId: id, title, workspaceDirectory, history, mode: "agent", chatModelTitle: model };
}
