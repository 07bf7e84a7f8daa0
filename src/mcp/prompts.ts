// Prompts: ready-made beginnings that a person picks in the host.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Commonplace } from "../commonplace.ts";
import { shortened } from "../text/nearest.ts";
import { guideParts, writeGuide } from "./guide.ts";

const ORIENT = {
  name: "orient",
  title: "Show what you can do with my notes, outlines and conversations",
  description: "Gives the assistant the guide to this server, or to one part of it.",
  arguments: [
    {
      name: "part",
      description: "vault, memory, outline, recall, project or every; all of them if left out",
      required: false,
    },
  ],
};

const DECIDED = {
  name: "decided",
  title: "What did we decide about …",
  description: "Has the assistant look through past conversations for what was decided about a subject, and why.",
  arguments: [{ name: "subject", description: "What it was about", required: true }],
};

/** Those whose tools are offered. */
async function offered(commonplace: Commonplace) {
  const { find } = await commonplace.toolbox();
  return [ORIENT, ...(find("recall_conversations") === undefined ? [] : [DECIDED])];
}

export async function listPrompts(commonplace: Commonplace) {
  return { prompts: await offered(commonplace) };
}

function askWhatWasDecided(subject: string) {
  const text = `What did we decide about ${subject}? Look for it with recall_conversations (search_query, since "all"), read the most relevant ones with read_conversation around the message that was found, and tell me: what was decided, when, why, and what was considered instead. Name the conversations by title and date. If nothing was decided, say so.`;
  return {
    description: DECIDED.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}

export async function getPrompt(name: string, values: Readonly<Record<string, string>>, commonplace: Commonplace) {
  const prompts = await offered(commonplace);
  if (name === DECIDED.name && prompts.includes(DECIDED)) return askWhatWasDecided(values["subject"] || "this");
  if (name !== ORIENT.name)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${shortened(name)}. There is ${prompts.map((prompt) => prompt.name).join(", ")}.`,
    );
  const part = values["part"] || undefined;
  const parts: readonly string[] = await guideParts(commonplace);
  if (part !== undefined && !parts.includes(part)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no part '${shortened(part)}' here. There are ${parts.join(", ")}.`,
    );
  }
  const guide = await writeGuide(commonplace, part);
  const text = `Here is the guide to the Commonplace server that you are connected to:\n\n${guide}\nTell me briefly what you can do for me with it, with one example each.`;
  return {
    description: ORIENT.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}
