// DeepSeek TUI ("CodeWhale"): a document per session.
import { basename, join } from "node:path";
import { documentSource } from "../kit/document-source.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundIn } from "../kit/transcript-search.ts";
import { timeOf } from "../source.ts";

/** Two documents beside them are no sessions. */
const SESSION = /^(?!latest\.|offline_queue\.).+\.json$/;

export const deepseekTui = documentSource({
  name: "deepseek-tui",
  title: "DeepSeek TUI",
  reader: 1,
  *find({ folder }) {
    for (const name of [".codewhale", ".deepseek"]) yield* foundIn(join(folder, name, "sessions"), SESSION);
  },
  sessionOf: (path) => basename(path, ".json"),
  list: "messages",
  factsIn: (fieldOf) => {
    const metadata = recordOf(fieldOf("metadata")) ?? {};
    return {
      title: textOf(metadata["title"]),
      folder: textOf(metadata["workspace"]),
      model: textOf(metadata["model"]),
      ...storedTimes(timeOf(metadata["created_at"]), timeOf(metadata["updated_at"])),
    };
  },
  meaningOf: (message) => ({ message, time: message["timestamp"], facts: { model: textOf(message["model"]) } }),
  cut: [{ key: "content", depth: 4 }],
});
