// The recall contract, call by call.
import { expect } from "vitest";
import type { ContractTable } from "./contract.ts";

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
    get_server_version: { required: [], parameters: {} },
  },
  cases: [
    {
      it: "tells the project, its git state and its size",
      tool: "get_project_info",
      result: {
        project: { name: expect.any(String), root: expect.any(String), valid: true },
        git: { is_git_repo: false, current_branch: null, repo_root: null },
        statistics: { files: expect.any(Number), directories: expect.any(Number) },
        processing_time: expect.any(Number),
      },
    },
    {
      it: "takes include_stats as a string, as some models send it",
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
      it: "takes extensions with and without the dot, in any case",
      tool: "list_project_files",
      arguments: { file_types: [".py", "JS", "*.ts"], max_files: "50" },
      result: { files: [], total_files: 0, file_types_filter: [".py", ".js", ".ts"] },
    },
    {
      it: "has no scores where they are switched off",
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
      it: "refuses what is no extension",
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
      it: "tells the server's and the protocol's version",
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
      it: "needs no arguments, and ignores those it does not know",
      tool: "get_server_version",
      arguments: { random_string: "x" },
      result: { server_name: "commonplace" },
    },
  ],
};
