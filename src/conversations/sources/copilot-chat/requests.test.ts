// What is said in a request of VS Code's chat and in the response to it; parts as
// its chatService.ts and chatModel.ts of each version describe them.
import { describe, expect, it } from "vitest";
import { ChatState, type ChatRequest } from "./chat-state.ts";
import { isUndone, modelOf, readRequest, timesOf } from "./requests.ts";

type Values = Readonly<Record<string, unknown>>;

function requestOf(values: Values): ChatRequest {
  const state = new ChatState("x");
  state.load(Buffer.from(JSON.stringify({ requests: [{ requestId: "r", ...values }] })));
  return state.requests[0]!;
}

const read = (values: Values) =>
  readRequest(requestOf(values)).said.map(({ role, kind, text }) => `${role} ${kind}: ${text}`);
const shown = (...response: readonly unknown[]) => read({ response });
const invocation = (more: Values = {}) => ({
  kind: "toolInvocationSerialized",
  toolId: "copilot_readFile",
  toolCallId: "call_1",
  invocationMessage: { value: "Reading [](file:///code/a%20b.ts)" },
  pastTenseMessage: { value: "Read [](file:///code/a%20b.ts)" },
  isConfirmed: { type: 1 },
  isComplete: true,
  ...more,
});

describe("a prompt", () => {
  it("is what was typed, with participant and command", () => {
    expect(read({ message: { text: "@workspace /explain this ", parts: [] } })).toEqual([
      "user prose: @workspace /explain this",
    ]);
    expect(read({ message: "Hi" })).toEqual(["user prose: Hi"]);
  });

  it("has a mark for each image", () => {
    const variables = [
      { kind: "file", name: "a.ts" },
      { kind: "image", name: "Pasted", value: { 0: 137 } },
      { isImage: true },
    ];
    expect(read({ message: { text: "See" }, variableData: { variables } })).toEqual([
      "user prose: See\n\n[image]\n\n[image]",
    ]);
  });

  it.each([
    { confirmation: "Continue" },
    { isSystemInitiated: true, systemInitiatedLabel: "Terminal" },
    { requestSource: "agentMerge" },
    { requestHiddenFromTranscript: true },
  ])("is not what the editor or a button sent: %j", (more) => {
    expect(read({ message: { text: "Sent" }, response: [{ value: "Yes" }], ...more })).toEqual([
      "assistant prose: Yes",
    ]);
  });

  it("and its response may be hidden", () => {
    expect(read({ message: { text: "Sent" }, response: [{ value: "Yes" }], hiddenFromTranscript: true })).toEqual([]);
  });
});

