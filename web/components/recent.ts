// The last few things that were opened in this browser: for choosers and the
// palette. Only addresses and titles are kept, in the browser's own storage.
import { useEffect, useState } from "preact/hooks";
import { isRecord, parseJson } from "../../src/kernel/kernel.ts";
import { visits } from "../server/server.ts";

const MAX_RECENT = 8;

export interface Visited {
  readonly kind: "note" | "outline" | "conversation";
  readonly address: string;
  readonly title: string;
}

function keptAs<T>(name: string, isOne: (value: unknown) => value is T): readonly T[] {
  // Another program may have written there.
  const kept = parseJson(visits().getItem(`recent-${name}`) ?? "[]");
  return Array.isArray(kept) ? kept.filter(isOne) : [];
}

function keep<T>(name: string, first: T, before: readonly T[]): void {
  visits().setItem(`recent-${name}`, JSON.stringify([first, ...before].slice(0, MAX_RECENT)));
}

const isText = (value: unknown) => typeof value === "string";
const isVisited = (value: unknown): value is Visited =>
  isRecord(value) &&
  ["note", "outline", "conversation"].includes(String(value["kind"])) &&
  typeof value["title"] === "string" &&
  /^\/(?!\/)/.test(String(value["address"]));

/** Adds what is shown now, and returns what was shown before. */
export function useRecent(kind: string, shown: string): readonly string[] {
  const [recent, setRecent] = useState<readonly string[]>([]);
  useEffect(() => {
    const before = keptAs(kind, isText).filter((one) => one !== shown);
    setRecent(before);
    if (shown !== "") keep(kind, shown, before);
  }, [kind, shown]);
  return recent;
}

export function visited(): readonly Visited[] {
  return keptAs("visited", isVisited);
}

/** Remembers what a view shows, once its title is known. */
export function useVisited(kind: Visited["kind"], address: string, title: string | undefined): void {
  useEffect(() => {
    if (title === undefined || title === "") return;
    const others = visited().filter((one) => one.address !== address);
    keep<Visited>("visited", { kind, address, title }, others);
  }, [kind, address, title]);
}
