// The notes that a person has pinned to the left column, in the browser's own
// storage, for each vault.
import { useEffect, useState } from "preact/hooks";
import { parseJson } from "../../src/kernel/kernel.ts";
import { useServer, visits } from "../server/server.ts";

const CHANGED = "pins-changed";

function keyOf(vault: string): string {
  return `pins ${vault}`;
}

function pinned(vault: string): readonly string[] {
  // Another program may have written there.
  const kept = parseJson(visits().getItem(keyOf(vault)) ?? "[]");
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
}

/** The paths of pinned notes, the first one pinned first. */
export function usePins(): readonly string[] {
  const { client } = useServer();
  const [pins, setPins] = useState(() => pinned(client.vault));
  useEffect(() => {
    const onChange = () => setPins(pinned(client.vault));
    onChange();
    addEventListener(CHANGED, onChange);
    return () => removeEventListener(CHANGED, onChange);
  }, [client.vault]);
  return pins;
}

/** Pins a note, or takes it from the pins. */
export function togglePin(vault: string, path: string): void {
  const before = pinned(vault);
  const after = before.includes(path) ? before.filter((one) => one !== path) : [...before, path];
  visits().setItem(keyOf(vault), JSON.stringify(after));
  dispatchEvent(new Event(CHANGED));
}
