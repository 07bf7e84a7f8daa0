// The memory of one space for a member who comes through a server: events are rows
// of the shared store and nothing else. What is written is in the store before the
// call is answered, and every question asks the store first: it decides whether
// this member may still read the space, also if the index has it all. Without the
// store nothing is answered. Loaded only by a server for members, through
// memory.ts.
import { randomBytes } from "node:crypto";
import { Problem } from "../../kernel/kernel.ts";
import type { Space, Store } from "../../shared/shared.ts";
import type { Progress } from "../log/event-files.ts";
import type { EventStore } from "../log/event-store.ts";
import { lineOf, type MemoryEvent } from "../log/event.ts";
import type { Redact } from "../stored-text.ts";
import { redacted } from "./push-events.ts";
import { changeOf, fetchAfter, pieceOf, PREFIX, type Fetched } from "./shared-events.ts";

interface Opening {
  /** That of the member. */
  readonly store: Store;
  readonly space: Pick<Space, "id" | "name">;
  readonly redact: Redact;
}

export function eventsOfSpace({ store, space, redact }: Opening): EventStore {
  const name = PREFIX + space.id;
  const process = randomBytes(9).toString("base64url");
  let fetched: Fetched | undefined;
  let count = 0;
  let last = 0;

  const fetch = async (known: ReadonlyMap<string, Progress>): Promise<boolean> => {
    const found = await fetchAfter(store, { space: space.id }, known);
    const next = found.fetched.get(name);
    if (next === undefined)
      throw new Problem("denied", `You are no longer in the space ${space.name}.`, "Connect again.");
    const before = known.get(name);
    // Of two questions at once, the one that asked first may be answered last.
    const isFurther = fetched?.epoch === next.epoch && fetched.file.size > next.file.size;
    if (!isFurther || fetched!.after > (before?.read ?? 0)) fetched = next;
    return !found.hasMore && (before === undefined || before.seal === next.epoch);
  };

  // Events of all vaults of the space are read; those of members who come through a server have its name.
  const add = async (events: readonly MemoryEvent[]): Promise<void> => {
    await store.transaction(async (sql) => {
      for (const event of events)
        await sql`
          SELECT commonplace.add_event(${space.id}, ${space.name}, ${event.id}, ${lineOf(redacted(event, redact))})`;
    });
  };

  return {
    fetch,
    files: () => (fetched === undefined ? [] : [fetched.file]),
    changeOf: (_file, before) => changeOf(fetched, before),
    read: (_file, before) => pieceOf(fetched, before),
    moment: (after = 0) => {
      last = Math.max(Date.now(), last);
      return { id: `${process}.${(count++).toString(36).padStart(4, "0")}`, at: Math.max(last, after) };
    },
    append: add,
    appendDurably: add,
  };
}
