// The recall contract, call by call.
import { expect } from "vitest";
import type { ContractCase, ContractTable } from "./contract.ts";

const exportTool = "export_individual_conversations";

const refuses = (it: string, sent: object, code: string, message: unknown): ContractCase => ({
  it,
  tool: exportTool,
  arguments: { ...sent },
  isError: true,
  result: { error: { code, message } },
});

const recall = "recall_conversations";

const outOfRange = (name: string, value: unknown, message: string): ContractCase => ({
  it: `refuses ${name} ${JSON.stringify(value)}`,
  tool: recall,
  arguments: { [name]: value },
  isError: true,
  result: { error: { code: "INVALID_PARAMS", message } },
});

export const RECALL: ContractTable = {
  tools: {
    get_project_info: {
      required: [],
      parameters: { include_stats: { type: "boolean", default: true } },
    },
    list_project_files: {
      required: [],
      parameters: {
        file_types: { type: "array", items: { type: "string" }, maxItems: 20 },
        max_files: { type: "integer", default: 1000, minimum: 1, maximum: 10_000 },
        use_relevance_scoring: { type: "boolean", default: true },
      },
    },
    [recall]: {
      required: [],
      parameters: {
        fast_mode: { type: "boolean", default: true },
        days_lookback: { type: "integer", default: 30, minimum: 1, maximum: 60 },
        limit: { type: "integer", default: 60, minimum: 1, maximum: 100 },
        min_score: { type: "number", default: 1 },
        conversation_types: {
          type: "array",
          items: {
            type: "string",
            enum: expect.arrayContaining([
              "architecture",
              "debugging",
              "problem_solving",
              "technical",
              "code_discussion",
              "general",
            ]),
          },
        },
        tools: {
          type: "array",
          items: { type: "string", enum: expect.arrayContaining(["cursor", "claude-code", "windsurf"]) },
        },
        search_query: { type: "string" },
        user_prompt: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
      },
    },
    read_conversation: {
      required: ["id"],
      parameters: {
        id: { type: "string" },
        cursor: { type: "string" },
        around: { type: "string" },
        roles: { type: "array", items: { type: "string", enum: ["user", "assistant"] } },
        includeTools: { type: "boolean", default: false },
      },
    },
    get_server_version: { required: [], parameters: {} },
    [exportTool]: {
      required: [],
      parameters: {
        format: { type: "string", enum: ["json", "md", "markdown", "txt"], default: "json" },
        limit: { type: "integer", default: 20, minimum: 1, maximum: 100 },
        output_dir: { type: "string" },
        conversation_filter: { type: "string" },
        workspace_filter: { type: "string" },
      },
    },
  },
  cases: [
    {
      it: "returns the project, its git state and its size",
      tool: "get_project_info",
      result: {
        project: { name: expect.any(String), root: expect.any(String), valid: true },
        git: { is_git_repo: false, current_branch: null, repo_root: null },
        statistics: { files: expect.any(Number), directories: expect.any(Number) },
        processing_time: expect.any(Number),
      },
    },
    {
      it: "accepts include_stats as a string, as some models send it",
      tool: "get_project_info",
      arguments: { include_stats: "false" },
      result: expect.not.objectContaining({ statistics: expect.anything() }),
    },
    {
      it: "lists files with their scores in three groups",
      tool: "list_project_files",
      result: {
        files: expect.any(Array),
        total_files: expect.any(Number),
        project_root: expect.any(String),
        scoring_enabled: true,
        file_types_filter: [],
        scores: { high: expect.any(Array), medium: expect.any(Array), low: expect.any(Array) },
      },
    },
    {
      it: "accepts extensions with and without the dot, in upper or lower case",
      tool: "list_project_files",
      arguments: { file_types: [".py", "JS", "*.ts"], max_files: "50" },
      result: { files: [], total_files: 0, file_types_filter: [".py", ".js", ".ts"] },
    },
    {
      it: "has no scores if they are switched off",
      tool: "list_project_files",
      arguments: { use_relevance_scoring: false },
      result: { scoring_enabled: false, scores: {} },
    },
    {
      it: "refuses more than 20 extensions",
      tool: "list_project_files",
      arguments: { file_types: Array.from({ length: 21 }, (_, i) => `.t${i}`) },
      isError: true,
      result: { error: { code: "INVALID_PARAMS", message: "file_types must have at most 20 items" } },
    },
    {
      it: "refuses an invalid extension",
      tool: "list_project_files",
      arguments: { file_types: ["../secret"] },
      isError: true,
      result: { error: { code: "INVALID_PARAMS", message: "file_types: '../secret' is no file extension" } },
    },
    ...[0, 10_001, 1.5].map((max_files) => ({
      it: `refuses max_files ${max_files}`,
      tool: "list_project_files",
      arguments: { max_files },
      isError: true as const,
      result: { error: { code: "INVALID_PARAMS", message: expect.stringMatching(/^max_files must be/) } },
    })),
    {
      it: "requires no arguments, and returns the question, what was found and where it looked",
      tool: recall,
      result: {
        conversations: [],
        summary: { total_conversations_found: 0, conversations_returned: 0 },
        parameters: { fast_mode: true, days_lookback: 30, limit: 60, min_score: 1 },
        processing_time: expect.any(Number),
        sources: Object.fromEntries(
          ["claude-code", "cursor", "windsurf"].map((name) => [
            name,
            {
              found: 0,
              skipped: 0,
              unreadable: 0,
              note: expect.stringMatching(/^(?:not installed here|being indexed)$/),
            },
          ]),
        ),
      },
    },
    {
      it: "accepts the contract's examples",
      tool: recall,
      arguments: {
        conversation_types: ["debugging", "problem_solving"],
        tools: ["cursor"],
        search_query: "authentication",
        limit: 15,
        fast_mode: false,
        tags: ["jwt"],
        user_prompt: "How did we do the login?",
        since: "all",
      },
      result: { conversations: [], parameters: { limit: 15, tools: ["cursor"], fast_mode: false, since: "all" } },
    },
    {
      it: "accepts numbers and booleans as text",
      tool: recall,
      arguments: { limit: "5", fast_mode: "false", min_score: "0.5" },
      result: { parameters: { limit: 5, fast_mode: false, min_score: 0.5 } },
    },
    outOfRange("days_lookback", 0, "days_lookback must be between 1 and 60"),
    outOfRange("days_lookback", 61, "days_lookback must be between 1 and 60"),
    outOfRange("limit", 0, "limit must be between 1 and 100"),
    outOfRange("limit", 101, "limit must be between 1 and 100"),
    outOfRange("since", "yesterday-ish", "since must be a date, such as 2026-01-31"),
    {
      it: "refuses a type that the contract does not have",
      tool: recall,
      arguments: { conversation_types: ["gossip"] },
      isError: true,
      result: { error: { code: "INVALID_PARAMS", message: expect.stringContaining("must be one of") } },
    },
    {
      it: "says that there is no such conversation",
      tool: "read_conversation",
      arguments: { id: "unknown-id" },
      isError: true,
      result: { error: { code: "NOT_FOUND", message: "There is no conversation with the id unknown-id." } },
    },
    {
      it: "requires an id",
      tool: "read_conversation",
      isError: true,
      result: { error: { code: "INVALID_PARAMS", message: "id is required" } },
    },
    {
      it: "returns the server's and the protocol's version",
      tool: "get_server_version",
      result: {
        server_name: "commonplace",
        server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        protocol_version: "2025-06-18",
        supported_protocol_versions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        node_version: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
        toolsets: ["all"],
        capabilities: ["tools", "resources", "prompts", "completions"],
      },
    },
    {
      it: "requires no arguments, and ignores unknown ones",
      tool: "get_server_version",
      arguments: { random_string: "x" },
      result: { server_name: "commonplace" },
    },
    {
      it: "writes to the contract's folder, as JSON, and says that there was nothing",
      tool: exportTool,
      result: {
        success: true,
        exported_count: 0,
        output_directory: expect.stringMatching(/[/\\]\.gandalf[/\\]exports$/),
        format: "json",
        files: [],
        errors: [],
      },
    },
    refuses("refuses a limit below 1", { limit: 0 }, "INVALID_PARAMS", "limit must be between 1 and 100"),
    refuses("refuses a limit above 100", { limit: 101 }, "INVALID_PARAMS", "limit must be between 1 and 100"),
    refuses("knows four formats", { format: "pdf" }, "INVALID_PARAMS", "format must be one of json, md, markdown, txt"),
    refuses("does not write to system folders", { output_dir: "/etc/exports" }, "ACCESS_DENIED", expect.any(String)),
    refuses("does not write to folders of secrets", { output_dir: "~/.ssh" }, "ACCESS_DENIED", expect.any(String)),
  ],
};
