// Notifies open pages that something changed; what changed they find out by tool
// calls. Polls only while a page listens, and hidden pages do not listen. Used by
// http.ts.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Returns a token that differs after every change. */
type Stamp = () => Promise<string>;

/** Milliseconds between polls: a change shows within two seconds, and a large vault does not keep a processor busy. */
const SHORTEST_PAUSE = 700;
const LONGEST_PAUSE = 1_300;

/** Does not keep the process alive. */
const pauseIdle = (milliseconds: number) => pause(milliseconds, undefined, { ref: false });

interface ChangeStream {
  /** Keeps the response open, and writes an event to it for every change. */
  readonly listen: (response: ServerResponse) => void;
  /** Ends every stream, and so the polling. */
  readonly close: () => void;
}

/** @param wait pauses between polls; tests pass one that does not wait */
export function openChangeStream(
  stamp: Stamp,
  wait: (milliseconds: number) => Promise<unknown> = pauseIdle,
): ChangeStream {
  const listeners = new Set<ServerResponse>();
  /** Listeners that came after the last poll began: what they read before may have changed since. */
  const newListeners = new Set<ServerResponse>();
  let isWatching = false;

  const watch = async (): Promise<void> => {
    let last: string | undefined;
    while (listeners.size > 0) {
      const began = performance.now();
      const isNew = new Set(newListeners);
      newListeners.clear();
      const now = await stamp();
      const hasChanged = last !== undefined && now !== last;
      for (const listener of listeners) if (hasChanged || isNew.has(listener)) listener.write("data: changed\n\n");
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
      newListeners.add(response);
      response.on("close", () => {
        listeners.delete(response);
        newListeners.delete(response);
      });
      void watchWhileListened();
    },
    close: () => {
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}
