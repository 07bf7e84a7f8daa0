// Hears from the server that something changed, as long as this page can be seen.
// A browser keeps six connections to a server at the most, for all its windows
// together: so one window listens for all, and tells the others.
import type { Client } from "./client.ts";

interface Heard {
  readonly onChange: () => void;
  readonly onLive: (isLive: boolean) => void;
}

/** What the window that listens tells the others; "who" is asked by one that has just come. */
type Word = "changed" | "live" | "off" | "who";

const NAME = "commonplace-changes";
/** How long to wait before the server is asked again, in milliseconds. */
const AGAIN = 1_000;

/** @returns what ends it */
export function listenWhileVisible(client: Client, { onChange, onLive }: Heard): () => void {
  const channel = new BroadcastChannel(NAME);
  let listening: AbortController | undefined;
  let isListener = false;
  let isLive = false;
  const hear = (word: Word) => {
    if (word === "changed") onChange();
    if (word === "live" || word === "off") onLive((isLive = word === "live"));
  };
  const tell = (word: Word) => {
    hear(word);
    channel.postMessage(word);
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data !== "who") hear(data);
    else if (isListener && isLive) channel.postMessage("live" satisfies Word);
  };

  const begin = () => {
    const mine = new AbortController();
    listening = mine;
    const { signal } = mine;
    const work = async () => {
      isListener = true;
      await listen(client, tell, signal);
      isListener = false;
    };
    channel.postMessage("who" satisfies Word);
    // Only pages of a safe origin have locks: over a network without encryption each window listens by itself.
    if (!("locks" in navigator)) void work();
    else navigator.locks.request(NAME, { signal }, work).catch(() => {});
  };
  const onVisibility = () => {
    if (document.visibilityState === "hidden") {
      listening?.abort();
      listening = undefined;
    } else if (listening === undefined) {
      // What happened while nobody looked.
      if (isLive) onChange();
      begin();
    }
  };
  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    listening?.abort();
    channel.close();
  };
}

/** Until it is aborted: a server that was stopped is asked again until it is back. */
async function listen(client: Client, tell: (word: Word) => void, signal: AbortSignal): Promise<void> {
  let wasInterrupted = false;
  while (!signal.aborted) {
    try {
      const reader = (await client.changes(signal)).getReader();
      tell("live");
      if (wasInterrupted) tell("changed");
      for (let part = await reader.read(); !part.done; part = await reader.read())
        if (new TextDecoder().decode(part.value).includes("data:")) tell("changed");
    } catch {
      // It is the end of the stream, however it came.
    }
    if (signal.aborted) return;
    tell("off");
    wasInterrupted = true;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}
