// Saves a note while it is written: a second after the last key, and on leaving. All
// saves of a visit are one entry of the history. What somebody else writes then
// is merged in the background; only where both changed the same lines is the person
// asked. Used by the editor.
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, useServer, type Problem } from "../../../server/server.ts";
import { keepDraft, keptDraft } from "./draft.ts";
import { mergedText, mergeTexts, type Part } from "./three-way-merge.ts";

/** After the last key, in milliseconds. */
const PAUSE = 1_000;

/** A version of the note that the text in the editor is based on. */
export interface Version {
  readonly text: string;
  readonly hash: string;
}

interface Clash {
  readonly parts: readonly Part[];
  readonly theirs: Version;
}

interface Saving {
  /** With what was kept of an earlier visit, if that was not saved. */
  readonly begin: string;
  readonly state: "unchanged" | "unsaved" | "saving" | "saved";
  readonly problem: Problem | undefined;
  /** The change that somebody else made since. */
  readonly news: string;
  readonly clash: Clash | undefined;
  readonly change: (text: string) => void;
  readonly save: () => Promise<void>;
  /** Saves what the person chose at a clash. */
  readonly settle: (text: string, theirs: Version) => Promise<void>;
  /** Takes back all that this visit saved; undefined if there is nothing. */
  readonly undo: (() => Promise<void>) | undefined;
}

/** Editors know one kind of line break; the server keeps those that the note has. */
export const asLines = (text: string) => text.replace(/\r\n?/g, "\n");

/** @param onText called with a text that is not the person's own: merged, or taken back */
export function useSaving(path: string, read: Version, onText: (text: string) => void): Saving {
  const { client } = useServer();
  const draft = useRef(keptDraft(path)).current;
  const base = useRef<Version>(
    draft ? { text: draft.base, hash: draft.hash } : { text: asLines(read.text), hash: read.hash },
  );
  const text = useRef(draft?.text ?? base.current.text);
  const begin = useRef(text.current).current;
  const visit = useRef("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<void>>(undefined);
  const asking = useRef<Clash>(undefined);
  const [state, setState] = useState<Saving["state"]>(draft ? "unsaved" : "unchanged");
  const [problem, setProblem] = useState<Problem>();
  const [news, setNews] = useState(draft ? "What was not saved is back." : "");
  const [clash, setClash] = useState<Clash>();
  const ask = (about: Clash | undefined) => {
    asking.current = about;
    setClash(about);
  };

  const current = async (): Promise<Version> => {
    const { data } = await client.call("contentManager_readContent", { filePath: path });
    return { text: asLines(data.content), hash: data.contentHash ?? "" };
  };

  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), PAUSE);
  };

  const change = (now: string) => {
    text.current = now;
    keepDraft(path, { base: base.current.text, hash: base.current.hash, text: now });
    if (now === base.current.text) return;
    setState("unsaved");
    later();
  };

  /** Both changes in one text; asks where they meet. */
  const merge = (theirs: Version) => {
    const parts = mergeTexts(base.current.text, text.current, theirs.text);
    const merged = mergedText(parts);
    if (merged === undefined) return ask({ parts, theirs });
    const isNews = merged !== text.current;
    base.current = theirs;
    text.current = merged;
    keepDraft(path, { base: theirs.text, hash: theirs.hash, text: merged });
    if (!isNews) return undefined;
    onText(merged);
    setNews("Somebody else wrote in this note just now: it is in the text.");
    if (merged === theirs.text) setState("saved");
    else later();
    return undefined;
  };

  const write = async (): Promise<void> => {
    const sent = text.current;
    const expected = base.current;
    if (sent === expected.text || asking.current !== undefined) return;
    setState("saving");
    setProblem(undefined);
    try {
      const { data } = await client.call("contentManager_replaceContent", {
        filePath: path,
        oldContent: "",
        newContent: sent,
        whole: true,
        expectedHash: expected.hash,
        visit: visit.current,
      });
      base.current = { text: sent, hash: data.contentHash };
      visit.current = data.entry ?? visit.current;
      keepDraft(path, { base: sent, hash: data.contentHash, text: text.current });
      if (text.current === sent) setState("saved");
      else later();
    } catch (error) {
      const theirs = await current().catch(() => undefined);
      if (theirs === undefined || theirs.hash === expected.hash) {
        setState("unsaved");
        setProblem(asProblem(error));
      } else merge(theirs);
    }
  };

  /** One after the other: each save expects what the one before has left. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = (running.current ?? Promise.resolve()).then(work);
    running.current = next;
    return next;
  };
  const save = () => {
    clearTimeout(timer.current);
    return inTurn(write);
  };

  // A text that is read again after a change on the server may be older than what was saved since: it is only a reason
  // to look.
  useEffect(() => {
    if (read.hash === base.current.hash) return;
    void inTurn(async () => {
      const theirs = await current().catch(() => undefined);
      if (theirs !== undefined && theirs.hash !== base.current.hash) merge(theirs);
    });
  }, [read.hash]);

  useEffect(() => {
    if (draft !== undefined) later();
  }, []);

  const saveNow = useRef(save);
  saveNow.current = save;
  useEffect(() => {
    const onHidden = () => document.visibilityState === "hidden" && void saveNow.current();
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      void saveNow.current();
    };
  }, []);
  useEffect(() => {
    if (state === "unchanged" || state === "saved") return undefined;
    const onLeave = (event: BeforeUnloadEvent) => {
      void saveNow.current();
      event.preventDefault();
    };
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [state]);

  const settle = async (chosen: string, theirs: Version) => {
    ask(undefined);
    base.current = theirs;
    change(chosen);
    await save();
  };
  const undo = async () => {
    await save();
    await inTurn(async () => {
      try {
        await client.call("undo", { id: visit.current });
        base.current = await current();
        text.current = base.current.text;
        visit.current = "";
        keepDraft(path, undefined);
        onText(text.current);
        setState("unchanged");
      } catch (error) {
        setProblem(asProblem(error));
      }
    });
  };
  const canUndo = state === "saved" && visit.current !== "" && client.has("undo");
  return { begin, state, problem, news, clash, change, save, settle, undo: canUndo ? undo : undefined };
}
