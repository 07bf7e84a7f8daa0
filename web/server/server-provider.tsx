// The connection that all views share: the client, whether it is live, and a
// version that changes whenever something on the server did.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { IS_FOR_MEMBERS } from "./audience.ts";
import { listenWhileVisible } from "./change-listener.ts";
import type { Client } from "./client.ts";

interface Server {
  readonly client: Client;
  /** Increases with every change on the server. */
  readonly version: number;
  /** Undefined until the first connection was made or refused. */
  readonly isLive: boolean | undefined;
  /** Increases the version at once, after a change that the page itself made. */
  readonly refresh: () => void;
  /** Forgets the token, and shows the sign-in form. */
  readonly signOut: () => void;
}

const ServerContext = createContext<Server | undefined>(undefined);

export function useServer(): Server {
  const server = useContext(ServerContext);
  if (server === undefined) throw new Error("useServer needs a ServerProvider.");
  return server;
}

interface ServerProviderProps {
  readonly client: Client;
  /** @param problem why, if the person did not ask for it */
  readonly onSignOut: (problem: string) => void;
  readonly children: ComponentChildren;
}

const REFUSED = IS_FOR_MEMBERS ? "Your token was revoked, or has expired." : "The server's token has changed.";

export function ServerProvider({ client, onSignOut, children }: ServerProviderProps) {
  const [version, setVersion] = useState(0);
  const [isLive, setLive] = useState<boolean>();
  const refresh = () => setVersion((before) => before + 1);
  useEffect(() => listenWhileVisible(client, { onChange: refresh, onLive: setLive }), [client]);
  useEffect(() => client.onUnauthorized(() => onSignOut(REFUSED)), [client, onSignOut]);
  const signOut = () => onSignOut("");
  return (
    <ServerContext.Provider value={{ client, version, isLive, refresh, signOut }}>{children}</ServerContext.Provider>
  );
}
