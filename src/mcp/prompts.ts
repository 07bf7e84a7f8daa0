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

export function listPrompts() {
  return { prompts: [ORIENT] };
}

export async function getPrompt(name: string, values: Readonly<Record<string, string>>, commonplace: Commonplace) {
  if (name !== ORIENT.name)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${shortened(name)}. There is ${ORIENT.name}.`,
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
