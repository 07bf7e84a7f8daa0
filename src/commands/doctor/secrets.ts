// commonplace doctor --secrets: where keys and passwords lie in the stores of other
// programs, and which to revoke. Says of each its kind and its last two characters.
import { openCommonplace } from "../../app/app.ts";
import type { FoundSecret, SecretsFound } from "../../conversations/conversations.ts";
import { bold, counted, joined, print, printable, type Printable, printJson } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings.ts";
import { withProgress } from "../progress.ts";

/** @returns the exit code: 1 if there is any */
export async function showSecrets(settings: Settings, asJson: boolean): Promise<number> {
  const commonplace = openCommonplace(settings);
  try {
    const store = await commonplace.conversations();
    const { result } = await withProgress("looking for secrets", (onProgress) => store.secrets(onProgress));
    if (asJson) printJson({ secrets: result.secrets.map(asFields), unreadable: result.unreadable });
    else print(shown(result));
    return result.secrets.length === 0 ? 0 : 1;
  } finally {
    await commonplace.close();
  }
}

function asFields({ source, conversation, day, kind, ending, number, times }: FoundSecret) {
  return { source_tool: source, conversation, day, kind, ends_with: ending, number, times };
}

function shown({ secrets, unreadable }: SecretsFound): Printable {
  const incomplete = unreadable === 0 ? [] : [`${counted(unreadable, "file")} could not be read to the end.`];
  if (secrets.length === 0)
    return joined(["No secret was recognised in the conversations of any program.", ...incomplete]);
  const each = [...Map.groupBy(secrets, ({ number }) => number).values()];
  return joined([
    bold("Where they are"),
    ...secrets.map(
      (one) =>
        printable`  ${one.day}  ${nameOf(one)}  ${one.source}/${one.conversation}${one.times === 1 ? "" : `  ${one.times} times`}`,
    ),
    "",
    bold("What to revoke, where it was made"),
    ...each.map((places) => {
      const conversations = new Set(places.map(({ source, conversation }) => `${source}/${conversation}`)).size;
      return printable`  ${nameOf(places[0]!)}  in ${counted(conversations, "conversation")}, last on ${places[0]!.day}`;
    }),
    "",
    "Nothing was changed. Programs keep what was said in plain text: what is not revoked stays readable there.",
    ...incomplete,
  ]);
}

/** With its number, which tells secrets of one kind and ending apart. */
function nameOf({ kind, ending, number }: FoundSecret): string {
  return `${number}. ${kind}${ending === "" ? "" : ` …${ending}`}`;
}
