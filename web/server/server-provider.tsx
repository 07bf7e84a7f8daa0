// What every view shares: the client, whether something has changed since, and
// where the page is.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { NotLetIn, Refusal, type Client } from "./client.ts";
import { listenWhileVisible } from "./change-listener.ts";

export interface Session {
  readonly client: Client;
  /** Grows with every change of what is shown. */
  readonly version: number;
  readonly isLive: boolean;
  /** To be called after a change that the page itself made: others are heard of by themselves. */
  readonly noteChange: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("There is no session here.");
  return session;
}

export function SessionProvider({
  client,
  onNotLetIn,
  children,
}: {
  client: Client;
  onNotLetIn: () => void;
  children: ComponentChildren;
}) {
  const [version, setVersion] = useState(0);
  const [isLive, setLive] = useState(false);
  const noteChange = () => setVersion((before) => before + 1);
  useEffect(() => listenWhileVisible(client, { onChange: noteChange, onLive: setLive }), [client]);
  useEffect(() => {
    const onRefused = ({ reason }: PromiseRejectionEvent) => reason instanceof NotLetIn && onNotLetIn();
    addEventListener("unhandledrejection", onRefused);
    return () => removeEventListener("unhandledrejection", onRefused);
  }, [onNotLetIn]);
  return <SessionContext.Provider value={{ client, version, isLive, noteChange }}>{children}</SessionContext.Provider>;
}

/** What a tool said, or has not said yet. */
export interface Answer<R> {
  readonly result?: R;
  readonly refusal?: Refusal;
  readonly isLoading: boolean;
}

interface Known<R> {
  readonly key: string;
  readonly result?: R;
  readonly refusal?: Refusal;
}

interface Asking {
  /** Goes on showing the answer to the question before until this one is answered. */
  readonly keepsLast?: boolean;
}

/** The answer of a tool, asked again whenever something changed. Without arguments nothing is asked. */
export function useAnswer<R>(tool: string, sent: object | undefined, { keepsLast = false }: Asking = {}): Answer<R> {
  const { client, version } = useSession();
  const key = sent === undefined ? "" : JSON.stringify([tool, sent]);
  const [known, setKnown] = useState<Known<R>>({ key: "" });
  useEffect(() => {
    if (sent === undefined) return undefined;
    const asking = new AbortController();
    client.call<R>(tool, sent, asking.signal).then(
      (result) => setKnown({ key, result }),
      (error: unknown) => {
        if (asking.signal.aborted) return;
        if (error instanceof NotLetIn) throw error;
        setKnown({ key, refusal: asRefusal(error) });
      },
    );
    return () => asking.abort();
  }, [client, key, version]);
  if (key === "") return { isLoading: false };
  const isLoading = known.key !== key;
  return isLoading && !keepsLast ? { isLoading } : { ...known, isLoading };
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal("The server cannot be reached.", "Is it still running? This page goes on when it is back.");
}
