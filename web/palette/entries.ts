// The entries of the palette for what was typed: recent things and commands at
// first, then what was found, by kind, and the search at the end. A command that is
// called so comes before what was found. Pure.
import { folderIn } from "../../src/kernel/kernel.ts";
import type { ResultNamed } from "../../src/tools/tools.ts";
import {
  addressOfResult,
  titleOf,
  whereText,
  FILE_ICONS,
  type IconName,
  type PageCommand,
  type SearchResult,
  type Visited,
} from "../components/components.ts";
import { fileKind, nameOf } from "../format/format.ts";
import { addressOf, anchorOf, SEARCH, noteAddress } from "../navigation/navigation.ts";

export interface Entry {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly name: string;
  readonly detail?: string;
  readonly keys?: string;
  readonly address?: string;
  readonly run?: () => void;
}

interface Offered {
  readonly commands: readonly PageCommand[];
  readonly recent: readonly Visited[];
  readonly found: ResultNamed<"search"> | undefined;
}

/** Entries of a group. */
const MAX_PER_GROUP = 6;

export function entriesFor(typed: string, { commands, recent, found }: Offered): readonly Entry[] {
  const query = typed.trim();
  if (query.startsWith(">")) return commandEntries(commands, query.slice(1));
  if (query === "") return [...recent.map(recentEntry), ...commandEntries(commands, "")];
  const all: Entry = {
    key: "search",
    group: "Search",
    icon: "search",
    name: `Search everything for “${query}”`,
    address: addressOf({ ...SEARCH, query }),
  };
  const results = foundEntries(found, query);
  const offered = commandEntries(commands, query).slice(0, MAX_PER_GROUP);
  const isCommand = isNamed(offered[0], query) || (begins(offered[0], query) && !begins(results[0], query));
  return isCommand ? [...offered, ...results, all] : [...results, ...offered, all];
}

function isNamed(entry: Entry | undefined, query: string): boolean {
  return entry?.name.toLowerCase() === query.toLowerCase();
}

function begins(entry: Entry | undefined, query: string): boolean {
  return entry?.name.toLowerCase().startsWith(query.toLowerCase()) === true;
}

function recentEntry({ kind, address, title }: Visited): Entry {
  return { key: `recent ${address}`, group: "Recent", icon: kind, name: title, address };
}

/** Commands whose name has every typed word, or a word that begins so; those first whose name begins with all of it. */
function commandEntries(commands: readonly PageCommand[], typed: string): Entry[] {
  const begun = typed.toLowerCase().trim();
  const words = begun.split(/\s+/).filter(Boolean);
  return commands
    .filter(({ name }) => {
      const own = name.toLowerCase().split(/\s+/);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    })
    .toSorted((a, b) => Number(b.name.toLowerCase().startsWith(begun)) - Number(a.name.toLowerCase().startsWith(begun)))
    .map(({ name, icon, keys, run }) => ({
      key: `command ${name}`,
      group: "Commands",
      icon,
      name,
      run,
      ...(keys !== undefined && { keys }),
    }));
}

const GROUPS: Readonly<Record<SearchResult["kind"], { readonly group: string; readonly icon: IconName }>> = {
  note: { group: "Notes", icon: "note" },
  canvas: { group: "Notes", icon: "canvas" },
  pdf: { group: "Notes", icon: "file" },
  outline: { group: "Rows", icon: "outline" },
  conversation: { group: "Conversations", icon: "conversation" },
  memory: { group: "Memories", icon: "file" },
};

/**
 * Notes of that name first; then groups in the order of their best result. Headings, bases and canvases follow the
 * notes, or are first if there are none.
 */
function foundEntries(found: ResultNamed<"search"> | undefined, query: string): Entry[] {
  const groups = new Map<string, Entry[]>();
  const keys = new Set<string>();
  const add = (entry: Entry) => {
    const group = groups.get(entry.group) ?? [];
    groups.set(entry.group, group);
    // A canvas may be found by its text and by its name.
    if (group.length === MAX_PER_GROUP || keys.has(entry.key)) return;
    group.push(entry);
    keys.add(entry.key);
  };
  const results = (found?.results ?? []).map((result) => resultEntry(result, query));
  const files = fileEntries(found);
  const notes = files.filter(({ group }) => group === "Notes");
  const byName = [...headingEntries(found), ...files.filter(({ group }) => group !== "Notes")];
  const firstNote = results.findIndex(({ group }) => group === "Notes");
  for (const each of [...notes, ...results.slice(0, firstNote + 1), ...byName, ...results.slice(firstNote + 1)])
    add(each);
  return [...groups.values()].flat();
}

function resultEntry(result: SearchResult, query: string): Entry {
  const { group, icon } = GROUPS[result.kind];
  const detail = group === "Notes" ? folderIn(result.id) : whereText(result);
  return {
    key: `${result.kind} ${result.vault ?? ""} ${result.id}`,
    group,
    icon,
    name: titleOf(result),
    ...(detail !== "" && { detail }),
    address: addressOfResult(result, result.kind === "note" ? "" : query),
  };
}

function fileEntries(found: ResultNamed<"search"> | undefined): Entry[] {
  return (found?.files ?? []).map(({ path, vault }) => {
    const { kind } = fileKind(path);
    const folder = folderIn(path);
    return {
      key: `${kind} ${vault ?? ""} ${path}`,
      group: kind === "note" ? "Notes" : "Bases and canvases",
      icon: FILE_ICONS[kind],
      name: nameOf(path),
      ...(folder !== "" && { detail: folder }),
      address: noteAddress(path, { vault }),
    };
  });
}

function headingEntries(found: ResultNamed<"search"> | undefined): Entry[] {
  // The title of a note is its name.
  const others = (found?.headings ?? []).filter(({ path, heading }) => heading !== nameOf(path));
  return others.map(({ path, vault, heading }) => ({
    key: `heading ${vault ?? ""} ${path}#${heading}`,
    group: "Headings",
    icon: "link",
    name: heading,
    detail: nameOf(path),
    address: noteAddress(path, { heading: anchorOf(heading), vault }),
  }));
}
