// Snowflake's Cortex Code: a document per session. The messages of a long one are
// in a log beside it, which the document then has none of.
import { basename, join } from "node:path";
import { documentSource } from "../kit/document-source.ts";
import { recordAt } from "../kit/json-document.ts";
import { messageLogSource, type About, type Meaning, type MessageProgram } from "../kit/message-program.ts";
import { withoutReminders } from "../kit/said.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundFile, lookedInto } from "../kit/transcript-search.ts";
import { timeOf, type ConversationFacts, type ConversationSource, type Finding, type Home } from "../source.ts";

const LOG = ".history.jsonl";
const SESSION = /^[\da-f-]{36}\.json$/i;

const PROGRAM: About & MessageProgram & { readonly sessionOf: (path: string) => string } = {
  name: "cortex",
  title: "Cortex Code",
  reader: 1,
  find,
  sessionOf: (path) => basename(path).replace(/(?:\.history)?\.jsonl?$/, ""),
  meaningOf,
  typed: withoutReminders,
  cut: [{ key: "tool_result" }],
};

const documents = documentSource({
  ...PROGRAM,
  list: "history",
  factsIn: (fieldOf) => factsIn(fieldOf),
});

const logs = messageLogSource({
  ...PROGRAM,
  factsAt: (path) => {
    const document = recordAt(path.replace(LOG, ".json"));
    return document && factsIn((name) => document[name]);
  },
});

export const cortex: ConversationSource = {
  ...documents,
  read: (transcript, ...rest) => (transcript.path.endsWith(LOG) ? logs : documents).read(transcript, ...rest),
};

function* find({ folder }: Home): Generator<Finding> {
  const sessions = join(folder, ".snowflake", "cortex", "conversations");
  const names = new Set((yield* lookedInto(sessions)).map(({ name }) => name));
  for (const name of names) {
    if (!SESSION.test(name)) continue;
    const log = name.replace(/\.json$/, LOG);
    if (names.has(log)) yield* foundFile(join(sessions, log), [join(sessions, name)]);
    else yield* foundFile(join(sessions, name));
  }
}

function factsIn(fieldOf: (name: string) => unknown): Omit<ConversationFacts, "id"> {
  const title = textOf(fieldOf("title"));
  return {
    ...(title?.startsWith("Chat for session:") === false && { title }),
    folder: textOf(fieldOf("working_directory")) ?? textOf(fieldOf("git_root")),
    branch: textOf(fieldOf("git_branch")),
    ...storedTimes(timeOf(fieldOf("created_at")), timeOf(fieldOf("last_updated"))),
  };
}

/** A block has its content in a field with the name of its type. */
function meaningOf({ role, id, content, user_sent_time: time }: Fields): Meaning | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  const blocks = recordsOf(content).flatMap((block): Fields[] => {
    if (block["internalOnly"] === true) return [];
    const inner = recordOf(block[String(block["type"])]);
    return [inner === undefined ? block : { ...inner, type: block["type"], id: inner["tool_use_id"] }];
  });
  return { message: { role, content: blocks }, time, id: textOf(id) };
}
