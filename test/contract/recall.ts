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

export const RECALL: ContractTable = {
  tools: {
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
