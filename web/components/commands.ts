// The commands of the palette besides opening things. The page has some commands
// always; a view adds its own while it is shown.
import { useEffect, useRef } from "preact/hooks";
import type { IconName } from "./icons.tsx";

export interface PageCommand {
  readonly name: string;
  readonly icon: IconName;
  /** The keys that do the same, such as "g n". */
  readonly keys?: string;
  readonly run: () => void;
}

const registered = new Set<() => readonly PageCommand[]>();

/** All commands of this moment, those of the view first. */
export function commandsNow(): readonly PageCommand[] {
  return [...registered].toReversed().flatMap((commands) => commands());
}

/** Offers commands as long as the calling component is shown. */
export function useCommands(commands: readonly PageCommand[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const current = () => latest.current;
    registered.add(current);
    return () => void registered.delete(current);
  }, []);
}
