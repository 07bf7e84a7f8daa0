// Every state of the page has an address: this is the one place that reads and
// writes them. Pure; used by whatever links somewhere.

export const KINDS = ["note", "outline", "conversation"] as const;
export type Kind = (typeof KINDS)[number];

/** What the search is narrowed to. Empty texts and lists narrow nothing. */
export interface Filters {
  readonly kinds: readonly Kind[];
  readonly since: string;
  readonly source: string;
  readonly project: string;
  readonly folder: string;
}

export type Place =
  | ({ readonly view: "search"; readonly query: string } & Filters)
  | { readonly view: "note"; readonly path: string; readonly heading: string; readonly query: string }
  | { readonly view: "folder"; readonly path: string }
  | { readonly view: "outline"; readonly document: string; readonly row: string; readonly query: string }
  | { readonly view: "conversation"; readonly id: string; readonly message: string; readonly query: string }
  | { readonly view: "activity" };

export const NO_FILTERS: Filters = { kinds: [], since: "", source: "", project: "", folder: "" };
export const HOME = { view: "search", query: "", ...NO_FILTERS } as const satisfies Place;

export function placeAt({ pathname, search, hash }: Pick<URL, "pathname" | "search" | "hash">): Place {
  const [, view = "", ...rest] = pathname.split("/");
  const parameters = new URLSearchParams(search);
  const text = (name: string) => parameters.get(name) ?? "";
  const path = decoded(rest.join("/"));
  switch (view) {
    case "note":
      return { view, path, heading: decoded(hash.slice(1)), query: text("q") };
    case "folder":
      return { view, path };
    case "outline":
      return { view, document: path, row: text("row"), query: text("q") };
    case "conversation":
      return { view, id: path, message: text("message"), query: text("q") };
    case "activity":
      return { view };
    default: {
      const kinds = KINDS.filter((kind) => parameters.getAll("kind").includes(kind));
      const filters = { since: text("since"), source: text("source"), project: text("project"), folder: text("in") };
      return { view: "search", query: text("q"), kinds, ...filters };
    }
  }
}

export function addressOf(place: Place): string {
  switch (place.view) {
    case "note":
      return `/note/${encoded(place.path)}${queried({ q: place.query })}${place.heading && `#${encodeURIComponent(place.heading)}`}`;
    case "folder":
      return `/folder/${encoded(place.path)}`;
    case "outline":
      return `/outline${place.document && `/${encoded(place.document)}`}${queried({ row: place.row, q: place.query })}`;
    case "conversation":
      return `/conversation/${encoded(place.id)}${queried({ message: place.message, q: place.query })}`;
    case "activity":
      return "/activity";
    case "search": {
      const { query, kinds, since, source, project, folder } = place;
      const rest = queried({ q: query, kind: kinds, since, source, project, in: folder });
      return rest === "" ? "/" : `/search${rest}`;
    }
  }
}

export function noteAddress(path: string, { heading = "", query = "" } = {}): string {
  return addressOf({ view: "note", path, heading, query });
}

function queried(values: Readonly<Record<string, string | readonly string[]>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const each of typeof value === "string" ? [value] : value) if (each !== "") parameters.append(name, each);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** Slashes stay: an address is read by people. */
function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
