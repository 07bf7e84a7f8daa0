// commonplace briefing: what was last done and talked about in this project, in a
// few lines for an assistant that begins to work. Run by the plugin's hook at the
// start of a session, if the person has switched it on.
import { openCommonplace, type Commonplace } from "../app/app.ts";
import { estimateTokens, log, multiline, print } from "../kernel/kernel.ts";
import { type CallResult, markedText } from "../tools/tools.ts";
import type { Command } from "./command.ts";

/** Every session that begins pays for it. */
const MAX_TOKENS = 300;
const MAX_LINE_LENGTH = 120;
const CONVERSATIONS = 5;

export const command: Command = {
  usage: "briefing [--if-on]",
  help: `Prints what was last done and talked about in this project, in at most ${MAX_TOKENS} tokens, for an assistant\nthat begins a session. The plugin's hook calls it with --if-on.`,
  flags: { "if-on": { help: "print nothing unless the setting briefing is on" } },
  run: async ({ settings, flags }) => {
    if (flags["if-on"] === true && !settings.briefing) return 0;
    const commonplace = openCommonplace(settings);
    try {
      const text = fitting([...(await sessionLines(commonplace)), ...(await conversationLines(commonplace))]);
      if (text !== "") print(multiline(text));
      // A hook's output is read by a model: nothing is better than a sentence about nothing.
      else if (flags["if-on"] !== true)
        log("There is nothing to tell yet: no session is in memory, and no conversation belongs to this project.");
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

const HEAD = "Earlier work, from Commonplace. Read more with read_conversation and search.";

/** As many of the lines as fit; empty if there are none. */
function fitting(lines: readonly string[]): string {
  const texts = lines.map((_, i) => `${HEAD}\n${markedText(lines.slice(0, lines.length - i).join("\n"))}`);
  return texts.find((text) => estimateTokens(text) <= MAX_TOKENS) ?? "";
}

async function sessionLines(commonplace: Commonplace): Promise<string[]> {
  const listed = answerOf(await commonplace.call("memoryManager_listSessions", { limit: 1 }, { asker: "server" }));
  const [session] = listed?.data.sessions ?? [];
  if (session === undefined) return [];
  const sent = { targetSessionId: session.id };
  const loaded = answerOf(await commonplace.call("memoryManager_loadSession", sent, { asker: "server" }));
  return [
    oneLine(`Last session: ${session.name}`),
    ...(loaded?.data.openEnds ?? []).slice(0, 3).map((end) => oneLine(`Open: ${end}`)),
  ];
}

async function conversationLines(commonplace: Commonplace): Promise<string[]> {
  const info = answerOf(await commonplace.call("get_project_info", {}, { asker: "server" }));
  if (info === undefined) return [];
  const sent = { project: info.project.root, since: "all", min_score: 0, limit: CONVERSATIONS };
  const recalled = answerOf(await commonplace.call("recall_conversations", sent, { asker: "server" }));
  return (recalled?.conversations ?? [])
    .slice(0)
    .toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
    .map(({ id, title, source_tool, updated_at }) =>
      oneLine(`${updated_at.slice(0, 10)} ${source_tool}: ${title}`, ` (id ${id})`),
    );
}

function answerOf<R>(result: CallResult<R> | undefined): R | undefined {
  return result === undefined || result.isError ? undefined : result.structuredContent;
}

function oneLine(text: string, end = ""): string {
  const line = text.replace(/\s+/g, " ").trim();
  return (line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH - 1).toWellFormed()}…`) + end;
}
