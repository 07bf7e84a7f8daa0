// Notifies open pages that something changed; what changed they find out by tool
// calls. Polls only while a page listens, and hidden pages do not listen: once for
// all of them, however many there are. Used by http.ts and members/member-page.ts.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** For each listener a token that differs after every change; undefined for one that may no longer listen. */
type Stamps<L> = (listeners: readonly L[]) => Promise<readonly (string | undefined)[]>;

interface Options {
  /** Milliseconds between polls. */
  readonly shortestPause?: number;
  readonly longestPause?: number;
  /** Pauses between polls; tests pass one that does not wait. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds between polls: a change shows within two seconds, and a large vault does not keep a processor busy. */
const MIN_PAUSE = 700;
const MAX_PAUSE = 1_300;
/** Milliseconds after which something is written to a quiet stream: proxies end one that says nothing for a minute. */
const QUIET = 25_000;

/** Does not keep the process alive. */
const pauseIdle = (milliseconds: number) => pause(milliseconds, undefined, { ref: false });

interface ChangeStream<L> {
  /** Keeps the response open, and writes an event to it for every change. */
  readonly listen: (response: ServerResponse, listener: L) => void;
  /** Ends every stream, and so the polling. */
  readonly close: () => void;
}

interface Listening<L> {
  readonly listener: L;
  /** Undefined before the first poll: what the page has read before may have changed since. */
  stamp: string | undefined;
  written: number;
}

export function openChangeStream<L>(
  stamps: Stamps<L>,
  { shortestPause = MIN_PAUSE, longestPause = MAX_PAUSE, wait = pauseIdle }: Options = {},
): ChangeStream<L> {
  const streams = new Map<ServerResponse, Listening<L>>();
  let isWatching = false;

  const poll = async (): Promise<void> => {
    const asked = [...streams];
    const now = await stamps(asked.map(([, { listener }]) => listener));
    for (const [i, [response, listening]] of asked.entries()) {
      const stamp = now[i];
      const hasChanged = stamp !== listening.stamp;
      const isQuiet = performance.now() - listening.written > QUIET;
      listening.stamp = stamp;
      if (stamp === undefined) response.end();
      else if (hasChanged || isQuiet) {
        response.write(hasChanged ? "data: changed\n\n" : ": no change\n\n");
        listening.written = performance.now();
      }
    }
  };

  const watchWhileListened = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    try {
      while (streams.size > 0) {
        const began = performance.now();
        await poll();
        const duration = performance.now() - began;
        await wait(Math.min(Math.max(2 * duration, shortestPause), longestPause));
      }
    } finally {
      isWatching = false;
    }
  };

  return {
    listen: (response, listener) => {
      response.writeHead(200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      });
      response.write(": open\n\n");
      streams.set(response, { listener, stamp: undefined, written: performance.now() });
      response.on("close", () => streams.delete(response));
      void watchWhileListened();
    },
    close: () => {
      for (const [response] of streams) response.end();
      streams.clear();
    },
  };
}
