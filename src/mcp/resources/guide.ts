// The server's guide, generated from the tools that this server offers. Used by
// resources, prompts and docs/tools.md.
import type { Commonplace } from "../../app/app.ts";
import type { Toolset } from "../../settings.ts";
import { describe, inputOf, listingOf, type Tool } from "../../tools/tools.ts";
import { argumentTable } from "./argument-table.ts";
import { vaultNames } from "./vaults.ts";

type Part = Toolset | "every";

const PARTS: readonly { readonly part: Part; readonly title: string; readonly about: string }[] = [
  { part: "vault", title: "Notes", about: "A folder of Markdown notes: read, write, move, search." },
  { part: "memory", title: "Memory", about: "Workspaces, sessions and states: what was done, for whom and why." },
  { part: "outline", title: "Outlines", about: "OmniOutliner, OPML and Markdown outlines, row by row." },
  {
    part: "recall",
    title: "Conversations",
    about: "Past conversations with AI assistants, from every program on this machine.",
  },
  { part: "project", title: "Project", about: "What this code base is, and which files matter." },
  { part: "every", title: "General", about: "What belongs to all of them." },
];

/** The parts with at least one tool on this server. */
export async function guideParts(commonplace: Commonplace): Promise<Part[]> {
  const { tools } = await commonplace.toolbox();
  return PARTS.map(({ part }) => part).filter((part) => tools.some((tool) => tool.toolset === part));
}

/** The guide in Markdown, or one part of it. */
export async function writeGuide(commonplace: Commonplace, only?: string): Promise<string> {
  const { tools } = await commonplace.toolbox();
  const names = vaultNames(commonplace);
  const vaults =
    names.length === 1
      ? ""
      : `The vaults are ${names.join(", ")}. Tools work in ${names[0]} unless the call names another one as \`vault\`; searches look in all of them.\n\n`;
  const sections = PARTS.filter(({ part }) => only === undefined || part === only).flatMap(({ part, title, about }) => {
    const members = tools.filter((tool) => tool.toolset === part);
    if (members.length === 0) return [];
    const lines = members.map(
      (tool) => `- \`${tool.name}\`${tool.effects.readOnly ? "" : " (writes)"}: ${describe(tool)}`,
    );
    return [`## ${title}\n\n${about}\n\n${lines.join("\n")}`];
  });
  return `# Commonplace\n\n${vaults}${sections.join("\n\n")}\n\nThe arguments of a tool: \`commonplace://tools/{name}\`.\n`;
}

/** The reference of one tool in Markdown: the same text as in docs/tools.md. */
export function describeTool(tool: Tool, vaults: readonly string[] = []): string {
  const { inputSchema, annotations } = listingOf(tool, vaults);
  const effect = annotations.readOnlyHint
    ? "Reads only."
    : annotations.destructiveHint
      ? "Writes, and can remove."
      : "Writes.";
  return `### ${tool.name}\n\n${describe(tool)}\n\n${argumentTable(inputSchema)}\n\n${unlistedArguments(tool)}${effect}\n`;
}

/** Lists the further arguments of a call: hosts do not see them, since every conversation would pay for them, but answers suggest them. */
function unlistedArguments(tool: Tool): string {
  const names = Object.entries(inputOf(tool)).flatMap(([name, { presence }]) =>
    presence === "unlisted" && name !== "context" ? [`\`${name}\``] : [],
  );
  return names.length === 0 ? "" : `Also taken, and not listed: ${names.join(", ")}.\n\n`;
}
