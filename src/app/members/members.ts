// The members of a shared store, as a server over HTTP needs them: who somebody
// is, and a Commonplace for each of them. All work over one set of connections,
// since the member is a setting of each transaction. Loaded only by such a server,
// through app.ts.
import { type Log, Problem } from "../../kernel/kernel.ts";
import {
  checkServerLogin,
  clientOfSession,
  countRequests,
  endClientSession,
  keepClientSession,
  keepOpenedOutline,
  memberNamed,
  memberOfIdentity,
  memberOfToken,
  memberOfTokenHash,
  newestChanges,
  openedOutlineOf,
  openStore,
  schemaOf,
  ticketKeys,
  type CountedRequests,
  type Entered,
  type Identity,
  type PageListener,
  type Store,
} from "../../shared/shared.ts";
import type { OpenedOutline } from "../../outline/outline.ts";
import { DEFAULT_SERVER, type Settings } from "../../settings.ts";
import { openCommonplace, type Commonplace } from "../app.ts";
import { discreetStore } from "./discreet-store.ts";
import { inOrder, MEMBER_TOOLS, memberSettings, openMemberParts } from "./member-parts.ts";

/** How many members have their parts open at a time; the least recently used ones are closed. */
const MAX_OPEN = 100;
/** Milliseconds for which work in the store is tried again: a proxy waits a minute. */
const PATIENCE = 5_000;

export interface Members {
  /** Throws unless the login of the store may serve members. */
  readonly check: () => Promise<void>;
  /** Returns the version of the store's tables and the one this release knows. Throws if the store cannot be used now. */
  readonly schema: () => Promise<{ readonly found: number; readonly known: number }>;
  readonly memberOfToken: (token: string) => Promise<Entered | undefined>;
  readonly memberOfIdentity: (identity: Identity) => Promise<Entered | undefined>;
  /** For who has proved before who they are: with the token of this hash, or otherwise. */
  readonly memberOfTokenHash: (hash: string) => Promise<Entered | undefined>;
  readonly memberNamed: (name: string) => Promise<Entered | undefined>;
  /** Keys that all servers share, the newest first. */
  readonly ticketKeys: () => Promise<readonly Buffer[]>;
  /** A text for each listener that differs after every change; undefined for one that has no access any more. */
  readonly newestChanges: (listeners: readonly PageListener[]) => Promise<readonly (string | undefined)[]>;
  readonly countRequests: (member: string, amount: number) => Promise<CountedRequests>;
  readonly keepSession: (member: string, id: string, client: string) => Promise<void>;
  readonly clientOfSession: (member: string, id: string) => Promise<string | undefined>;
  /** The outline that a session has open: any server may answer its next call. */
  readonly openedOutline: (member: string, session: string) => OpenedOutline;
  readonly endSession: (member: string, id: string) => Promise<boolean>;
  /**
   * The program for a member, with the spaces that it is in now. Throws if it is in none.
   * @param done settles when it is no longer used
   */
  readonly open: (entered: Entered, done: Promise<unknown>) => Commonplace;
  /** Waits for running calls, then closes everything. */
  readonly close: () => Promise<void>;
}

interface Opened {
  readonly commonplace: Commonplace;
  /** The spaces and roles for which it was opened. */
  readonly spaces: string;
  users: number;
  /** Closed as soon as nobody uses it. */
  isRetired: boolean;
}

export function openMembers(settings: Settings, log: Log): Members {
  const { store: address, server = DEFAULT_SERVER } = settings;
  if (address === undefined) throw new Problem("invalid", "No shared store is named.");
  const asLogin = openStore({
    address: address.reveal(),
    retryFor: PATIENCE,
    connections: server.connections,
  });
  const store = discreetStore(asLogin, log);
  // Readiness is asked of the database now.
  const probe = openStore({ address: address.reveal(), retryFor: 0, connections: 1 });
  /** In the order of their last use. */
  const opened = new Map<string, Opened>();
  const closing = new Set<Promise<void>>();

  const retire = (member: string, entry: Opened) => {
    if (opened.get(member) === entry) opened.delete(member);
    entry.isRetired = true;
    if (entry.users > 0) return;
    const closed = entry.commonplace
      .close()
      .catch((error: unknown) => log((error as Error).message))
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };

  const make = ({ member, spaces }: Entered, key: string): Opened => {
    const of: Store = store.forMember(member);
    const ordered = inOrder(spaces);
    const own = memberSettings(settings, ordered);
    const parts = openMemberParts(own, { store: of, spaces: ordered, log });
    const commonplace = openCommonplace(own, { log, parts, only: MEMBER_TOOLS });
    return { commonplace, spaces: key, users: 0, isRetired: false };
  };

  const open: Members["open"] = (entered, done) => {
    const { member, spaces } = entered;
    const key = JSON.stringify(spaces);
    const known = opened.get(member);
    if (known !== undefined && known.spaces !== key) retire(member, known);
    const entry = known?.spaces === key ? known : make(entered, key);
    opened.delete(member);
    opened.set(member, entry);
    entry.users++;
    void done.finally(() => {
      entry.users--;
      if (entry.isRetired) retire(member, entry);
    });
    for (const [name, other] of opened) {
      if (opened.size <= MAX_OPEN) break;
      if (other.users === 0) retire(name, other);
    }
    return entry.commonplace;
  };

  return {
    check: () => checkServerLogin(asLogin),
    schema: () => schemaOf(probe),
    memberOfToken: (token) => memberOfToken(store, token),
    memberOfIdentity: (identity) => memberOfIdentity(store, identity),
    memberOfTokenHash: (hash) => memberOfTokenHash(store, hash),
    memberNamed: (name) => memberNamed(store, name),
    ticketKeys: () => ticketKeys(store),
    newestChanges: (listeners) => newestChanges(store, listeners),
    countRequests: (member, amount) => countRequests(store.forMember(member), amount),
    keepSession: (member, id, client) => keepClientSession(store.forMember(member), id, client),
    clientOfSession: (member, id) => clientOfSession(store.forMember(member), id),
    openedOutline: (member, session) => {
      const own = store.forMember(member);
      // For one request, which may ask several times.
      let known: Promise<string | undefined> | undefined;
      const read = async () => {
        const opened = await openedOutlineOf(own, session);
        return opened && `store:${opened.space}/${opened.path}`;
      };
      return {
        read: () => (known ??= read()),
        keep: (document) => {
          known = undefined;
          const [, space = "", path = ""] = /^store:([^/]*)\/(.*)$/s.exec(document) ?? [];
          return keepOpenedOutline(own, session, { space, path });
        },
      };
    },
    endSession: (member, id) => endClientSession(store.forMember(member), id),
    open,
    close: async () => {
      await Promise.all([...opened.values()].map(({ commonplace }) => commonplace.close()));
      while (closing.size > 0) await Promise.all(closing);
      opened.clear();
      await probe.close();
      await store.close();
    },
  };
}
