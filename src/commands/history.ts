// commonplace history: what was changed in the vault and the outlines, and by
// which tool.
import { openCommonplace } from "../commonplace.ts";
import { PROTOCOL_VERSIONS } from "../protocol.ts";
import { Problem } from "../text/problem.ts";
import { print, type Command } from "./command.ts";

interface Entry {
  readonly id: string;
  readonly tool: string;
  readonly message: string;
  readonly time: number;
  readonly undone: boolean;
}

export const command: Command = {
  usage: "history [--limit N] [--json] [--purge]",
  help: "Changes of the vault and the outlines, newest first, with the id that undo takes. They are kept for\n30 days, or 500 MB; --purge forgets them now, and nothing of them can be undone.",
  flags: {
    limit: { value: "N", help: "how many (50)" },
    json: { help: "as JSON" },
    purge: { help: "forget everything that could be undone" },
  },
  run: async ({ settings, flags }) => {
    const commonplace = openCommonplace({ ...settings, toolsets: ["all"] });
    try {
      if (flags["purge"]) {
        if (settings.readOnly) throw new Problem("invalid", "Nothing is purged while it is read-only.");
        const purged = await commonplace.purgeHistory();
        print(flags["json"] ? JSON.stringify({ purged }) : `Forgot ${purged} changes.`);
        return 0;
      }
      const sent = { limit: flags["limit"] };
      const result = (await commonplace.call("history", sent, {
        protocolVersion: PROTOCOL_VERSIONS[0],
        limitTokens: false,
      }))!;
      const { entries = [], error } = result.structuredContent as { entries?: readonly Entry[]; error?: string };
      print(flags["json"] ? JSON.stringify(result.structuredContent) : (error ?? tableOf(entries)));
      return result.isError ? 1 : 0;
    } finally {
      await commonplace.close();
    }
  },
};

function tableOf(entries: readonly Entry[]): string {
  if (entries.length === 0) return "Nothing was changed yet.";
  return entries
    .map(
      ({ id, time, message, undone }) =>
        `${id}  ${new Date(time).toISOString().slice(0, 16).replace("T", " ")}  ${message}${undone ? " (undone)" : ""}`,
    )
    .join("\n");
}
