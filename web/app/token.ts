// The token that lets this page in. It comes in the fragment of the address,
// which no server and no log ever sees, is taken out of the address bar at
// once, and is kept for this tab alone. Other tabs of this page are asked
// before the person is. A token that works is never replaced.

const KEY = "token";
const CHANNEL = "commonplace-token";
/** How long another tab may take to answer, in milliseconds. */
const ANSWER_TIME = 150;

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/**
 * The tokens to try, each when those before it were refused. The one that this
 * tab has comes first: a link that somebody made cannot take it away.
 */
export function tokensToTry(): AsyncIterable<string> {
  const sent = new URLSearchParams(location.hash.slice(1));
  const [token, invitation] = [sent.get("token"), sent.get("invitation")];
  if (token !== null || invitation !== null)
    history.replaceState(history.state, "", location.pathname + location.search);
  const kept = sessionStorage.getItem(KEY);
  // Where the server cannot be reached now, a reload shall find it.
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

/** An invitation is good for one token, once. */
async function redeem(invitation: string): Promise<string | undefined> {
  const answer = await fetch("/invitation", { method: "POST", headers: { Authorization: `Bearer ${invitation}` } });
  return answer.ok ? ((await answer.json()) as { token: string }).token : undefined;
}

type Message = { readonly asks: true } | { readonly token: string };

/** A channel reaches pages of this very origin only. */
function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (token?: string) => {
      channel.close();
      resolve(token);
    };
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ("token" in data) end(data.token);
    };
    channel.postMessage({ asks: true } satisfies Message);
    setTimeout(end, ANSWER_TIME);
  });
}

export function answerOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const token = sessionStorage.getItem(KEY);
    if ("asks" in data && token !== null) channel.postMessage({ token } satisfies Message);
  };
}
