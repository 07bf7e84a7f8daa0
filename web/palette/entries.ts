// What the palette offers for what was typed: recent things and commands at
// first, then what was found, by kind, and the search at the end. Pure.
import { folderIn } from "../../src/kernel/kernel.ts";
import type { ResultNamed } from "../../src/tools/tools.ts";
import {
  addressOfResult,
  titleOf,
  whereText,
  type IconName,
  type PageCommand,
  type SearchResult,
  type Visited,
} from "../components/components.ts";
import { nameOf } from "../format/format.ts";
import { addressOf, anchorOf, HOME, noteAddress } from "../navigation/navigation.ts";

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
const MOST = 6;

export function entriesFor(typed: string, { commands, recent, found }: Offered): readonly Entry[] {
  const query = typed.trim();
  if (query.startsWith(">")) return commandEntries(commands, query.slice(1));
  if (query === "") return [...recent.map(recentEntry), ...commandEntries(commands, "")];
  const all: Entry = {
    key: "search",
    group: "Search",
    icon: "search",
    name: `Search everything for “${query}”`,
    address: addressOf({ ...HOME, query }),
  };
  return [...foundEntries(found, query), ...commandEntries(commands, query).slice(0, MOST), all];
}

function recentEntry({ kind, address, title }: Visited): Entry {
  return { key: `recent ${address}`, group: "Recent", icon: kind, name: title, address };
}

/** Commands whose name has every typed word, or a word that begins so. */
function commandEntries(commands: readonly PageCommand[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .filter(({ name }) => {
      const own = name.toLowerCase().split(/\s+/);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    })
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
};

/** Groups in the order of their best result; headings follow the notes. */
function foundEntries(found: ResultNamed<"search"> | undefined, query: string): Entry[] {
  const groups = new Map<string, Entry[]>();
  const add = (entry: Entry) => {
    const group = groups.get(entry.group) ?? [];
    groups.set(entry.group, group);
    if (group.length < MOST) group.push(entry);
  };
  for (const result of found?.results ?? []) {
    const { group, icon } = GROUPS[result.kind];
    const detail = group === "Notes" ? folderIn(result.id) : whereText(result);
    add({
      key: `${result.kind} ${result.vault ?? ""} ${result.id}`,
      group,
      icon,
      name: titleOf(result),
      ...(detail !== "" && { detail }),
      address: addressOfResult(result, result.kind === "note" ? "" : query),
    });
    if (group === "Notes" && !groups.has("Headings")) for (const each of headingEntries(found!)) add(each);
  }
  if (!groups.has("Headings")) for (const each of headingEntries(found)) add(each);
  return [...groups.values()].flat();
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
