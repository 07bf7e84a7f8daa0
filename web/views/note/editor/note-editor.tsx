// The editor of a note. Saving compares with what was read: if somebody else wrote
// the note in between, changes of different lines are merged, and the person
// decides about the others.
import { useEffect, useRef, useState } from "preact/hooks";
import { nameIn } from "../../../../src/kernel/kernel.ts";
import { Loading, ProblemNote } from "../../../components/components.ts";
import { nameOf } from "../../../format/format.ts";
import { asProblem, useServer, type Problem } from "../../../server/server.ts";
import type { Editor } from "./code-mirror.ts";
import { ConflictView } from "./conflict-view.tsx";
import { keepDraft, keptDraft } from "./draft.ts";
import { linkNames } from "./link-names.ts";
import { mergedText, mergeTexts, type Part } from "./three-way-merge.ts";

const WRITE = "contentManager_replaceContent";
const READ = "contentManager_readContent";

interface NoteEditorProps {
  readonly path: string;
  readonly content: string;
  readonly hash: string;
  /** Called when the person has saved, or does not want to edit any more. */
  readonly onClose: () => void;
}

/** A version of the note that the text in the editor is based on. */
interface Version {
  readonly text: string;
  readonly hash: string;
}

interface Conflict {
  readonly parts: readonly Part[];
  readonly theirs: Version;
}

/** Editors know one kind of line break; the server keeps those that the note has. */
const asLines = (text: string) => text.replace(/\r\n?/g, "\n");

export function NoteEditor({ path, content, hash, onClose }: NoteEditorProps) {
  const { client, refresh } = useServer();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const draft = useRef(keptDraft(path)).current;
  const base = useRef<Version>(draft ? { text: draft.base, hash: draft.hash } : { text: asLines(content), hash });
  const text = useRef(draft?.text ?? base.current.text);
  const [isLoaded, setLoaded] = useState(false);
  const [isChanged, setChanged] = useState(draft !== undefined);
  const [isSaving, setSaving] = useState(false);
  const [note, setNote] = useState(draft ? "Changes that were not saved are back." : "");
  const [problem, setProblem] = useState<Problem>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isDiscarding, setDiscarding] = useState(false);

  const change = (now: string) => {
    text.current = now;
    setChanged(now !== base.current.text);
    keepDraft(path, { base: base.current.text, hash: base.current.hash, text: now });
  };

  const write = async (now: string, expected: Version) => {
    await client.call(WRITE, {
      filePath: path,
      oldContent: "",
      newContent: now,
      whole: true,
      expectedHash: expected.hash,
    });
    keepDraft(path, undefined);
    refresh();
    onClose();
  };

  const save = async (now = text.current, expected = base.current) => {
    setSaving(true);
    setProblem(undefined);
    try {
      await write(now, expected);
    } catch (error) {
      const theirs = await current().catch(() => undefined);
      if (theirs === undefined || theirs.hash === expected.hash) setProblem(asProblem(error));
      else await merge(now, expected, theirs);
    } finally {
      setSaving(false);
    }
  };

  const current = async (): Promise<Version> => {
    const { data } = await client.call(READ, { filePath: path });
    return { text: asLines(data.content), hash: data.contentHash ?? "" };
  };

  /** Somebody else wrote the note: merged if both changed different lines. */
  const merge = async (mine: string, before: Version, theirs: Version) => {
    const parts = mergeTexts(before.text, mine, theirs.text);
    const merged = mergedText(parts);
    if (merged === undefined) return setConflict({ parts, theirs });
    base.current = theirs;
    change(merged);
    editor.current?.setText(merged);
    setNote("Somebody else changed this note: both changes are in it now. Look at it, and save again.");
    return undefined;
  };

  /** What embeds the images in the note. */
  const addImages = async (images: readonly File[]): Promise<string> => {
    setProblem(undefined);
    const embeds: string[] = [];
    try {
      for (const image of images) embeds.push(`![[${nameIn(await client.addImage(path, image))}]]`);
    } catch (error) {
      setProblem(asProblem(error));
    }
    return embeds.join("\n");
  };

  const saveNow = useRef(save);
  saveNow.current = save;

  useEffect(() => {
    let isGone = false;
    void import("./code-mirror.ts").then(({ openEditor }) => {
      if (isGone || host.current === null) return;
      editor.current = openEditor(host.current, {
        text: text.current,
        label: `Text of ${nameOf(path)}`,
        onChange: change,
        onSave: () => void saveNow.current(),
        linkNames: (typed) => linkNames(client, typed),
        onFiles: addImages,
      });
      setLoaded(true);
      editor.current.focus();
    });
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);

  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isChanged]);

  const discard = () => {
    keepDraft(path, undefined);
    onClose();
  };

  if (conflict !== undefined)
    return (
      <ConflictView
        parts={conflict.parts}
        onSave={(merged) => {
          text.current = merged;
          base.current = conflict.theirs;
          setConflict(undefined);
          void save(merged, conflict.theirs);
        }}
        onTakeTheirs={discard}
      />
    );
  return (
    <section class="editor" aria-label="Editor">
      {!isLoaded && <Loading of="the editor" />}
      <div class="editor-text" ref={host} />
      {problem && <ProblemNote problem={problem} />}
      {note !== "" && (
        <p class="editor-note" role="status">
          {note}
        </p>
      )}
      <div class="editor-buttons">
        <button type="button" class="button primary" disabled={!isChanged || isSaving} onClick={() => void save()}>
          {isSaving ? "Saving …" : "Save"}
        </button>
        {isDiscarding ? (
          <>
            <span>Discard what you wrote?</span>
            <button type="button" class="button" onClick={discard}>
              Discard
            </button>
            <button type="button" class="button" onClick={() => setDiscarding(false)}>
              Keep writing
            </button>
          </>
        ) : (
          <button type="button" class="button" onClick={() => (isChanged ? setDiscarding(true) : discard())}>
            {isChanged ? "Discard" : "Close"}
          </button>
        )}
      </div>
    </section>
  );
}
