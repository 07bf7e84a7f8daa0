// One prompt and its answer as each program writes them, and what it says of
// their tokens. Used by the tests of token counts.
import type { SourceName, Tokens } from "../../src/conversations/sources/source.ts";

export const TIME = "2026-01-15T10:00:00.000Z";
const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const codexCount = (total: object, last: object) => ({
  timestamp: TIME,
  type: "event_msg",
  payload: { type: "token_count", info: { total_token_usage: total, last_token_usage: last } },
});
const codexTokens = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 1,
  total_tokens: input + output,
});
const codexSaid = (role: string, type: string, text: string) => ({
  timestamp: TIME,
  type: "response_item",
  payload: { type: "message", role, content: [{ type, text }] },
});
const UUID = "019bc0de-0000-7000-8000-000000000001";

/** What each program writes for one prompt and its answer, and what that is in tokens. */
export const COUNTED: readonly {
  readonly source: SourceName;
  readonly what?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tokens: Tokens;
}[] = [
  {
    source: "codex",
    what: "a total that it repeats, and that begins with what the session continues",
    files: {
      [`.codex/sessions/2026/01/15/rollout-2026-01-15T10-00-00-${UUID}.jsonl`]: lines(
        { timestamp: TIME, type: "session_meta", payload: { id: UUID, timestamp: TIME, cwd: "/code" } },
        codexSaid("user", "input_text", "Explain otters"),
        codexCount(codexTokens(5000, 4000, 500), codexTokens(1000, 800, 20)),
        codexCount(codexTokens(5000, 4000, 500), codexTokens(1000, 800, 20)),
        codexSaid("assistant", "output_text", "They swim."),
        codexCount(codexTokens(6200, 5000, 530), codexTokens(1200, 1000, 30)),
      ),
    },
    tokens: { input: 2200, output: 50, cached: 1800 },
  },
  {
    source: "gemini",
    what: "each state of a message",
    files: {
      ".gemini/tmp/proj/chats/session-2026-01-15T10-00-abc.jsonl": lines(
        { sessionId: "abc", projectHash: "proj", startTime: TIME, lastUpdated: TIME },
        { id: "u1", timestamp: TIME, type: "user", content: "Explain otters" },
        { id: "g1", timestamp: TIME, type: "gemini", content: "They", tokens: null },
        ...[1, 2].map((state) => ({
          id: "g1",
          timestamp: TIME,
          type: "gemini",
          content: "They swim.".repeat(state),
          tokens: { input: 1200, output: 42, cached: 900, thoughts: 5, tool: 0, total: 1247 },
        })),
      ),
    },
    tokens: { input: 1200, output: 47, cached: 900 },
  },
  {
    source: "gemini",
    what: "a document",
    files: {
      ".gemini/tmp/proj/chats/session-2026-01-15T10-00-abc.json": JSON.stringify({
        sessionId: "abc",
        startTime: TIME,
        lastUpdated: TIME,
        messages: [
          { id: "u1", timestamp: TIME, type: "user", content: "Explain otters" },
          {
            id: "g1",
            timestamp: TIME,
            type: "gemini",
            content: "They swim.",
            tokens: { input: 1200, output: 42, cached: 0, thoughts: 5, tool: 0, total: 1242 },
          },
        ],
      }),
    },
    tokens: { input: 1200, output: 42, cached: 0 },
  },
  {
    source: "qwen",
    files: {
      [`.qwen/projects/-code/chats/${UUID}.jsonl`]: lines(
        {
          uuid: "1",
          parentUuid: null,
          timestamp: TIME,
          type: "user",
          message: { parts: [{ text: "Explain otters" }] },
        },
        {
          uuid: "2",
          parentUuid: "1",
          timestamp: TIME,
          type: "assistant",
          message: { parts: [{ text: "They swim." }] },
          usageMetadata: {
            promptTokenCount: 1200,
            candidatesTokenCount: 42,
            thoughtsTokenCount: 10,
            totalTokenCount: 1242,
            cachedContentTokenCount: 100,
          },
        },
      ),
    },
    tokens: { input: 1200, output: 42, cached: 100 },
  },
  {
    source: "pi",
    files: {
      [`.pi/agent/sessions/--code--/2026-01-15T10-00-00-000Z_${UUID}.jsonl`]: lines(
        { type: "session", version: 3, id: UUID, timestamp: TIME, cwd: "/code" },
        {
          type: "message",
          id: "1",
          parentId: null,
          timestamp: TIME,
          message: { role: "user", content: "Explain otters" },
        },
        {
          type: "message",
          id: "2",
          parentId: "1",
          timestamp: TIME,
          message: {
            role: "assistant",
            content: [{ type: "text", text: "They swim." }],
            usage: { input: 200, output: 42, cacheRead: 900, cacheWrite: 100, totalTokens: 1242 },
          },
        },
      ),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
  {
    source: "copilot-cli",
    what: "each request, and their sum at the end",
    files: {
      [`.copilot/session-state/${UUID}/events.jsonl`]: lines(
        { type: "session.start", id: "1", timestamp: TIME, data: { sessionId: UUID, startTime: TIME } },
        { type: "user.message", id: "2", timestamp: TIME, data: { content: "Explain otters" } },
        { type: "assistant.message", id: "3", timestamp: TIME, data: { content: "They swim." } },
        ...[1, 2].map((id) => ({
          type: "session.usage_record",
          id: `u${id}`,
          timestamp: TIME,
          data: { usage: { inputTokens: 600, outputTokens: 21, cacheReadTokens: 300 } },
        })),
        {
          type: "session.shutdown",
          id: "5",
          timestamp: TIME,
          data: { modelMetrics: { x: { usage: { inputTokens: 1200, outputTokens: 42, cacheReadTokens: 600 } } } },
        },
      ),
    },
    tokens: { input: 1200, output: 42, cached: 600 },
  },
  {
    source: "copilot-cli",
    what: "their sum alone",
    files: {
      [`.copilot/session-state/${UUID}/events.jsonl`]: lines(
        { type: "session.start", id: "1", timestamp: TIME, data: { sessionId: UUID, startTime: TIME } },
        { type: "user.message", id: "2", timestamp: TIME, data: { content: "Explain otters" } },
        { type: "assistant.message", id: "3", timestamp: TIME, data: { content: "They swim." } },
        ...[600, 1200].map((input, i) => ({
          type: "session.shutdown",
          id: `s${i}`,
          timestamp: TIME,
          data: { modelMetrics: { x: { usage: { inputTokens: input, outputTokens: 42 } } } },
        })),
      ),
    },
    tokens: { input: 1200, output: 42, cached: 0 },
  },
  {
    source: "droid",
    what: "a file of its own",
    files: {
      [`.factory/sessions/-code/${UUID}.jsonl`]: lines(
        { type: "session_start", id: UUID, title: "Otters", cwd: "/code" },
        {
          type: "message",
          id: "1",
          timestamp: TIME,
          message: { role: "user", content: [{ type: "text", text: "Explain" }] },
        },
        {
          type: "message",
          id: "2",
          parentId: "1",
          timestamp: TIME,
          message: { role: "assistant", content: [{ type: "text", text: "They swim." }] },
        },
      ),
      [`.factory/sessions/-code/${UUID}.settings.json`]: JSON.stringify({
        model: "x",
        tokenUsage: { inputTokens: 200, outputTokens: 42, cacheCreationTokens: 100, cacheReadTokens: 900 },
      }),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
  {
    source: "cline",
    what: "a session",
    files: {
      [`.cline/data/sessions/${UUID}/${UUID}.json`]: JSON.stringify({
        session_id: UUID,
        started_at: TIME,
        cwd: "/code",
      }),
      [`.cline/data/sessions/${UUID}/${UUID}.messages.json`]: JSON.stringify({
        version: 1,
        messages: [
          { id: "1", role: "user", content: [{ type: "text", text: "Explain otters" }], ts: 1768471200000 },
          {
            id: "2",
            role: "assistant",
            content: [{ type: "text", text: "They swim." }],
            ts: 1768471201000,
            metrics: { inputTokens: 1200, outputTokens: 42, cacheReadTokens: 900, cacheWriteTokens: 0 },
          },
        ],
      }),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
  {
    source: "roo",
    what: "the rows of a task",
    files: {
      ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1768471200000/ui_messages.json": JSON.stringify(
        [
          { ts: 1768471200000, type: "say", say: "text", text: "Explain otters" },
          {
            ts: 1768471200500,
            type: "say",
            say: "api_req_started",
            text: JSON.stringify({
              request: 'a "tokensIn":7',
              tokensIn: 200,
              tokensOut: 42,
              cacheWrites: 100,
              cacheReads: 900,
            }),
          },
          { ts: 1768471201000, type: "say", say: "text", text: "They swim." },
        ],
      ),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
  {
    source: "continue",
    files: {
      [`.continue/sessions/${UUID}.json`]: JSON.stringify({
        sessionId: UUID,
        title: "Otters",
        workspaceDirectory: "/code",
        history: [
          { message: { role: "user", content: "Explain otters" } },
          {
            message: {
              role: "assistant",
              content: "They swim.",
              usage: { prompt_tokens: 1200, completion_tokens: 42, prompt_tokens_details: { cached_tokens: 900 } },
            },
          },
        ],
      }),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
  {
    source: "opencode",
    what: "files of older versions",
    files: {
      ".local/share/opencode/storage/session/project/ses_1.json": JSON.stringify({
        id: "ses_1",
        title: "Otters",
        directory: "/code",
        time: { created: 1768471200000, updated: 1768471201000 },
      }),
      ".local/share/opencode/storage/message/ses_1/msg_1.json": JSON.stringify({
        id: "msg_1",
        role: "user",
        time: { created: 1768471200000 },
      }),
      ".local/share/opencode/storage/part/msg_1/prt_1.json": JSON.stringify({ type: "text", text: "Explain otters" }),
      ".local/share/opencode/storage/message/ses_1/msg_2.json": JSON.stringify({
        id: "msg_2",
        role: "assistant",
        modelID: "x",
        time: { created: 1768471201000 },
        tokens: { input: 200, output: 40, reasoning: 2, cache: { read: 900, write: 100 } },
      }),
      ".local/share/opencode/storage/part/msg_2/prt_2.json": JSON.stringify({ type: "text", text: "They swim." }),
    },
    tokens: { input: 1200, output: 42, cached: 900 },
  },
];
