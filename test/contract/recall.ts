// The recall contract, call by call.
import { expect } from "vitest";
import type { ContractTable } from "./contract.ts";

export const RECALL: ContractTable = {
  tools: {
    get_server_version: { required: [], parameters: {} },
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
  ],
};
