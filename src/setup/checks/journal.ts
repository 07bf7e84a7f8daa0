// Checks the vault's journal: how many changes can be undone.
import { join } from "node:path";
import { counted } from "../../kernel/kernel.ts";
import { realPath } from "../../files/files.ts";
import { failureOf, lookInto } from "../../sqlite/sqlite.ts";
import { inspectJournal, journalName } from "../../journal/journal.ts";
import type { Check } from "./finding.ts";
import { look } from "./inspection.ts";

export const checkJournal: Check = ({ vault, vaults: [{ space }], folders }) => {
  // That of a space is in the store.
  if (space !== undefined) return [];
  const subject = look(vault) === undefined ? vault : realPath(vault);
  const path = join(folders.data, "journal", `${journalName(subject)}.db`);
  const about = { part: "journal", path } as const;
  if (look(path) === undefined) return { ...about, state: "missing", note: "created by the first change" };
  try {
    const { changes, unfinished, newest, bytes } = lookInto(path, inspectJournal);
    const note = `${counted(changes, "change")}, ${(bytes / 1e6).toFixed(1)} MB`;
    return {
      ...about,
      state: "ok",
      note:
        unfinished === 0 ? note : `${note}, one of them interrupted: the next use of the vault finishes or reverts it`,
      counts: { changes, unfinished, bytes },
      ...(newest === undefined ? {} : { updated: new Date(newest).toISOString() }),
    };
  } catch (error) {
    return {
      ...about,
      state: "problem",
      note: `cannot be used (${failureOf(error) ?? (error as Error).message})`,
      hint: "move the folder 'journal' out of the data folder: undo starts over",
    };
  }
};
