// Gemini CLI 0.61: a log for each session, in a folder named after the project.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import {
  derivedId,
  isoTime,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type ProgramStore,
} from "./made-conversation.ts";

export const geminiStore: ProgramStore = {
  lacks: ["branch", "title"],
  write(home, conversations) {
    for (const conversation of conversations) {
      const { id, folder, turns } = conversation;
      const project = join(home, ".gemini", "tmp", basename(folder));
      const minute = isoTime(turns[0]!.at).slice(0, 16).replaceAll(":", "-");
      writeJsonLines(join(project, "chats", `session-${minute}-${id.slice(0, 8)}.jsonl`), recordsOf(conversation));
      writeStoreFile(join(project, ".project_root"), folder);
    }
    const projects = Object.fromEntries(conversations.map(({ folder }) => [folder, basename(folder)]));
    writeStoreFile(join(home, ".gemini", "projects.json"), JSON.stringify({ projects }));
  },
};

function recordsOf({ id, folder, model, turns }: MadeConversation): object[] {
  const start = turns[0]!.at;
  const context = `<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - ${folder}\n</session_context>`;
  const records: object[] = [
    {
      sessionId: id,
      projectHash: createHash("sha256").update(folder).digest("hex"),
      startTime: isoTime(start),
      lastUpdated: isoTime(start),
      kind: "main",
    },
    {
      $set: {
        messages: [
          {
            id: "d04923d38bb0f6017037e74183378ef4",
            timestamp: isoTime(start),
            type: "user",
            content: [{ text: context }],
          },
        ],
        lastUpdated: isoTime(start),
      },
    },
  ];
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    records.push({
      id: derivedId(id, i, "user"),
      timestamp: isoTime(at),
      type: "user",
      content: [{ text: prompt }],
    });
    records.push({ $set: { lastUpdated: isoTime(at) } });
    records.push({
      id: derivedId(id, i, "call"),
      timestamp: isoTime(at + 300),
      type: "gemini",
      content: "",
      thoughts: [{ subject: "Considering", description: thinking, timestamp: isoTime(at + 200) }],
      tokens: { input: 12, output: 4, cached: 0, thoughts: 3, tool: 0, total: 19 },
      model,
      toolCalls: [
        {
          id: `read_file-${i}`,
          name: "read_file",
          args: { file_path: tool.file },
          result: [
            { functionResponse: { id: `read_file-${i}`, name: "read_file", response: { output: tool.output } } },
          ],
          status: "success",
          timestamp: isoTime(at + 400),
        },
      ],
    });
    records.push({
      id: derivedId(id, i, "answer"),
      timestamp: isoTime(at + 1000),
      type: "gemini",
      content: answer,
      thoughts: [],
      model,
    });
  }
  return records;
}
