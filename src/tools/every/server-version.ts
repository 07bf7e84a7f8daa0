// get_server_version: name and version of the server, of the protocol and of
// Node, and the toolsets that are offered.
import { CAPABILITIES, NAME, operatingSystem, PROTOCOL_VERSIONS, VERSION } from "../../kernel/kernel.ts";
import { list, optional, text, unlisted } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";

export const getServerVersion = defineTool({
  name: "get_server_version",
  title: "Server version",
  description: "Version of this server (Commonplace), of the protocol and of Node.",
  toolset: "every",
  byDefault: true,
  contract: "recall",
  returnsForeignText: false,
  effects: READS,
  input: {},
  output: {
    server_name: text(),
    server_version: text(),
    protocol_version: text(),
    supported_protocol_versions: optional(list(text())),
    node_version: text(),
    platform: text(),
    toolsets: optional(list(text())),
    /** The names of the vaults, if there are several; the default first. */
    vaults: unlisted(list(text())),
    capabilities: optional(list(text())),
  },
  run: (_input, { services, protocolVersion }) => ({
    server_name: NAME,
    server_version: VERSION,
    protocol_version: protocolVersion,
    supported_protocol_versions: PROTOCOL_VERSIONS,
    node_version: process.versions.node,
    platform: `${operatingSystem().platform}-${process.arch}`,
    toolsets: services.settings.toolsets,
    ...(services.vaults.length > 1 && { vaults: services.vaults.map(({ name }) => name) }),
    capabilities: Object.keys(CAPABILITIES),
  }),
});
