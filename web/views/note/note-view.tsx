// The view of a note as Obsidian would show it, with its headings, links and
// history beside it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  Crumbs,
  isPlainKey,
  Loading,
  ProblemNote,
  ProblemView,
  useTitle,
  useVisited,
} from "../../components/components.ts";
import { fileKind, nameOf, type FileKind } from "../../format/format.ts";
import { highlightMatches, scrollToFirstMatch } from "../../markdown/markdown.ts";
import { WrittenBy } from "../../history/history.tsx";
import { addressOf, SEARCH, noteAddress, useNavigation, type RouteTo } from "../../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, type Problem } from "../../server/server.ts";
import { Base } from "./base.tsx";
import { clickedPlace } from "./clicked-place.ts";
import { CanvasFile } from "./canvas.tsx";
import { withoutProperties } from "./embedded-file.tsx";
import { NoteEditor } from "./editor/note-editor.tsx";
import { asLines } from "./editor/use-saving.ts";
import { UnsavedNotice } from "./editor/unsaved-notice.tsx";
import { MediaFile } from "./media-file.tsx";
import { NoteActions } from "./note-actions.tsx";
import { NoteGraph } from "./graph.tsx";
import { HeadingList, LinkLists, Mentions, NoteHistory } from "./note-aside.tsx";
import { useNoteLinks } from "./note-links.ts";
import { Properties } from "./properties.tsx";
import { useRenderedNote } from "./use-rendered-note.tsx";

const READ = "contentManager_readContent";

export function NoteView({ route }: { route: RouteTo<"note"> }) {
  const { kind } = fileKind(route.path);
  return kind === "note" || kind === "text" ? (
    <TextView route={route} />
  ) : (
    <OtherFileView path={route.path} kind={kind} />
  );
}

/** A canvas, a base, an image, audio, video, a PDF, or the card of any other file. */
function OtherFileView({ path, kind }: { path: string; kind: FileKind }) {
  const links = useNoteLinks(path, true);
  useTitle(nameOf(path));
  return (
    <div class="note">
      <article class={kind === "canvas" || kind === "base" || kind === "pdf" ? "wide-file" : ""}>
        <Crumbs path={path} />
        <h1>{nameOf(path)}</h1>
        {kind === "canvas" ? (
          <CanvasFile path={path} />
        ) : kind === "base" ? (
          <Base path={path} />
        ) : (
          <MediaFile path={path} />
        )}
      </article>
      <aside aria-label="About this file">
        <LinkLists path={path} links={links} />
        <NoteHistory path={path} />
      </aside>
    </div>
  );
}

function TextView({ route }: { route: RouteTo<"note"> }) {
  const { path, heading, query } = route;
  const { client } = useServer();
  const { result, problem } = useToolCall(READ, { filePath: path, raw: true, includeProperties: true });
  const { rendered, links, taskProblem } = useRenderedNote(path, result?.data.content);
  const { navigate } = useNavigation();
  const { isEdited } = route;
  const caret = useRef(0);
  const edit = (isEdited: boolean, at = 0) => {
    caret.current = at;
    navigate({ ...route, isEdited }, { replaces: true });
  };
  const article = useRef<HTMLElement>(null);
  const isReady = result !== undefined && links.isReady;

  useTitle(nameOf(path));
  useVisited("note", noteAddress(path), result === undefined ? undefined : nameOf(path));
  useEffect(
    () => (article.current && isReady ? highlightMatches(article.current, query) : undefined),
    [query, rendered, isReady],
  );
  useEffect(() => {
    if (!isReady) return;
    if (heading !== "") document.getElementById(heading)?.scrollIntoView();
    else if (query !== "") scrollToFirstMatch();
  }, [isReady, heading]);

  const canEdit = result?.data.contentHash !== undefined && client.has("contentManager_replaceContent");
  // Before anything is painted: a key that is pressed as soon as the note is seen must work.
  useLayoutEffect(() => {
    if (!canEdit || isEdited) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "e" || !isPlainKey(event)) return;
      event.preventDefault();
      edit(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  if (problem)
    return (
      <ProblemView title={nameOf(path)} problem={problem} above={<Crumbs path={path} />}>
        {problem.code === "not_found" && <MakeNote path={path} onMade={() => edit(true)} />}
        <a href={addressOf({ ...SEARCH, query: nameOf(path) })}>Search for “{nameOf(path)}”</a>
      </ProblemView>
    );
  if (!result) return <Loading of="the note" />;
  const { content, properties = {}, propertiesError, contentHash = "" } = result.data;
  const isWritten = isEdited && canEdit;
  const onClick = (event: MouseEvent) => {
    const at = canEdit && !isWritten ? clickedPlace(event, asLines(withoutProperties(content))) : undefined;
    if (at !== undefined) edit(true, at);
  };
  return (
    <div class="note">
      <article ref={article}>
        <Crumbs path={path} />
        {/* While it is written, a title of the text is in the editor. */}
        {rendered.title === undefined || isWritten ? (
          <h1 class={rendered.title === undefined ? undefined : "visually-hidden"}>{nameOf(path)}</h1>
        ) : (
          <div class="note-title" onClick={onClick}>
            {rendered.title}
          </div>
        )}
        <NoteActions path={path} onEdit={canEdit && !isWritten ? () => edit(true) : undefined} />
        <Properties
          path={path}
          properties={properties}
          problem={propertiesError}
          resolve={links.resolve}
          canEdit={canEdit}
        />
        {isWritten ? (
          <NoteEditor
            path={path}
            content={content}
            hash={contentHash}
            caret={caret.current}
            onClose={() => edit(false)}
          />
        ) : (
          <>
            {canEdit && <UnsavedNotice path={path} onContinue={() => edit(true)} />}
            {taskProblem && <ProblemNote problem={taskProblem} />}
            <div class="prose" onClick={onClick}>
              {rendered.nodes}
            </div>
          </>
        )}
        {fileKind(path).kind === "note" && <NoteGraph path={path} />}
      </article>
      <aside aria-label="About this note">
        <HeadingList headings={rendered.headings} />
        <LinkLists path={path} links={links} />
        {fileKind(path).kind === "note" && <Mentions path={path} />}
        <WrittenBy file={path} onLines={(lines) => markLines(article.current, content, lines)} />
        <NoteHistory path={path} />
      </aside>
    </div>
  );
}

/** Marks the blocks of the text that begin in these lines, such as 3-5, 9, counted from 1 with the properties. */
function markLines(article: HTMLElement | null, content: string, lines: string | undefined): void {
  const ranges = (lines ?? "").split(",").map((range) => range.trim().split("-").map(Number));
  const head = content.slice(0, content.length - withoutProperties(content).length).split("\n").length;
  for (const block of article?.querySelectorAll<HTMLElement>("[data-line]") ?? []) {
    const line = Number(block.dataset["line"]) + head;
    block.classList.toggle(
      "is-meant",
      ranges.some(([from = 0, to = from]) => line >= from && line <= to),
    );
  }
}

/** The place of a note that a link names and that does not exist yet. */
function MakeNote({ path, onMade }: { path: string; onMade: () => void }) {
  const { client, refresh } = useServer();
  const [problem, setProblem] = useState<Problem>();
  if (!client.has("contentManager_createContent") || fileKind(path).kind !== "note") return null;
  const make = async () => {
    try {
      await client.call("contentManager_createContent", { filePath: path, content: "" });
      refresh();
      onMade();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      <button type="button" class="button primary" onClick={() => void make()}>
        Make this note
      </button>{" "}
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}
