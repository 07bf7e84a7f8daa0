// A change of one setting in the config file: planned, so that it can be shown,
// and made once the person has agreed to it. Everything else in the file stays as
// it is. Used by the page.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  asProblem,
  makeOwnFolder,
  readBytes,
  realPath,
  replaceFile,
  syncFolder,
  temporaryName,
  writeOwnFile,
} from "../files/files.ts";
import { isRecord, parseJson, Problem, quickHash } from "../kernel/kernel.ts";
import { readNoteText, writeNoteText } from "../markdown/markdown.ts";
import type { SettingName, Settings } from "../settings.ts";
import { setMember } from "./hosts/json-members.ts";
import { differenceOf } from "./hosts/line-difference.ts";

export interface ConfigChange {
  readonly file: string;
  /** Undefined if the setting has this value already. */
  readonly difference: string | undefined;
  /** Differs if the file, or what would be written, is another one. */
  readonly stamp: string;
  /** @returns the path of the backup, if there was a file */
  readonly write: () => Promise<string | undefined>;
}

/** Throws a Problem if the file is damaged. */
export function planSetting({ folders }: Settings, name: SettingName, value: string): ConfigChange {
  const file = existsSync(folders.config) ? realPath(folders.config) : folders.config;
  const bytes = existsSync(file) ? readBytes(file) : undefined;
  const before = readNoteText(bytes ?? Buffer.of());
  const { text } = before;
  const after = setMember(text, [keyIn(text, name, file)], value);
  const backups = join(folders.data, "backups");
  return {
    file,
    difference: after === text ? undefined : differenceOf(text, after),
    stamp: quickHash(JSON.stringify([text, after])),
    write: async () => {
      try {
        const content = writeNoteText(before, after);
        makeOwnFolder(dirname(file));
        if (bytes === undefined) {
          writeOwnFile(file, content, true);
          return undefined;
        }
        makeOwnFolder(backups);
        const backup = join(backups, `config-${new Date().toISOString().replace(/\D/g, "").slice(0, 17)}-config.json`);
        writeOwnFile(backup, bytes, true);
        if (!bytes.equals(readBytes(file)))
          throw new Problem(
            "conflict",
            `${file} was changed just now. Nothing was written.`,
            "Look at the change again.",
          );
        await replaceFile(file, content, join(dirname(file), temporaryName()));
        await syncFolder(dirname(file));
        return backup;
      } catch (error) {
        throw error instanceof Problem ? error : asProblem(error, file);
      }
    },
  };
}

/** Keys may be written like flags. */
const plain = (key: string) => key.replace(/[-_]/g, "").toLowerCase();

/** The setting as the file spells it already. */
function keyIn(text: string, name: SettingName, file: string): string {
  if (text.trim() === "") return name;
  const config = parseJson(text);
  // With comments no command could read it.
  if (!isRecord(config))
    throw new Problem("invalid", `${file} must contain an object.`, "Correct it, or move it away.");
  return Object.keys(config).find((key) => plain(key) === plain(name)) ?? name;
}
