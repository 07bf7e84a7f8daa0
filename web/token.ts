// The token that lets this page in. It comes in the fragment of the address,
// which no server and no log ever sees, is taken out of the address bar at
// once, and is kept for this tab alone. Other tabs of this page are asked
// before the person is.

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

/** Undefined where only the person can tell. */
export async function findToken(): Promise<string | undefined> {
  const sent = new URLSearchParams(location.hash.slice(1));
  const [token, invitation] = [sent.get("token"), sent.get("invitation")];
  if (token !== null || invitation !== null) {
    history.replaceState(history.state, "", location.pathname + location.search);
    const given = token ?? (await redeem(invitation!));
    if (given !== undefined) keepToken(given);
  }
  const found = sessionStorage.getItem(KEY) ?? (await askOtherTabs());
  if (found === undefined) return undefined;
  keepToken(found);
  answerOtherTabs();
  return found;
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
