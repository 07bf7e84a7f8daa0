// What was sent to the model (`api_conversation_history.json`), of a task whose
// rows were lost: what was typed is between tags, and what the extension added
// around it is not. Pure; used by task-reader.ts.
import { listDocument } from "../kit/json-document.ts";
import { tagged, withoutTags } from "../kit/tagged-text.ts";
import { boundedText, timeOf, type MessagePart, type SourceEvent } from "../source.ts";
import { saidInBlocks } from "./blocks.ts";

/** Around a task, an answer to a question, and what was typed instead of an approval. */
const TYPED = ["task", "feedback", "user_message", "answer"];
const ADDED = ["environment_details", "file_content", "folder_content", "explicit_instructions", "thinking"];

export function* readSent(bytes: Buffer, id: string): Generator<SourceEvent> {
  let order = 0;
  for (const message of listDocument(bytes).records) {
    const role = message?.["role"];
    order++;
    if (message === undefined || (role !== "user" && role !== "assistant")) continue;
    const key = `${id}:sent${order}`;
    const said = saidInBlocks(message["content"]);
    const common = { conversation: id, message: key, order, role, time: timeOf(message["ts"]) } as const;
    const text =
      role === "user" ? typedIn([...said.texts, ...said.tools.map((tool) => tool.text)]) : answerIn(said.texts);
    if (said.thinking !== "")
      yield part({
        ...common,
        key: `${key}:thinking`,
        order: order - 0.1,
        kind: "thinking",
        text: boundedText(said.thinking),
      });
    if (message["isSummary"] === true)
      yield part({ ...common, key, kind: "summary", text: boundedText(said.texts.join("\n\n")) });
    else if (text !== "") yield part({ ...common, key, kind: "prose", text });
    for (const [i, { call: _, isResult: __, ...tool }] of said.tools.entries())
      yield part({
        ...common,
        ...tool,
        text: boundedText(tool.text),
        key: `${key}:tool${i}`,
        order: order + 0.1,
        role: "assistant",
        kind: "tool",
      });
  }
}

function part(one: MessagePart): SourceEvent {
  return { kind: "part", part: one };
}

function typedIn(texts: readonly string[]): string {
  return texts
    .flatMap((text) => TYPED.flatMap((tag) => tagged(text, tag).within.map(({ text: typed }) => typed.trim())))
    .filter((text) => text !== "")
    .join("\n\n");
}

function answerIn(texts: readonly string[]): string {
  return texts
    .map((text) => withoutTags(text, ADDED).trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
