// Checks each program that keeps conversations: where they are, how many, and what
// cannot be read. From the store, or from the folders if there is no store yet.
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { counted } from "../../kernel/kernel.ts";
import {
  expiringTranscripts,
  statesWithoutStore,
  homesOf,
  conversationSources,
  type SourceState,
  sourceStates,
} from "../../conversations/conversations.ts";
import { readState, lookInto } from "../../sqlite/sqlite.ts";
import type { Settings } from "../../settings.ts";
import type { Finding } from "./finding.ts";
import { look } from "./inspection.ts";
import { commandLine } from "../program-name.ts";

export async function checkConversations({ folders, conversations: further, projects }: Settings): Promise<Finding[]> {
  const sources = await conversationSources();
  const file = join(folders.data, "conversations.db");
  const homes = homesOf({ environment: process.env, further, projects });
  if (look(file) === undefined) {
    const expiring = expiringTranscripts(undefined, sources, homes, Date.now());
    return statesWithoutStore(sources, homes).map((state) =>
      findingOf({ ...state, expiring: expiring.get(state.name) }),
    );
  }
  return lookInto(file, (database) => {
    const store = {
      all: (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values),
      get: (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).get(...values),
    };
    const { swept } = readState(store);
    const expiring = expiringTranscripts(store, sources, homes, Date.now());
    return sourceStates(store, sources).map((state) =>
      findingOf({ ...state, expiring: expiring.get(state.name) }, swept),
    );
  });
}

/** @param swept when the store was last brought up to date; 0 for never */
function findingOf(source: SourceState, swept = 0): Finding {
  const { name, conversations, archived, messages, transcripts, looked, skipped, unreadable, expiring } = source;
  // The program may be a host too, with a finding under its own name.
  const part = `${name} chats`;
  const places = looked.filter(({ isThere }) => isThere).map(({ place }) => place);
  const [path = looked[0]?.place] = places;
  const at = path === undefined ? {} : { path };
  if (conversations === 0 && unreadable.length === 0 && places.length === 0)
    return {
      part,
      state: "missing",
      ...at,
      note: looked.length === 0 ? "nothing was imported" : "not found, so nothing is read from it",
    };
  const notes = [
    conversations === 0 && transcripts > 0
      ? `${counted(transcripts, "file")}, not indexed yet: '${commandLine("index")}' does it`
      : `${counted(conversations, "conversation")}, ${counted(messages, "message")}`,
    ...(archived > 0 ? [`${archived} archived`] : []),
    ...skipped.map(({ count, reason }) => `skipped ${count}: ${reason}`),
    ...unreadable.map(({ count, reason, place }) => `cannot be read, ${count}: ${reason} (${place})`),
  ];
  if (expiring !== undefined)
    notes.push(
      `${counted(expiring.count, "file")} not indexed yet, and deleted within days: it keeps them for ${Math.round(expiring.days)}`,
    );
  const note = notes.join("; ");
  const facts = {
    ...at,
    note,
    counts: { conversations, messages, archived, files: transcripts },
    ...(swept === 0 ? {} : { updated: new Date(swept).toISOString() }),
  };
  if (expiring !== undefined)
    return {
      part,
      state: "problem",
      ...facts,
      hint: `'${commandLine("index")}' keeps them, '${commandLine("index", "--install")}' from now on by itself; ${expiring.setting} in ${expiring.file} raises the limit`,
    };
  if (unreadable.length === 0) return { part, state: "ok", ...facts };
  return { part, state: "problem", ...facts, hint: "check the permissions, or close the program and try again" };
}
