// Command Code: a file per session in a folder per project, and its facts beside it.
import { basename, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { messageLogSource } from "../kit/message-program.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { foundBelow } from "../kit/transcript-search.ts";

export const commandcode = messageLogSource({
  name: "commandcode",
  title: "Command Code",
  reader: 1,
  find: ({ folder }) =>
    foundBelow(join(folder, ".commandcode", "projects"), /^(?!.*\.(?:checkpoints|prompts)\.).*\.jsonl$/, metaOf),
  sessionOf: (path) => basename(path, ".jsonl"),
  factsAt: (path) => {
    const meta = recordAt(metaOf(path));
    if (meta === undefined) return undefined;
    return {
      title: textOf(meta["title"]),
      titleBy: meta["userRenamed"] === true ? "user" : "program",
      folder: textOf(meta["cwd"]) ?? textOf(meta["projectPath"]),
    };
  },
  meaningOf: (record) => {
    const { role, content, timestamp: time } = record;
    if (role === undefined) return {};
    if (role !== "user" && role !== "assistant" && role !== "tool") return undefined;
    const metadata = recordOf(record["metadata"]);
    const folder = textOf(metadata?.["cwd"]) ?? textOf(metadata?.["projectPath"]) ?? textOf(record["cwd"]);
    return { message: { role, content }, time, facts: { folder, branch: textOf(record["gitBranch"]) } };
  },
  cut: [{ key: "content", depth: 3 }, { key: "output" }],
});

function metaOf(path: string): string {
  return path.replace(/\.jsonl$/, ".meta.json");
}
