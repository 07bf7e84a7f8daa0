// Tells open pages that something changed, and nothing more: what it is they
// ask by tool calls. Looks at the disk only while a page listens; a page that
// nobody sees does not. Used by http.ts.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Tells a stamp that is another one after every change. */
export type Stamp = () => Promise<string>;

/** Between two looks, in milliseconds: a change shows within two seconds, and a large vault keeps no processor busy. */
const SHORTEST_PAUSE = 700;
const LONGEST_PAUSE = 1_300;

/** Does not keep the process alive. */
const pauseIdle = (milliseconds: number) => pause(milliseconds, undefined, { ref: false });

export interface ChangeStream {
  /** Keeps the response open, and writes a line to it for every change. */
  readonly listen: (response: ServerResponse) => void;
  /** Ends every stream, and with them the looking. */
  readonly close: () => void;
}

/** @param wait between two looks; tests give one that does not wait */
export function openChangeStream(
  stamp: Stamp,
  wait: (milliseconds: number) => Promise<unknown> = pauseIdle,
): ChangeStream {
  const listeners = new Set<ServerResponse>();
  /** Who came since the last look began: what they asked before may have changed before it, too. */
  const newcomers = new Set<ServerResponse>();
  let isWatching = false;

  const watch = async (): Promise<void> => {
    let last: string | undefined;
    while (listeners.size > 0) {
      const began = performance.now();
      const came = new Set(newcomers);
      newcomers.clear();
      const now = await stamp();
      const hasChanged = last !== undefined && now !== last;
      for (const listener of listeners) if (hasChanged || came.has(listener)) listener.write("data: changed\n\n");
      last = now;
      const duration = performance.now() - began;
      await wait(Math.min(Math.max(2 * duration, SHORTEST_PAUSE), LONGEST_PAUSE));
    }
  };

  const watchWhileListened = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    try {
      await watch();
    } finally {
      isWatching = false;
    }
  };

  return {
    listen: (response) => {
      response.writeHead(200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      });
      response.write(": open\n\n");
      listeners.add(response);
      newcomers.add(response);
      response.on("close", () => {
        listeners.delete(response);
        newcomers.delete(response);
      });
      void watchWhileListened();
    },
    close: () => {
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}
