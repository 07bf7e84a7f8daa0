// Checks the index of the vault's notes: how many it has, and when it was updated.
import { counted } from "../../kernel/kernel.ts";
import { accessRules, realPath } from "../../files/files.ts";
import { inspectIndex, failureOf, lookInto } from "../../sqlite/sqlite.ts";
import { noteIndexFile, spaceIndexFile } from "../../vault/vault.ts";
import type { Check } from "./finding.ts";
import { look } from "./inspection.ts";
import { commandLine } from "../program-name.ts";

export const checkNoteIndex: Check = async ({ vault, vaults: [{ hide, space }], folders, store }) => {
  const access = accessRules({ hide });
  const ofSpace = async (name: string) => {
    const { openStore } = await import("../../shared/shared.ts");
    return spaceIndexFile(folders.cache, openStore({ address: store!.reveal() }).address.shown, name, access);
  };
  const path =
    space === undefined
      ? noteIndexFile(folders.cache, look(vault) === undefined ? vault : realPath(vault), access)
      : await ofSpace(space);
  const about = { part: "index", path } as const;
  if (look(path) === undefined)
    return { ...about, state: "missing", note: `built by the first search, or by '${commandLine("index")}'` };
  try {
    const { documents, unread, swept } = lookInto(path, inspectIndex);
    const counts = { documents, unread };
    if (swept === 0)
      return {
        ...about,
        state: "missing",
        note: `${counted(documents, "file")} so far`,
        hint: `'${commandLine("index")}' completes it`,
        counts,
      };
    const updated = new Date(swept).toISOString();
    // Not a problem: a file that is not text may be there on purpose.
    if (unread > 0)
      return {
        ...about,
        state: "ok",
        note: `${counted(documents, "file")}, of which ${unread} cannot be read`,
        hint: `'${commandLine("index")}' names them`,
        counts,
        updated,
      };
    return { ...about, state: "ok", note: counted(documents, "file"), counts, updated };
  } catch (error) {
    const reason = failureOf(error) ?? (error as Error).message;
    return {
      ...about,
      state: "problem",
      note: `cannot be used (${reason})`,
      hint: `'${commandLine("index", "--rebuild")}' builds it again`,
    };
  }
};
