// The source of a program that writes a session again as a whole with every
// change: a JSON document with a list of messages. It is read as a whole then.
import { hash } from "node:crypto";
import type { Batch, ConversationFacts, ConversationSource, SourceEvent } from "../source.ts";
import { cutIf } from "./brief-json.ts";
import { jsonDocument, listDocument } from "./json-document.ts";
import { messageLog, type About, type MessageProgram } from "./message-program.ts";
import { SessionLog } from "./session-log.ts";
import { DocumentTokens } from "./token-counts.ts";

interface DocumentProgram extends About, MessageProgram {
  readonly sessionOf: (path: string) => string;
  /** The field that has the list of messages, unless it is the document itself. */
  readonly list: string | undefined;
  /** Facts in other fields. */
  readonly factsIn?: (fieldOf: (name: string) => unknown, path: string) => Omit<ConversationFacts, "id">;
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
      const { records, fieldOf } = listDocument(bytes, list, cutIf(wanted, cut));
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
