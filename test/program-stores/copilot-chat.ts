// Chat sessions of VS Code since 1.109: a log for each, in the folder of its
// workspace. Entries as its chatSessionOperationLog.ts and objectMutationLog.ts
// of 2026 write them: the session when it begins, then each request, its response
// in pieces, and its result.
import { join } from "node:path";
import {
  derivedId,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type MadeTurn,
  type ProgramStore,
} from "./made-conversation.ts";

export const copilotChatStore: ProgramStore = {
  write(home, conversations) {
    const storage = join(home, ".config", "Code", "User", "workspaceStorage");
    for (const conversation of conversations) {
      const { id, folder } = conversation;
      const workspace = join(storage, derivedId(id, "workspace").replaceAll("-", ""));
      writeStoreFile(join(workspace, "workspace.json"), JSON.stringify({ folder: `file://${folder}` }, null, 2));
      writeJsonLines(join(workspace, "chatSessions", `${id}.jsonl`), entriesOf(conversation));
    }
  },
};

function entriesOf({ id, branch, title, model, turns }: MadeConversation): object[] {
  const entries: object[] = [
    {
      kind: 0,
      v: {
        version: 3,
        creationDate: turns[0]!.at,
        initialLocation: "panel",
        responderUsername: "GitHub Copilot",
        sessionId: id,
        requests: [],
        hasPendingEdits: false,
        inputState: {
          attachments: [],
          mode: { id: "agent", kind: "agent" },
          inputText: "",
          selections: [],
          contrib: {},
        },
        repoData: { workspaceType: "local-git", syncStatus: "local-only", localBranch: branch },
        pendingRequests: [],
      },
    },
  ];
  for (const [i, turn] of turns.entries()) {
    const { request, response, result } = turnOf(id, i, turn, model);
    const at = ["requests", i];
    entries.push(
      { kind: 2, k: ["requests"], v: [request] },
      { kind: 2, k: [...at, "response"], v: response.slice(0, 2) },
      // The answer is streamed: its beginning is replaced.
      { kind: 2, k: [...at, "response"], v: [{ ...response[2], value: turn.answer.slice(0, 5) }], i: 2 },
      { kind: 2, k: [...at, "response"], v: response.slice(2), i: 2 },
      { kind: 1, k: [...at, "result"], v: result },
      { kind: 1, k: [...at, "modelState"], v: { value: 1, completedAt: turn.at + 1000 } },
    );
    if (i === 0) entries.push({ kind: 1, k: ["customTitle"], v: title });
  }
  return entries;
}

function turnOf(id: string, i: number, { at, prompt, thinking, tool, answer }: MadeTurn, model: string) {
  const toolCallId = `call_${derivedId(id, "call", i).slice(0, 8)}`;
  const range = { start: 0, endExclusive: prompt.length };
  const lines = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: prompt.length + 1 };
  const request = {
    requestId: `request_${derivedId(id, "request", i)}`,
    timestamp: at,
    message: { text: prompt, parts: [{ range, editorRange: lines, text: prompt, kind: "text" }] },
    agent: { id: "github.copilot.editsAgent", name: "agent", metadata: {}, slashCommands: [] },
    modelId: `copilot/${model}`,
    modeInfo: { kind: "agent", isBuiltin: true, modeId: "agent" },
    variableData: { variables: [] },
    response: [],
    responseId: `response_${derivedId(id, "response", i)}`,
    modelState: { value: 0 },
    contentReferences: [],
    codeCitations: [],
    timeSpentWaiting: at,
  };
  const uri = { $mid: 1, path: tool.file, scheme: "file" };
  const response: Readonly<Record<string, unknown>>[] = [
    { kind: "thinking", value: thinking, id: `thinking_${i}`, metadata: {} },
    {
      kind: "toolInvocationSerialized",
      invocationMessage: { value: `Reading [](file://${tool.file})`, uris: { [`file://${tool.file}`]: uri } },
      pastTenseMessage: { value: `Read [](file://${tool.file})`, uris: { [`file://${tool.file}`]: uri } },
      isConfirmed: { type: 1 },
      isComplete: true,
      source: { type: "internal", label: "Built-In" },
      toolCallId,
      toolId: "copilot_readFile",
    },
    { value: answer, supportThemeIcons: false, supportHtml: false, isTrusted: false },
  ];
  const output = { type: 1, ctor: 2, ctorName: "x", children: [promptText(tool.output)], props: {}, references: [] };
  const result = {
    timings: { firstProgress: 300, totalElapsed: 1000 },
    details: "Model • 1x",
    metadata: {
      renderedUserMessage: [{ type: 1, text: `<context>\n</context>\n<userRequest>\n${prompt}\n</userRequest>` }],
      toolCallRounds: [
        {
          response: "",
          toolCalls: [
            {
              name: "read_file",
              arguments: JSON.stringify({ filePath: tool.file, startLine: 1 }),
              id: `${toolCallId}__vscode-179000${i}`,
            },
          ],
          id: derivedId(id, "round", i),
        },
        { response: answer, toolCalls: [], id: derivedId(id, "last round", i) },
      ],
      toolCallResults: {
        [`${toolCallId}__vscode-179000${i}`]: { $mid: 20, content: [{ $mid: 22, value: { node: output } }] },
      },
      modelMessageId: derivedId(id, "model message", i),
      responseId: derivedId(id, "model response", i),
      sessionId: id,
      agentId: "github.copilot.editsAgent",
    },
  };
  return { request, response, result };
}

/** A piece of a prompt, as the extension keeps the output of tools. */
const promptText = (value: string) => ({
  type: 2,
  priority: Number.MAX_SAFE_INTEGER,
  text: value,
  references: [],
  lineBreakBefore: null,
});
