// The token that authorises this page. It arrives in the fragment of the address,
// which browsers never send, is removed from the address bar at once, and is kept
// in this tab's session storage. Other tabs are asked for it before the person
// is. A token that works is never replaced. Used by the entry of the page.
import { IS_FOR_MEMBERS } from "../server/server.ts";

const KEY = "token";
const CHANNEL = "commonplace-token";
/** How long to wait for an answer from another tab before the person is asked, in milliseconds. */
const ANSWER_TIMEOUT = 150;

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** For the next person at this browser. What was typed and not saved stays: see views/note/editor/draft.ts. */
export function forgetVisit(): void {
  for (const key of Object.keys(sessionStorage)) if (!key.startsWith("draft:")) sessionStorage.removeItem(key);
}

/**
 * The tokens to try, in order. This tab's own token comes first, so that a
 * crafted link cannot replace one that works.
 */
export function tokensToTry(): AsyncIterable<string> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [token, invitation] = [fragment.get("token"), fragment.get("invitation")];
  if (token !== null || invitation !== null)
    history.replaceState(history.state, "", location.pathname + location.search);
  const kept = sessionStorage.getItem(KEY);
  // Members have one each: with a link that has another's, a person would write into the spaces of that one.
  if (IS_FOR_MEMBERS) return candidates(kept, null, null);
  // A reload must still find it if the server cannot be reached now.
  if (kept === null && token !== null) keepToken(token);
  return candidates(kept, token, invitation);
}

async function* candidates(kept: string | null, token: string | null, invitation: string | null) {
  if (kept !== null) yield kept;
  const given = token ?? (invitation === null ? undefined : await redeem(invitation));
  if (given !== undefined) yield given;
  const other = await askOtherTabs();
  if (other !== undefined) yield other;
}

/** Exchanges an invitation, which works once, for the token. */
async function redeem(invitation: string): Promise<string | undefined> {
  try {
    const answer = await fetch("/invitation", { method: "POST", headers: { Authorization: `Bearer ${invitation}` } });
    return answer.ok ? ((await answer.json()) as { token: string }).token : undefined;
  } catch {
    // The server cannot be reached: the form says so when it is tried.
    return undefined;
  }
}

type Message = { readonly asks: true } | { readonly token: string } | { readonly signsOut: true };

function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (token?: string) => {
      stop();
      resolve(token);
    };
    const stop = onTokenOfOtherTab(end);
    setTimeout(end, ANSWER_TIMEOUT);
  });
}

/**
 * Asks the other tabs. Only pages of the same origin receive what is sent on the channel.
 * @returns a function that stops listening to their answers
 */
export function onTokenOfOtherTab(onToken: (token: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("token" in data) onToken(data.token);
  };
  channel.postMessage({ asks: true } satisfies Message);
  return () => channel.close();
}

let answering: BroadcastChannel | undefined;

/** @param onSignOut called if the person signs out in another tab */
export function answerOtherTabs(onSignOut: () => void): void {
  answering?.close();
  const channel = new BroadcastChannel(CHANNEL);
  answering = channel;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const token = sessionStorage.getItem(KEY);
    if ("asks" in data && token !== null) channel.postMessage({ token } satisfies Message);
    if ("signsOut" in data) onSignOut();
  };
}

/** Other tabs would hand it back to this one. */
export function signOutOtherTabs(): void {
  answering?.postMessage({ signsOut: true } satisfies Message);
}
