// The source of a program that writes a session again as a whole with every
// change: a JSON document with a list of messages. It is read as a whole then.
import { hash } from "node:crypto";
import { UnreadableFile } from "../../../files/files.ts";
import type { Batch, ConversationFacts, ConversationSource, SourceEvent } from "../source.ts";
import { cutIf } from "./brief-json.ts";
import { INCOMPLETE, jsonDocument, listDocument, type ListDocument } from "./json-document.ts";
import { messageLog, type About, type MessageProgram } from "./message-program.ts";
import { SessionLog } from "./session-log.ts";
import { recordOf, storedJson } from "./stored-json.ts";
import { DocumentTokens } from "./token-counts.ts";

interface DocumentProgram extends About, MessageProgram {
  readonly sessionOf: (path: string) => string;
  /** The field that has the list of messages; undefined if the document is a message. */
  readonly list: string | undefined;
  /** Facts in other fields. */
  readonly factsIn?: (fieldOf: (name: string) => unknown, path: string) => Omit<ConversationFacts, "id">;
}

function oneMessage(value: unknown): ListDocument {
  const record = recordOf(value);
  if (record === undefined) throw new UnreadableFile(INCOMPLETE);
  return { records: [record], fieldOf: (name) => record[name] };
}

const EVENTS_AT_ONCE = 200;

export function documentSource(program: DocumentProgram): ConversationSource {
  const { name, title, reader, resume, find, list, factsIn, cut = [] } = program;
  const log = messageLog(program);
  return {
    name,
    title,
    reader,
    ...(resume !== undefined && { resume }),
    find,
    async *read(transcript, checkpoint, signal, wanted): AsyncGenerator<Batch> {
      const { path } = transcript;
      const { bytes, mark } = jsonDocument(transcript);
      const beside = hash("sha1", JSON.stringify(program.factsAt?.(path) ?? null), "base64url");
      if (`${mark} ${beside}` === checkpoint) return;
      const keys = cutIf(wanted, cut);
      const { records, fieldOf } =
        list === undefined ? oneMessage(storedJson(bytes, keys)) : listDocument(bytes, list, keys);
      const session = new SessionLog(path, log, undefined);
      const tokens = new DocumentTokens();
      let events: SourceEvent[] = [{ kind: "rewritten" }];
      if (factsIn !== undefined && !session.isSubagent) events.push(session.fact(factsIn(fieldOf, path)));
      for (const record of records) {
        if (record === undefined) session.skip("messages in a form that is not known");
        else
          for (const event of log.eventsOf(record, session)) {
            if (event.kind === "usage") tokens.add(event.usage.tokens);
            else events.push(event);
          }
        if (events.length < EVENTS_AT_ONCE) continue;
        yield events;
        if (signal.aborted) return;
        events = [];
      }
      events.push(...session.ended(), ...tokens.total(session.conversation));
      yield [...events, { kind: "checkpoint", checkpoint: `${mark} ${beside}` }];
    },
  };
}
