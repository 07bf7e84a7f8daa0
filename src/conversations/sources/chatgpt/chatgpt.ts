// ChatGPT: `conversations.json`, or `conversations-000.json` and so on, of the
// archive that it sends on request (Settings, Data controls, Export). A
// conversation is a tree of messages and the node that the person was on last:
// edited prompts and repeated answers are other branches.
import { archivedConversation, archiveSource, counting, type ArchivedMessage } from "../kit/archived-messages.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type ArchivedConversation } from "../source.ts";
import { modelOf, partsOf } from "./messages.ts";

export const chatgpt = archiveSource("chatgpt", "ChatGPT", fromArchive);

type Fields = Readonly<Record<string, unknown>>;

function fromArchive(conversation: Fields): ArchivedConversation | undefined {
  const mapping = recordOf(conversation["mapping"]);
  const id = textOf(conversation["conversation_id"]) ?? textOf(conversation["id"]);
  if (mapping === undefined || id === undefined) return undefined;
  const skipped = new Map<string, number>();
  const leaf = textOf(conversation["current_node"]);
  const gizmo = textOf(conversation["gizmo_id"]);
  return archivedConversation({
    id,
    title: textOf(conversation["title"]),
    model: modelOf(mapping, leaf) ?? textOf(conversation["default_model_slug"]),
    // Projects have ids of this form; other ones are those of custom GPTs.
    workspace: gizmo?.startsWith("g-p-") ? gizmo : undefined,
    created: timeOf(conversation["create_time"]),
    updated: timeOf(conversation["update_time"]),
    messages: Object.entries(mapping).flatMap(([key, node]) => messageIn(key, recordOf(node), counting(skipped))),
    leaf,
    skipped,
    skippedName: "messages",
  });
}

function messageIn(id: string, node: Fields | undefined, skip: (type: string) => void): ArchivedMessage[] {
  if (node === undefined) return [];
  const message = recordOf(node["message"]);
  const time = timeOf(message?.["create_time"]);
  return [{ id, parent: textOf(node["parent"]), time, parts: message === undefined ? [] : partsOf(message, skip) }];
}
