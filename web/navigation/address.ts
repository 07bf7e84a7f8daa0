// Routes of the page and their addresses: every state that can be linked to has
// one, and only this module reads and writes them. If the server has several
// vaults, the chosen one is a parameter of every address.

export const KINDS = ["note", "outline", "conversation"] as const;
export type Kind = (typeof KINDS)[number];

/** The filters of a search. An empty text or list filters nothing. */
export interface Filters {
  readonly kinds: readonly Kind[];
  readonly since: string;
  readonly source: string;
  readonly project: string;
  readonly folder: string;
}

/** The filters of the list of conversations, and its order. An empty text filters nothing. */
export interface ConversationFilters {
  readonly source: string;
  readonly project: string;
  readonly model: string;
  readonly branch: string;
  /** A part of the path of a file that was touched. */
  readonly file: string;
  /** A day such as 2026-01-31: from this one on, or only this one. */
  readonly since: string;
  readonly day: string;
  /** Empty: the newest first. */
  readonly order: string;
}

export type Route =
  /** A day such as 2026-01-31; empty for today. */
  | { readonly view: "today"; readonly day: string }
  | ({ readonly view: "search"; readonly query: string } & Filters)
  | {
      readonly view: "note";
      readonly path: string;
      readonly heading: string;
      readonly query: string;
      /** True if the note is open in the editor. */
      readonly isEdited: boolean;
    }
  | { readonly view: "folder"; readonly path: string }
  | { readonly view: "outline"; readonly document: string; readonly row: string; readonly query: string }
  | ({
      readonly view: "conversation";
      /** Empty for the list of all. */
      readonly id: string;
      readonly message: string;
      /** Of the search that led here. */
      readonly query: string;
      /** The words to find within the conversation, instead of the query. */
      readonly find: string;
    } & ConversationFilters)
  | { readonly view: "activity" }
  | { readonly view: "graph" }
  | { readonly view: "tasks" }
  | { readonly view: "status" }
  | { readonly view: "begin" }
  /** No view has this address. */
  | { readonly view: "missing"; readonly path: string };

export type RouteTo<V extends Route["view"]> = Extract<Route, { view: V }>;

const NO_FILTERS: Filters = { kinds: [], since: "", source: "", project: "", folder: "" };
export const TODAY: RouteTo<"today"> = { view: "today", day: "" };
export const SEARCH: RouteTo<"search"> = { view: "search", query: "", ...NO_FILTERS };
export const VAULT: RouteTo<"folder"> = { view: "folder", path: "" };
export const CURRENT_OUTLINE: RouteTo<"outline"> = { view: "outline", document: "", row: "", query: "" };
const NO_CONVERSATION_FILTERS: ConversationFilters = {
  source: "",
  project: "",
  model: "",
  branch: "",
  file: "",
  since: "",
  day: "",
  order: "",
};
export const CONVERSATIONS: RouteTo<"conversation"> = {
  view: "conversation",
  id: "",
  message: "",
  query: "",
  find: "",
  ...NO_CONVERSATION_FILTERS,
};

export function routeAt({ pathname, search, hash }: Pick<URL, "pathname" | "search" | "hash">): Route {
  const [, view = "", ...rest] = pathname.split("/");
  const parameters = new URLSearchParams(search);
  const text = (name: string) => parameters.get(name) ?? "";
  const path = decodeText(rest.join("/"));
  switch (view) {
    case "note":
      return { view, path, heading: decodeText(hash.slice(1)), query: text("q"), isEdited: parameters.has("edit") };
    case "folder":
      return { view, path };
    case "outline":
      return { view, document: path, row: text("row"), query: text("q") };
    case "conversation":
      return {
        view,
        id: path,
        message: text("message"),
        query: text("q"),
        find: text("find"),
        source: text("source"),
        project: text("project"),
        model: text("model"),
        branch: text("branch"),
        file: text("file"),
        since: text("since"),
        day: text("day"),
        order: text("order"),
      };
    case "activity":
    case "graph":
    case "tasks":
    case "status":
    case "begin":
      return { view };
    case "":
      return { view: "today", day: text("day") };
    case "search": {
      const kinds = KINDS.filter((kind) => parameters.getAll("kind").includes(kind));
      const filters = { since: text("since"), source: text("source"), project: text("project"), folder: text("in") };
      return { view: "search", query: text("q"), kinds, ...filters };
    }
    default:
      return { view: "missing", path: decodeText(pathname) };
  }
}

/** The vault that an address is in; empty for the default one. */
export function vaultAt({ search }: Pick<URL, "search">): string {
  return new URLSearchParams(search).get("vault") ?? "";
}

/** Links stay in the vault of the page. Outside of a browser there is no page. */
function vaultOfPage(): string {
  return typeof location === "undefined" ? "" : vaultAt(location);
}

/** @param vault if it is not that of the page */
export function addressOf(route: Route, vault: string = vaultOfPage()): string {
  switch (route.view) {
    case "note":
      return `/note/${encodePath(route.path)}${queryString({ q: route.query, edit: route.isEdited ? "1" : "", vault })}${route.heading && `#${encodeURIComponent(route.heading)}`}`;
    case "folder":
      return `/folder/${encodePath(route.path)}${queryString({ vault })}`;
    case "outline":
      return `/outline${route.document && `/${encodePath(route.document)}`}${queryString({ row: route.row, q: route.query, vault })}`;
    case "conversation":
      return conversationAddress(route, vault);
    case "today":
      return `/${queryString({ day: route.day, vault })}`;
    case "activity":
    case "graph":
    case "tasks":
    case "status":
    case "begin":
      return `/${route.view}${queryString({ vault })}`;
    case "missing":
      return encodePath(route.path);
    case "search": {
      const { query, kinds, since, source, project, folder } = route;
      return `/search${queryString({ q: query, kind: kinds, since, source, project, in: folder, vault })}`;
    }
  }
}

function conversationAddress(
  { view, id, message, query, find, ...filters }: RouteTo<"conversation">,
  vault: string,
): string {
  return `/${view}/${encodePath(id)}${queryString({ message, q: query, find, ...filters, vault })}`;
}

interface NoteOptions {
  readonly heading?: string;
  readonly query?: string;
  readonly isEdited?: boolean;
  /** If it is not that of the page. */
  readonly vault?: string | undefined;
}

export function noteAddress(path: string, options: NoteOptions = {}): string {
  const { heading = "", query = "", isEdited = false, vault } = options;
  return addressOf({ view: "note", path, heading, query, isEdited }, vault);
}

function queryString(values: Readonly<Record<string, string | readonly string[]>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const each of typeof value === "string" ? [value] : value) if (each !== "") parameters.append(name, each);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The id of a heading or block, as used in addresses. The prefix avoids clashes with ids of the page itself. */
export function anchorOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}^]+/gu) ?? [];
  return `at-${words.join("-")}`;
}

/** Slashes stay, so that people can read the address. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** Text that is not validly encoded is returned as it is. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
