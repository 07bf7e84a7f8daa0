// commonplace export: writes past conversations to files, by the export tool.
import { resolve } from "node:path";
import { openCommonplace } from "../../app/app.ts";
import { checkFolderName } from "../../conversations/conversations.ts";
import { counted, joined, type Printable, Problem } from "../../kernel/kernel.ts";
import type { ResultNamed } from "../../tools/tools.ts";
import { countOf, printResult, type Command } from "../command.ts";

/** In the working directory; the tool's own default is meant for assistants. */
const DEFAULT_FOLDER = "conversations";

export const command: Command = {
  usage: "export [--format json|md|txt] [--all | --limit N] [--output DIR] [--title TEXT] [--workspace HASH] [--json]",
  help: `Writes past conversations to files, one file each, newest first. Nothing is
overwritten. Secrets are redacted unless --no-redact is given. Without --output
the files go to conversations/ in the current folder, which is created if there
is anything to write. The folder may be in the vault.`,
  flags: {
    format: { value: "FORMAT", choices: ["json", "md", "txt"], help: "json, md or txt (json)" },
    all: { help: "every conversation" },
    limit: { value: "N", help: "number of conversations, up to 100 (20)" },
    output: { value: "DIR", help: `folder to write to (${DEFAULT_FOLDER}); created if needed` },
    title: { value: "TEXT", help: "only conversations with TEXT in their title" },
    workspace: { value: "HASH", help: "only conversations of this workspace, by its id in the program" },
    json: { help: "as JSON" },
  },
  run: async (invocation) => {
    const { settings, flags } = invocation;
    const limit = countOf(invocation, "limit", 100);
    const all = flags["all"] === true;
    if (all && limit !== undefined) throw new Problem("invalid", "--all and --limit do not go together.");
    const format = formatOf(flags["format"]);
    const commonplace = openCommonplace({ ...settings, readOnly: false });
    try {
      const output = flags["output"] ?? DEFAULT_FOLDER;
      const sent = {
        format,
        limit,
        ...(all && { all }),
        output_dir: typeof output === "string" ? folderHere(output) : output,
        conversation_filter: flags["title"],
        workspace_filter: flags["workspace"],
      };
      const result = (await commonplace.call("export_individual_conversations", sent, { asker: "person" }))!;
      const code = printResult(result, flags["json"], shown);
      return !result.isError && result.structuredContent.errors.length > 0 ? 1 : code;
    } finally {
      await commonplace.close();
    }
  },
};

const FORMATS = ["json", "md", "markdown", "txt"];

function formatOf(value: unknown): string | undefined {
  if (value === undefined || FORMATS.includes(String(value))) return value as string | undefined;
  throw new Problem("invalid", `--format must be one of ${FORMATS.join(", ")}.`);
}

/** Relative to the working directory, not to the project. */
function folderHere(output: string): string {
  checkFolderName(output);
  return output.startsWith("~") ? output : resolve(output);
}

function shown({
  files,
  errors,
  output_directory,
  matching,
  message,
}: ResultNamed<"export_individual_conversations">): Printable {
  const count =
    matching === undefined ? counted(files.length, "conversation") : `${files.length} of ${matching} conversations`;
  return joined([
    ...files,
    ...errors,
    files.length === 0 ? "No conversation matches." : `${count} in ${output_directory}`,
    ...(matching === undefined ? [] : ["These are the newest: --all exports every one."]),
    ...(files.length > 0 && message !== undefined ? [message] : []),
  ]);
}