describe("a response", () => {
  it("is one text, with the names of files and symbols in it", () => {
    const range = { startLineNumber: 1, startColumn: 1, endLineNumber: 2, endColumn: 1 };
    const uri = { $mid: 1, path: "/code/src/a.ts", scheme: "file" };
    expect(
      shown(
        { value: "See " },
        { kind: "inlineReference", inlineReference: uri },
        { value: ", " },
        { kind: "inlineReference", inlineReference: { uri, range } },
        { value: " and ", kind: "markdownContent", content: { value: " and " } },
        { kind: "inlineReference", inlineReference: { name: "main", location: { uri, range } } },
        { kind: "markdownVuln", content: { value: "." }, vulnerabilities: [] },
      ),
    ).toEqual(["assistant prose: See `a.ts`, `a.ts` and `main`."]);
  });

  it("is interrupted by thoughts and tools, but not by edits", () => {
    expect(
      shown(
        { value: "I will edit.\n" },
        { value: "\n```typescript\n" },
        { kind: "undoStop", id: "x" },
        { kind: "codeblockUri", uri: { path: "/code/a.ts", scheme: "file" }, isEdit: true },
        {
          kind: "textEditGroup",
          uri: { path: "/code/a.ts", scheme: "file" },
          edits: [[{ text: "new", range: {} }], []],
          done: true,
        },
        { value: "\n```\n" },
        { value: "Edited." },
        { kind: "thinking", value: ["Was it ", "right?"], id: "t" },
        { value: "\n\n" },
        { value: "Done:\n```sh\nls\n```" },
      ),
    ).toEqual([
      "assistant prose: I will edit.\n\n\nEdited.",
      "assistant tool: edit /code/a.ts\nnew",
      "assistant thinking: Was it right?",
      "assistant prose: Done:\n```sh\nls\n```",
    ]);
  });

  it("tells what is no prose apart", () => {
    const uri = { path: "/code/a.ipynb", scheme: "vscode-notebook-cell" };
    expect(
      shown(
        { kind: "notebookEditGroup", uri, edits: [[{ uri, edit: { text: "cell" } }]] },
        { kind: "workspaceEdit", edits: [{ newResource: { path: "/code/n", scheme: "file" } }] },
        { kind: "externalEdit", uris: ["file:///code/e"] },
        { kind: "questionCarousel", questions: [{ title: "Which?" }], data: { a: "This" } },
      ),
    ).toEqual([
      "assistant tool: edit /code/a.ipynb\ncell",
      "assistant tool: edit /code/n",
      "assistant tool: edit /code/e",
      'assistant tool: questionCarousel {"questions":[{"title":"Which?"}],"data":{"a":"This"}}',
    ]);
  });

  it("has notes of the editor, which are nothing that was said", () => {
    const kinds =
      "progressMessage progressTaskSerialized command confirmation warning info elicitationSerialized mcpServersStarting prepareToolInvocation pullRequest extensions hook multiDiffData treeData systemNotification autoModeResolution";
    const parts = kinds.split(" ").map((kind) => ({ kind, content: { value: "Note" }, title: "Note" }));
    expect(readRequest(requestOf({ response: parts }))).toEqual({ said: [], unknown: [] });
    expect(shown({ label: "src", uri: {}, children: [] }, 5, null, [])).toEqual([]);
  });

  it("reports what is not known", () => {
    const parts = [{ kind: "hologram", value: "x" }, { kind: "hologram" }];
    expect(readRequest(requestOf({ response: parts }))).toEqual({ said: [], unknown: ["hologram", "hologram"] });
  });

  it("has the summary of what was compacted before it", () => {
    const result = { metadata: { summary: { toolCallRoundId: "x", text: "So far." } } };
    expect(read({ response: [{ value: "Yes" }], result })).toEqual([
      "assistant prose: Yes",
      "assistant summary: So far.",
    ]);
  });
});

describe("a tool", () => {
  it("has arguments and output from the result, where it is found by the call's id", () => {
    const call = { name: "read_file", arguments: '{"filePath":"/code/x.ts"}', id: "call_1__vscode-17" };
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: "line " },
          { node: 5, children: [{ text: "two" }] },
        ],
      },
    };
    const result = {
      metadata: {
        toolCallRounds: [{ toolCalls: [call] }, 5, null],
        toolCallResults: { "call_1__vscode-17": { content: [{ value: tree }, { value: "three" }, { value: 3 }] } },
      },
    };
    const [said] = readRequest(requestOf({ response: [invocation()], result })).said;
    expect(said).toMatchObject({
      tool: "read_file",
      text: 'read_file {"filePath":"/code/x.ts"}\nline two\nthree\n',
      files: ["/code/x.ts", "/code/a b.ts"],
    });
  });

  it("has else what the editor showed", () => {
    const [said] = readRequest(requestOf({ response: [invocation()] })).said;
    expect(said).toMatchObject({
      tool: "copilot_readFile",
      text: "copilot_readFile Read [](file:///code/a%20b.ts)",
      files: ["/code/a b.ts"],
    });
    expect(shown(invocation({ pastTenseMessage: undefined, invocationMessage: "Reading" }))).toEqual([
      "assistant tool: copilot_readFile Reading",
    ]);
  });

  it.each([
    [
      { kind: "terminal", commandLine: { original: "ls", toolEdited: "ls -a" }, terminalCommandOutput: { text: "a" } },
      "ls -a\na",
    ],
    [{ kind: "terminal", language: "sh", command: "ls" }, "ls"],
    [{ kind: "input", rawInput: { query: "x" } }, '{"query":"x"}'],
  ])("may be a command, or have an input: %j", (toolSpecificData, text) => {
    expect(shown(invocation({ toolSpecificData }))).toEqual([`assistant tool: copilot_readFile ${text}`]);
  });

  it.each([
    [
      {
        input: "{}",
        output: [
          { type: "embed", isText: true, value: "a" },
          { isText: false, value: "AAAA" },
        ],
      },
      "{}\na",
    ],
    [{ input: "{}", output: "a" }, "{}\na"],
    [[{ path: "/code/a.ts", scheme: "file" }], "Read [](file:///code/a%20b.ts)"],
    [{ output: { type: "data", mimeType: "image/png", base64Data: "AAAA" } }, "Read [](file:///code/a%20b.ts)"],
  ])("may have an output: %j", (resultDetails, text) => {
    expect(shown(invocation({ resultDetails }))).toEqual([`assistant tool: copilot_readFile ${text}`]);
  });

  it("has the files that the beginning of its message names, however long that is", () => {
    const link = "](file:///code/x";
    const [said] = readRequest(
      requestOf({ response: [invocation({ pastTenseMessage: `Read [](file:///code/a.ts)${link.repeat(300_000)}` })] }),
    ).said;
    expect(said!.files).toEqual(["/code/a.ts"]);
  });

  it("may be a sub-agent, with what it was asked and what it answered", () => {
    const toolSpecificData = { kind: "subagent", agentName: "Plan", prompt: "Find it", result: "There" };
    expect(
      shown(
        invocation({ toolId: "runSubagent", toolSpecificData }),
        invocation({ subAgentInvocationId: "s", pastTenseMessage: "Read" }),
        { kind: "thinking", value: "Where?", subAgentInvocationId: "s" },
        { value: "Here", subAgentInvocationId: "s" },
        { value: "It is there." },
      ),
    ).toEqual([
      "assistant subagent: Find it\n\nThere",
      "assistant subagent: copilot_readFile Read",
      "assistant subagent: Where?",
      "assistant subagent: Here",
      "assistant prose: It is there.",
    ]);
  });
});

