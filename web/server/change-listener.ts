// Listens for changes on the server while this window is visible. A browser
// allows six connections per server for all windows together, so one window
// listens and broadcasts to the others. Used by the server provider.
import type { Client } from "./client.ts";

interface Listeners {
  readonly onChange: () => void;
  readonly onLive: (isLive: boolean) => void;
}

/** The messages of the listening window; a window that has just opened sends "who" to get the current state. */
type Message = "changed" | "live" | "off" | "who";

/** Names both the channel and the lock. */
const NAME = "commonplace-changes";
/** How long to wait before connecting again, in milliseconds: twice as long after every failure. */
const RETRY_DELAY = 1_000;
const MAX_DELAY = 16_000;

/** @returns a function that stops listening */
export function listenWhileVisible(client: Client, { onChange, onLive }: Listeners): () => void {
  const channel = new BroadcastChannel(NAME);
  let listening: AbortController | undefined;
  let isListener = false;
  let isLive = false;
  const receive = (message: Message) => {
    if (message === "changed") onChange();
    if (message === "live" || message === "off") onLive((isLive = message === "live"));
  };
  const broadcast = (message: Message) => {
    receive(message);
    channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== "who") receive(data);
    else if (isListener && isLive) channel.postMessage("live" satisfies Message);
  };

  const start = () => {
    const controller = new AbortController();
    listening = controller;
    const { signal } = controller;
    const work = async () => {
      isListener = true;
      await listen(client, broadcast, signal);
      isListener = false;
    };
    channel.postMessage("who" satisfies Message);
    // Locks exist in secure contexts only: over plain HTTP in a network every window listens by itself.
    if (!("locks" in navigator)) void work();
    else navigator.locks.request(NAME, { signal }, work).catch(() => {});
  };
  const onVisibility = () => {
    if (document.visibilityState === "hidden") {
      listening?.abort();
      listening = undefined;
    } else if (listening === undefined) {
      // Something may have changed while the window was hidden.
      if (isLive) onChange();
      start();
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

/** Until it is aborted; connects again whenever the stream ends. */
async function listen(client: Client, broadcast: (message: Message) => void, signal: AbortSignal): Promise<void> {
  let wasInterrupted = false;
  let delay = RETRY_DELAY;
  while (!signal.aborted) {
    try {
      const reader = (await client.changes(signal)).getReader();
      broadcast("live");
      delay = RETRY_DELAY;
      if (wasInterrupted) broadcast("changed");
      for (let part = await reader.read(); !part.done; part = await reader.read())
        if (new TextDecoder().decode(part.value).includes("data:")) broadcast("changed");
    } catch {
      // A stream that fails is handled like one that ends.
    }
    if (signal.aborted) return;
    broadcast("off");
    wasInterrupted = true;
    const waited = delay;
    delay = Math.min(2 * delay, MAX_DELAY);
    await new Promise((resolve) => setTimeout(resolve, waited));
  }
}
