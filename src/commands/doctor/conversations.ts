// Each program that keeps conversations: where, how many, and what cannot be
// read. As the store has it, or from a look at the folders where there is none.
import { join } from "node:path";
import { homesOf } from "../../conversations/homes.ts";
import { glanceAt, sourceStates, type SourceState } from "../../conversations/source-states.ts";
import { SOURCES } from "../../conversations/sources.ts";
import type { Settings } from "../../settings.ts";
import type { Finding } from "./finding.ts";
import { look, lookInto } from "./looking.ts";

export function checkConversations({ folders, conversations: further }: Settings): Finding[] {
  const file = join(folders.data, "conversations.db");
  const states =
    look(file) === undefined
      ? glanceAt(SOURCES, homesOf({ environment: process.env, further }))
      : lookInto(file, (database) =>
          sourceStates(
            {
              all: (sql, ...values) => database.prepare(sql).all(...values),
              get: (sql, ...values) => database.prepare(sql).get(...values),
            },
            SOURCES,
          ),
        );
  return states.map(findingOf);
}

function findingOf(source: SourceState): Finding {
  const { name, conversations, archived, messages, units, looked, skipped, unreadable } = source;
  // A program may be a host, too, and is told of as one under its own name.
  const part = `${name} chats`;
  const places = looked.filter(({ isThere }) => isThere).map(({ place }) => place);
  const [path = looked[0]?.place] = places;
  const at = path === undefined ? {} : { path };
  if (conversations === 0 && unreadable.length === 0 && places.length === 0)
    return { part, state: "missing", ...at, note: "not found, so nothing is read from it" };
  const notes = [
    conversations === 0 && units > 0
      ? `${units} files, not indexed yet: 'commonplace index' does it`
      : `${conversations} conversations, ${messages} messages`,
    ...(archived > 0 ? [`${archived} archived`] : []),
    ...skipped.map(({ count, reason }) => `skipped ${count}: ${reason}`),
    ...unreadable.map(({ count, reason, place }) => `cannot be read, ${count}: ${reason} (${place})`),
  ];
  const note = notes.join("; ");
  if (unreadable.length === 0) return { part, state: "ok", ...at, note };
  return { part, state: "problem", ...at, note, hint: "check the permissions, or close the program and try again" };
}
