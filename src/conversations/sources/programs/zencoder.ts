// Zencoder: a file per session, its facts in the first line. The session of a
// sub-agent names the one that called it.
import { basename, join } from "node:path";
import { messageLogSource, type Meaning } from "../kit/message-program.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundIn } from "../kit/transcript-search.ts";
import { timeOf } from "../source.ts";

export const zencoder = messageLogSource({
  name: "zencoder",
  title: "Zencoder",
  reader: 1,
  find: ({ folder }) => foundIn(join(folder, ".zencoder", "sessions"), /\.jsonl$/),
  sessionOf: (path) => basename(path, ".jsonl"),
  meaningOf: (record) => {
    if (record["role"] !== undefined) return messageIn(record);
    const parent = textOf(record["parentId"]);
    return {
      facts: {
        ...storedTimes(timeOf(record["createdAt"])),
        title: textOf(record["title"]),
        ...(parent !== undefined && { continues: parent }),
      },
    };
  },
  cut: [{ key: "content", depth: 3 }],
});

const FOLDER = /Working directory:\s+(.+)/;

function messageIn(record: Fields): Meaning | undefined {
  const { role, content, createdAt: time } = record;
  if (role === "permission" || role === "finish") return {};
  if (role === "system") return { facts: { folder: FOLDER.exec(String(content))?.[1]?.trim() } };
  if (role !== "user" && role !== "assistant" && role !== "tool") return undefined;
  // What the program adds has a tag.
  const blocks = recordsOf(content).filter(({ tag }) => tag === undefined || tag === "" || tag === "user-input");
  const model = textOf(recordOf(record["model"])?.["id"]) ?? textOf(record["model"]);
  return { message: { role, content: blocks }, time, facts: { model } };
}
