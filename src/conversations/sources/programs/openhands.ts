// OpenHands' command line: a folder per conversation with a document for each
// event. They are small and never written again, so each is a transcript.
import { basename, dirname, join } from "node:path";
import { documentSource } from "../kit/document-source.ts";
import { recordAt } from "../kit/json-document.ts";
import type { Meaning } from "../kit/message-program.ts";
import { joined } from "../kit/said.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import type { Finding, Said } from "../source.ts";

export const openhands = documentSource({
  name: "openhands",
  title: "OpenHands CLI",
  reader: 1,
  *find({ folder, environment }): Generator<Finding> {
    const root = environment["OPENHANDS_CONVERSATIONS_DIR"] || join(folder, ".openhands", "conversations");
    for (const { name } of yield* lookedInto(root))
      for (const event of (yield* listed(join(root, name, "events"))) ?? [])
        if (/^event-.*\.json$/.test(event.name)) yield* foundFile(join(root, name, "events", event.name));
  },
  sessionOf: (path) => basename(dirname(dirname(path))),
  list: undefined,
  meaningOf: (event, { path, session }) => {
    const meaning = meaningIn(event);
    const base = recordAt(join(dirname(dirname(path)), "base_state.json"));
    const workspace = recordOf(base?.["workspace"]);
    const model = textOf(recordOf(recordOf(base?.["agent"])?.["llm"])?.["model"]);
    const folder = textOf(workspace?.["working_dir"]) ?? textOf(workspace?.["cwd"]);
    const id = `${session}:${textOf(event["id"]) ?? basename(path, ".json")}`;
    return meaning && { ...meaning, time: event["timestamp"], id, facts: { folder, model } };
  },
});

function meaningIn(event: Fields): Meaning | undefined {
  const message = recordOf(event["llm_message"]);
  switch (event["kind"]) {
    case "MessageEvent":
      return message === undefined ? undefined : { message };
    case "ActionEvent": {
      const call = recordOf(event["tool_call"]) ?? {};
      const tool = textOf(event["tool_name"]) ?? textOf(call["name"]) ?? "tool";
      const action = recordOf(event["action"]);
      const given = textOf(call["arguments"]) ?? JSON.stringify(action ?? {});
      const file = textOf(action?.["path"]);
      const thoughts = recordsOf(event["thinking_blocks"]).map(({ thinking }) => thinking);
      const said: Said[] = [
        { role: "assistant", kind: "thinking", text: joined([...thoughts, event["reasoning_content"]]) },
        { role: "assistant", kind: "prose", text: joined(recordsOf(event["thought"]).map(({ text }) => text)) },
        {
          role: "assistant",
          kind: "tool",
          tool,
          text: `${tool} ${given}`,
          ...(file !== undefined && { files: [file] }),
        },
      ];
      return { said };
    }
    case "ObservationEvent": {
      const { content, output } = recordOf(event["observation"]) ?? {};
      return { message: { role: "tool", name: event["tool_name"], content: content ?? output ?? [] } };
    }
    default:
      // Prompts of the system, states, errors, condensations: nothing that was said.
      return {};
  }
}
