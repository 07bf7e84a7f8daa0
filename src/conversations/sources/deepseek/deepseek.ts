// DeepSeek's chat: `conversations.json` of the archive that it sends (Settings,
// Data, Export). A tree of messages, each of fragments; older archives have one
// text and one thought per message, and say by the place who spoke.
import {
  archivedConversation,
  archiveSource,
  counting,
  joined,
  type ArchivedMessage,
} from "../kit/archived-messages.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type ArchivedConversation, type Said } from "../source.ts";

export const deepseek = archiveSource("deepseek", "DeepSeek", fromArchive);

type Fields = Readonly<Record<string, unknown>>;

function fromArchive(conversation: Fields): ArchivedConversation | undefined {
  const mapping = recordOf(conversation["mapping"]);
  const id = textOf(conversation["id"]);
  // ChatGPT has the same tree, with times in seconds.
  if (mapping === undefined || id === undefined || textOf(conversation["inserted_at"]) === undefined) return undefined;
  const skipped = new Map<string, number>();
  const nodes = Object.entries(mapping).map(([key, node]): [string, Fields] => [key, recordOf(node) ?? {}]);
  const byId = new Map(nodes);
  const models = nodes.map(([, node]) => textOf(recordOf(node["message"])?.["model"]));
  return archivedConversation({
    id,
    title: textOf(conversation["title"]),
    model: models.findLast((model) => model !== undefined),
    created: timeOf(conversation["inserted_at"]),
    updated: timeOf(conversation["updated_at"]),
    messages: nodes.map(([key, node]): ArchivedMessage => {
      const message = recordOf(node["message"]);
      const parts = message === undefined ? [] : partsOf(message, isPrompt(key, byId), counting(skipped));
      return { id: key, parent: textOf(node["parent"]), time: timeOf(message?.["inserted_at"]), parts };
    }),
    leaf: undefined,
    skipped,
    skippedName: "fragments",
  });
}

/** More messages than any conversation has. */
const MAX_DEPTH = 100_000;

/** Prompts and answers take turns below the root. */
function isPrompt(id: string, nodes: ReadonlyMap<string, Fields>): boolean {
  let depth = 0;
  for (let at = nodes.get(id); at !== undefined && depth < MAX_DEPTH; at = nodes.get(textOf(at["parent"]) ?? ""))
    if (recordOf(at["message"]) !== undefined) depth++;
  return depth % 2 === 1;
}

function partsOf(message: Fields, isAsked: boolean, skip: (type: string) => void): Said[] {
  const names = recordsOf(message["files"]).flatMap((file) => textOf(file["file_name"]) ?? []);
  const attached = names.map((name) => `[${name}]`).join("\n");
  if (!Array.isArray(message["fragments"])) {
    const role = isAsked ? "user" : "assistant";
    return [
      { role: "assistant", kind: "thinking", text: textOf(message["reasoning_content"]) ?? "" },
      { role, kind: "prose", text: joined([message["content"], attached]) },
    ];
  }
  return recordsOf(message["fragments"]).flatMap(({ type, content, ...fragment }, at): Said[] => {
    const text = textOf(content) ?? "";
    switch (type) {
      case "REQUEST":
        return [{ role: "user", kind: "prose", text: joined([text, at === 0 ? attached : ""]) }];
      case "RESPONSE":
        return [{ role: "assistant", kind: "prose", text }];
      case "THINK":
        return [{ role: "assistant", kind: "thinking", text }];
      case "SEARCH":
      case "READ_LINK":
        return [{ role: "assistant", kind: "tool", tool: "search", text: JSON.stringify(fragment) }];
      default:
        skip(String(type).slice(0, 40));
        return [];
    }
  });
}
