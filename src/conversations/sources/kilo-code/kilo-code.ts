// Kilo Code's extension before version 7, a fork of Roo Code; later versions
// keep conversations as Kilo's CLI does.
import { join } from "node:path";
import { findTasks } from "../cline/task-folders.ts";
import { readTask } from "../cline/task-reader.ts";
import type { ConversationSource } from "../source.ts";

const PLACES = { extension: "kilocode.kilo-code", setting: "kilo-code.customStoragePath" };

export const kiloCode: ConversationSource = {
  name: "kilo-code",
  reader: 2,
  title: "Kilo Code",
  // The CLI before version 7 ran the extension.
  find: (home) => findTasks(home, PLACES, [join(home.folder, ".kilocode", "cli", "global")]),
  read: readTask,
};
