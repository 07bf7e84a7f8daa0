// ChatGPT: `conversations.json`, or `conversations-000.json` and so on, of the
// archive that it sends on request (Settings, Data controls, Export). A
// conversation is a tree of messages and the node that the person was on last:
// edited prompts and repeated answers are other branches.
import { eventsOfMessages, type ArchivedMessage } from "../formats/archived-messages.ts";
import { recordOf, textOf } from "../formats/stored-json.ts";
import {
  readNothing,
  timeOf,
  type ArchivedConversation,
  type ConversationSource,
  type SourceEvent,
} from "../source.ts";
import { modelOf, partsOf } from "./messages.ts";

export const chatgpt: ConversationSource = {
  name: "chatgpt",
  reader: 1,
  title: "ChatGPT",
  find: () => [],
  read: readNothing,
  fromArchive,
};

type Fields = Readonly<Record<string, unknown>>;

function fromArchive(conversation: Fields): ArchivedConversation | undefined {
  const mapping = recordOf(conversation["mapping"]);
  const id = textOf(conversation["conversation_id"]) ?? textOf(conversation["id"]);
  if (mapping === undefined || id === undefined) return undefined;
  const [created, updated] = [timeOf(conversation["create_time"]), timeOf(conversation["update_time"])];
  const skipped = new Map<string, number>();
  const skip = (type: string) => skipped.set(type, (skipped.get(type) ?? 0) + 1);
  const messages = Object.entries(mapping).flatMap(([key, node]) => messageIn(key, recordOf(node), skip));
  const leaf = textOf(conversation["current_node"]);
  const gizmo = textOf(conversation["gizmo_id"]);
  const events: SourceEvent[] = [
    {
      kind: "conversation",
      facts: {
        id,
        title: textOf(conversation["title"])?.trim(),
        model: modelOf(mapping, leaf) ?? textOf(conversation["default_model_slug"]),
        // Projects have ids of this form; other ones are those of custom GPTs.
        workspace: gizmo?.startsWith("g-p-") ? gizmo : undefined,
        ...(created !== undefined && { created: { at: created, known: "stored" } }),
        ...(updated !== undefined && { updated: { at: updated, known: "stored" } }),
      },
    },
    ...eventsOfMessages(id, messages, leaf),
    ...[...skipped].map(([type, count]): SourceEvent => ({
      kind: "skipped",
      count,
      reason: `messages of the unknown type ${type}`,
    })),
  ];
  return { id, updated, events };
}

function messageIn(id: string, node: Fields | undefined, skip: (type: string) => void): ArchivedMessage[] {
  if (node === undefined) return [];
  const message = recordOf(node["message"]);
  const time = timeOf(message?.["create_time"]);
  return [{ id, parent: textOf(node["parent"]), time, parts: message === undefined ? [] : partsOf(message, skip) }];
}
