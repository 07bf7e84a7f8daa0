// Each program that keeps conversations: where, how many, and what cannot be
// read.
import { openCommonplace } from "../../commonplace.ts";
import type { SourceState } from "../../conversations/source-states.ts";
import type { Settings } from "../../settings.ts";
import type { Finding } from "./finding.ts";

export async function checkConversations(settings: Settings): Promise<Finding[]> {
  const commonplace = openCommonplace(settings);
  try {
    return (await (await commonplace.conversations()).glance()).map(findingOf);
  } finally {
    await commonplace.close();
  }
}

function findingOf(source: SourceState): Finding {
  const { name: part, conversations, archived, messages, units, looked, skipped, unreadable } = source;
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
