// Resources: what a person can attach to a conversation, or a model can read
// without a tool call.
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Commonplace } from "../commonplace.ts";
import { describeTool, writeGuide } from "./guide.ts";

const GUIDE = "commonplace://guide";
const TOOL = "commonplace://tools/";
const MARKDOWN = "text/markdown";

export function listResources() {
  const description = "What this server offers, tool by tool, and where to start.";
  return { resources: [{ uri: GUIDE, name: "guide", title: "Guide to Commonplace", description, mimeType: MARKDOWN }] };
}

export function listTemplates() {
  const description = "The reference of one tool: what it does and its arguments.";
  return {
    resourceTemplates: [
      { uriTemplate: `${TOOL}{name}`, name: "tool", title: "Tool reference", description, mimeType: MARKDOWN },
    ],
  };
}

export async function readResource(uri: string, commonplace: Commonplace) {
  const text = await textOf(uri, commonplace);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

async function textOf(uri: string, commonplace: Commonplace): Promise<string | undefined> {
  if (uri === GUIDE) return writeGuide(commonplace);
  if (!uri.startsWith(TOOL)) return undefined;
  const tool = (await commonplace.toolbox()).find(uri.slice(TOOL.length));
  return tool && describeTool(tool);
}
