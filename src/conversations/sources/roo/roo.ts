// Roo Code, which began as a fork of Cline and keeps tasks as it did.
import { join } from "node:path";
import { findTasks } from "../cline/task-folders.ts";
import { readTask } from "../cline/task-reader.ts";
import type { ConversationSource } from "../source.ts";

const PLACES = { extension: "rooveterinaryinc.roo-cline", setting: "roo-cline.customStoragePath" };

export const roo: ConversationSource = {
  name: "roo",
  reader: 2,
  title: "Roo Code",
  // The CLI runs the extension in a mock of an editor, which has this folder.
  find: (home) => findTasks(home, PLACES, [join(home.folder, ".vscode-mock", "global-storage")]),
  read: readTask,
};