describe("the times of a request", () => {
  it.each([
    [
      { timestamp: 1.8e12, result: { timings: { totalElapsed: 4000 } }, modelState: { completedAt: 1.9e12 } },
      1.8e12 + 4000,
    ],
    [{ timestamp: 1.8e12, elapsedMs: 5000 }, 1.8e12 + 5000],
    [{ timestamp: 1.8e12, modelState: { value: 1, completedAt: 1.8e12 + 6000 } }, 1.8e12 + 6000],
    // Completed when a later version loaded it.
    [{ timestamp: 1.8e12, modelState: { value: 1, completedAt: 1.9e12 } }, 1.8e12],
    [{ timestamp: 1.8e12, elapsedMs: -1e300, modelState: "x" }, 1.8e12],
  ])("%j", (values, answered) => {
    expect(timesOf(requestOf(values))).toEqual({ asked: 1.8e12, answered });
  });

  it("are not made up", () => {
    expect(timesOf(requestOf({ timestamp: -1 }))).toEqual({ asked: undefined, answered: undefined });
    expect(timesOf(requestOf({ timestamp: "x", modelState: { completedAt: [] } }))).toEqual({});
  });
});

it("a model is named without its vendor", () => {
  expect(modelOf(requestOf({ modelId: "copilot/gpt-5" }))).toBe("gpt-5");
  expect(modelOf(requestOf({ modelId: "github.copilot-chat/claude-opus-4.5" }))).toBe("claude-opus-4.5");
  expect(modelOf(requestOf({ modelId: "ollama/llama/3" }))).toBe("ollama/llama/3");
  expect(modelOf(requestOf({ modelId: 5 }))).toBeUndefined();
});

it("values of any type are no error", () => {
  const odd = [null, 5, "", [], {}, [[[[]]]], "x", true, { a: { a: { a: 1 } } }];
  const fields =
    "message response result variableData shouldBeRemovedOnSend modelState timestamp modelId isHidden elapsedMs confirmation";
  const ofParts =
    "kind value content inlineReference uri edits toolSpecificData resultDetails toolCallId toolId invocationMessage";
  const kinds = "thinking inlineReference textEditGroup toolInvocationSerialized workspaceEdit externalEdit";
  const requests = odd.flatMap((value) => [
    ...fields.split(" ").map((name) => ({ message: { text: "Hi" }, response: [{ value: "Yes" }], [name]: value })),
    { response: kinds.split(" ").flatMap((kind) => ofParts.split(" ").map((name) => ({ kind, [name]: value }))) },
    {
      response: [invocation()],
      result: { metadata: { toolCallRounds: value, toolCallResults: value, summary: value } },
    },
    { response: [invocation()], result: { metadata: value, timings: value } },
  ]);
  for (const values of requests) {
    const request = requestOf(values);
    expect(() => [readRequest(request), timesOf(request), isUndone(request)], JSON.stringify(values)).not.toThrow();
  }
});
