// commonplace history: lists the changes of the vault and the outlines, and
// deletes their undo data.
import { openCommonplace, type Commonplace } from "../../app/app.ts";
import { counted, joined, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import type { ResultNamed } from "../../tools/tools.ts";
import { isConfirmed } from "../confirmation.ts";
import { countOf, localTime, printResult, type Command, type Invocation } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";

export const command: Command = {
  usage: "history [-n N] [--json] [--purge [--yes]]",
  help: "Lists the changes of the vault and the outlines, newest first, with the id that undo takes.\nThey are kept for 30 days of use or 500 MB, the last 1,000 however old they are. --purge asks, then deletes them: they cannot be undone any more.",
  flags: {
    limit: { value: "N", short: "n", help: "number of changes (50)" },
    json: { help: "as JSON" },
    purge: { help: "delete everything that could be undone" },
    yes: { help: "with --purge: do not ask" },
  },
  run: async (invocation) => {
    const { settings, flags } = invocation;
    const limit = countOf(invocation, "limit", 1000);
    const commonplace = openCommonplace(settings);
    try {
      if (flags["purge"]) return await purge(commonplace, invocation);
      if (flags["yes"]) throw new Problem("invalid", "--yes requires --purge.");
      const result = (await commonplace.call("history", { limit }, { asker: "person" }))!;
      noteGuideVault({ settings, flags });
      return printResult(result, flags["json"], tableOf);
    } finally {
      await commonplace.close();
    }
  },
};

async function purge({ purgeHistory }: Commonplace, invocation: Invocation): Promise<number> {
  const { settings, flags } = invocation;
  if (settings.readOnly) throw new Problem("invalid", "Nothing is purged while it is read-only.");
  if (
    !(await isConfirmed(
      invocation,
      "Forget everything that could be undone?",
      "forgets everything that could be undone",
    ))
  ) {
    const message = "Nothing was forgotten.";
    if (flags["json"]) printJson({ purged: 0, message: `${message} --yes forgets it.` });
    else print(message);
    return 1;
  }
  const purged = await purgeHistory();
  if (flags["json"]) printJson({ purged });
  else print(`Forgot ${counted(purged, "change")}.`);
  return 0;
}

function tableOf({ entries, elsewhere = 0 }: ResultNamed<"history">): Printable {
  const lines = entries.map(
    ({ id, time, vault, message, undone, member }) =>
      printable`${id}  ${localTime(Date.parse(time))}  ${vault === undefined ? "" : `${vault}: `}${message}${undone ? " (undone)" : ""}${member === undefined ? "" : `, by ${member}`}`,
  );
  const others =
    elsewhere === 0
      ? []
      : [
          printable`${elsewhere === 1 ? "Another vault or outline has" : `${elsewhere} other vaults or outlines have`} a history: --vault DIR or --outline FILE shows it.`,
        ];
  return joined([...(lines.length === 0 ? [printable`Nothing was changed yet.`] : lines), ...others]);
}
