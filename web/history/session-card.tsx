// A card for what one assistant did in one session: who, when, its goal and its
// reasons, and a line for each note with the lines that were added and removed, whose
// difference opens in place. All of it can be undone, as it is shown before. Used by
// Today and by the activity view.
import { useMemo, useState } from "preact/hooks";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { Icon, Loading } from "../components/components.ts";
import { countLines, TextDifference } from "../diff/diff.tsx";
import { dayName, nameOf, spanText, startOfDay, whoName } from "../format/format.ts";
import { noteAddress } from "../navigation/navigation.ts";
import { useServer, useToolCall } from "../server/server.ts";
import { timeOf, type Entry } from "./entry.ts";
import { HistoryEntry } from "./history-entry.tsx";
import type { SessionOfEntries } from "./session-groups.ts";
import { SessionUndo } from "./session-undo.tsx";

type FileTogether = NonNullable<ResultNamed<"history">["together"]>[number];

/** The tool takes so many entries together. */
const MAX_TOGETHER = 100;
/** Notes that are listed at first. */
const FEW = 8;
const MAX_REASONS = 3;

interface SessionCardProps {
  readonly of: SessionOfEntries;
  /** Lists every change below the notes, on request. */
  readonly hasChanges?: boolean;
}

export function SessionCard({ of: { key, session, by, entries }, hasChanges = false }: SessionCardProps) {
  const [latest, first] = [timeOf(entries[0]!), timeOf(entries.at(-1)!)];
  const [isOpen, setOpen] = useState(false);
  const who = whoName(by);
  const day = dayName(startOfDay(latest), Date.now());
  const goal = meant([session?.goal, session?.name]);
  const reasons = useReasons(by?.session, entries);
  const id = `session-${key}`;
  return (
    // With its time and goal: an assistant has several sessions on a day.
    <section class="session" aria-labelledby={`${id} ${id}-time ${id}-goal`}>
      <header class="session-head">
        <span class="who-mark" data-who={who[0]?.toUpperCase()} aria-hidden="true" />
        <h3 id={id}>{who}</h3>
        <span class="session-when" id={`${id}-time`}>
          {day}, {spanText(first, latest)}
        </span>
      </header>
      {goal !== undefined && (
        <p class="session-goal" id={`${id}-goal`}>
          {goal}
        </p>
      )}
      {reasons.map((why) => (
        <p key={why} class="session-why">
          {why}
        </p>
      ))}
      {/* Above what they open: a button that was pressed stays where it is. */}
      <div class="session-buttons">
        <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="diff" /> {isOpen ? "Close" : "Look"}
        </button>
        <SessionUndo entries={entries} of={`${who}, ${day}`} />
      </div>
      <TouchedNotes entries={entries} isOpen={isOpen} />
      {hasChanges && <EveryChange entries={entries} />}
    </section>
  );
}

/** Returns the text of a model that says anything: some send a letter. */
function meant(texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text.trim().length > 3);
}

/** Why it made its changes, as it said at each call; the latest first. */
function useReasons(session: string | undefined, entries: readonly Entry[]): readonly string[] {
  const { client } = useServer();
  const input =
    session !== undefined && client.has("memoryManager_loadSession") ? { targetSessionId: session } : undefined;
  const { result } = useToolCall("memoryManager_loadSession", input, { keepsPrevious: true });
  return useMemo(() => {
    const tools = new Set(entries.map(({ tool }) => tool));
    const whys = (result?.data.done ?? []).flatMap(({ tool, why }) =>
      tools.has(tool) && why !== undefined && meant([why]) !== undefined ? [why] : [],
    );
    return [...new Set(whys)].slice(0, MAX_REASONS);
  }, [result, entries]);
}

/** A line for each note that the session touched. */
function TouchedNotes({ entries, isOpen }: { entries: readonly Entry[]; isOpen: boolean }) {
  const standing = entries.filter(({ undone }) => !undone).slice(0, MAX_TOGETHER);
  const [count, setCount] = useState(FEW);
  const input = standing.length === 0 ? undefined : { together: standing.map(({ id }) => id) };
  const { result, problem } = useToolCall("history", input, { keepsPrevious: true });
  if (standing.length === 0) return <p class="none">All of it was undone.</p>;
  if (problem || result?.together === undefined) return problem ? null : <Loading of="what it changed" />;
  const files = result.together.filter(({ kind }) => !kind.startsWith("folder"));
  const gone = new Set(standing.flatMap((entry) => entry.gone ?? []));
  return (
    <>
      <ul class="touched">
        {files.slice(0, count).map((file) => (
          <TouchedNote key={file.path} file={file} isOpen={isOpen} gone={gone} vault={entries[0]!.vault} />
        ))}
      </ul>
      {files.length > count && (
        <button type="button" class="link" onClick={() => setCount(files.length)}>
          {files.length - count} more
        </button>
      )}
    </>
  );
}

const WORDS: Readonly<Record<FileTogether["kind"], string>> = {
  created: "New",
  changed: "Edited",
  moved: "Moved",
  deleted: "Deleted",
  restored: "Brought back",
  "folder created": "New folder",
  "folder removed": "Removed folder",
};

interface TouchedNoteProps {
  readonly file: FileTogether;
  /** Shows its difference, as the button of the card asks for. */
  readonly isOpen: boolean;
  /** Paths at which there is no note now. */
  readonly gone: ReadonlySet<string>;
  readonly vault: string | undefined;
}

function TouchedNote({ file, isOpen, gone, vault }: TouchedNoteProps) {
  const { kind, path, to, before, after } = file;
  const [own, setOwn] = useState<boolean>();
  const now = to ?? path;
  // The text before is empty for a file that it made, and unknown for one that it only moved.
  const old = kind === "created" ? "" : before;
  const hasDifference = old !== undefined && after !== undefined;
  const lines = useMemo(() => (hasDifference ? countLines(old, after) : undefined), [old, after]);
  const isShown = own ?? isOpen;
  const isThere = kind !== "deleted" && !gone.has(now) && /\.md$/i.test(now);
  return (
    <li>
      <p class="touched-line">
        <span class="touched-word">{WORDS[kind]}</span>
        {isThere ? <a href={noteAddress(now, { vault })}>{nameOf(now)}</a> : <span>{nameOf(now)}</span>}
        {to !== undefined && <span class="touched-from">from {path}</span>}
        {kind !== "deleted" && gone.has(now) && <span class="badge">no longer there</span>}
        {lines && (
          <button type="button" class="touched-count" aria-expanded={isShown} onClick={() => setOwn(!isShown)}>
            <span class="is-added">+{lines.added}</span> <span class="is-removed">−{lines.removed}</span>
            <span class="visually-hidden"> lines in {nameOf(now)}</span>
          </button>
        )}
        {kind === "changed" && !hasDifference && <span class="touched-from">changed again since</span>}
      </p>
      {isShown && hasDifference && <TextDifference before={old} after={after} label={`Difference of ${now}`} />}
    </li>
  );
}

/** The calls one by one, each with its own undo. */
function EveryChange({ entries }: { entries: readonly Entry[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="every-change" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{entries.length === 1 ? "1 change" : `${entries.length} changes`}, one by one</summary>
      {isOpen && (
        <ul class="history">
          {entries.map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} isLinked />
          ))}
        </ul>
      )}
    </details>
  );
}
