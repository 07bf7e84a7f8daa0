// The editor of a note, in the place where it is read and in the same type: it saves
// by itself, and says so.
import { useEffect, useRef, useState } from "preact/hooks";
import { nameIn } from "../../../../src/kernel/kernel.ts";
import { findFrontmatter } from "../../../../src/markdown/markdown.ts";
import { Loading, ProblemNote } from "../../../components/components.ts";
import { nameOf } from "../../../format/format.ts";
import { asProblem, useServer, type Problem } from "../../../server/server.ts";
import type { Editor } from "./code-mirror.ts";
import { ConflictView } from "./conflict-view.tsx";
import { linkNames, tagNames } from "./names.ts";
import { useSaving } from "./use-saving.ts";

interface NoteEditorProps {
  readonly path: string;
  /** As it was read last. */
  readonly content: string;
  readonly hash: string;
  /** The first place of the caret, in the text below the properties. */
  readonly caret?: number;
  /** Called when the person is done writing, and all is saved. */
  readonly onClose: () => void;
}

const STATES = { unchanged: "", unsaved: "Not saved yet", saving: "Saving …", saved: "Saved" } as const;

/** The properties are edited where they are read: the editor has the text below them. */
const headOf = (text: string) => text.slice(0, findFrontmatter(text)?.end ?? 0);

export function NoteEditor({ path, content, hash, caret = 0, onClose }: NoteEditorProps) {
  const { client, refresh } = useServer();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const head = useRef("");
  const [isLoaded, setLoaded] = useState(false);
  const [imageProblem, setImageProblem] = useState<Problem>();
  const onText = (text: string) => {
    head.current = headOf(text);
    editor.current?.setText(text.slice(head.current.length));
  };
  const { begin, state, problem, news, clash, change, save, settle, undo } = useSaving(
    path,
    { text: content, hash },
    onText,
  );

  /** What embeds the images in the note. */
  const addImages = async (images: readonly File[]): Promise<string> => {
    setImageProblem(undefined);
    const embeds: string[] = [];
    try {
      for (const image of images) embeds.push(`![[${nameIn(await client.addImage(path, image))}]]`);
    } catch (error) {
      setImageProblem(asProblem(error));
    }
    return embeds.join("\n");
  };

  const done = async () => {
    await save();
    refresh();
    onClose();
  };
  const latest = useRef({ change, save, done });
  latest.current = { change, save, done };
  const tags = useRef<Promise<readonly string[]>>(undefined);
  const isAsking = clash !== undefined;
  /** The text of the editor, for when it is opened again after a clash. */
  const written = useRef(begin);

  useEffect(() => {
    if (isAsking) return undefined;
    let isGone = false;
    head.current = headOf(written.current);
    void import("./code-mirror.ts").then(({ openEditor }) => {
      if (isGone || host.current === null) return;
      editor.current = openEditor(host.current, {
        text: written.current.slice(head.current.length),
        label: `Text of ${nameOf(path)}`,
        caret,
        onChange: (text) => {
          written.current = head.current + text;
          latest.current.change(written.current);
        },
        onSave: () => void latest.current.save(),
        onDone: () => void latest.current.done(),
        names: {
          notes: (typed) => linkNames(client, typed),
          tags: () => (tags.current ??= tagNames(client)),
        },
        onFiles: addImages,
      });
      setLoaded(true);
      editor.current.focus();
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, [isAsking]);

  if (clash !== undefined) {
    const choose = (text: string) => {
      written.current = text;
      void settle(text, clash.theirs);
    };
    return <ConflictView parts={clash.parts} onSave={choose} onTakeTheirs={() => choose(clash.theirs.text)} />;
  }
  return (
    <section class="editor" aria-label="Editor">
      <div class="editor-bar">
        <span class="editor-state" role="status">
          {STATES[state]}
          {news !== "" && <span class="editor-news">{news}</span>}
        </span>
        {undo && (
          <button type="button" class="link" onClick={() => void undo()}>
            Undo
          </button>
        )}
        <button type="button" class="button small" onClick={() => void done()}>
          Done
        </button>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {imageProblem && <ProblemNote problem={imageProblem} />}
      {!isLoaded && <Loading of="the editor" />}
      <div class="editor-text" ref={host} />
    </section>
  );
}
