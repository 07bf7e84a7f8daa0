// The view of a note as Obsidian would show it, with its headings, links and
// history beside it.
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { findFrontmatter } from "../../../src/markdown/markdown.ts";
import { Crumbs, Loading, ProblemNote, ProblemView, useTitle, useVisited } from "../../components/components.ts";
import { fileKind, nameOf, type FileKind } from "../../format/format.ts";
import {
  highlightMatches,
  renderMarkdown,
  scrollToFirstMatch,
  type RenderContext,
  type Rendered,
} from "../../markdown/markdown.ts";
import { addressOf, HOME, noteAddress, useNavigation, type RouteTo } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";
import { Base } from "./base.tsx";
import { CanvasFile } from "./canvas.tsx";
import { Embed, nameInTarget } from "./embed.tsx";
import { withoutProperties } from "./embedded-file.tsx";
import { NoteEditor } from "./editor/note-editor.tsx";
import { UnsavedNotice } from "./editor/unsaved-notice.tsx";
import { MediaFile } from "./media-file.tsx";
import { NoteActions } from "./note-actions.tsx";
import { SourceText } from "./other-file.tsx";
import { NoteGraph } from "./graph.tsx";
import { HeadingList, LinkLists, Mentions, NoteHistory } from "./note-aside.tsx";
import { useNoteLinks, type NoteLinks } from "./note-links.ts";
import { Properties } from "./properties.tsx";
import { useTaskBoxes } from "./task-boxes.tsx";

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
  const links = useNoteLinks(path, result !== undefined);
  const content = result?.data.content ?? "";
  const start = findFrontmatter(content)?.end ?? 0;
  const { box, problem: taskProblem } = useTaskBoxes(path, content, content.slice(0, start).split("\n").length);
  const rendered = useMemo(
    () => renderNote(content, path, links, box),
    [content, path, links.paths, links.resolve, box],
  );
  const { navigate } = useNavigation();
  const { isEdited } = route;
  const edit = (isEdited: boolean) => navigate({ ...route, isEdited }, { replaces: !isEdited });
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

  if (problem)
    return (
      <ProblemView title={nameOf(path)} problem={problem} above={<Crumbs path={path} />}>
        <a href={addressOf({ ...HOME, query: nameOf(path) })}>Search for “{nameOf(path)}”</a>
      </ProblemView>
    );
  if (!result) return <Loading of="the note" />;
  const { properties = {}, propertiesError, contentHash } = result.data;
  const canEdit = contentHash !== undefined && client.has("contentManager_replaceContent");
  const text = (
    <>
      <Properties path={path} properties={properties} problem={propertiesError} resolve={links.resolve} />
      {canEdit && <UnsavedNotice path={path} onContinue={() => edit(true)} />}
      {taskProblem && <ProblemNote problem={taskProblem} />}
      <div class="prose">{rendered.nodes}</div>
    </>
  );
  return (
    <div class="note">
      <article ref={article}>
        <Crumbs path={path} />
        {rendered.title ?? <h1>{nameOf(path)}</h1>}
        <NoteActions path={path} onEdit={canEdit && !isEdited ? () => edit(true) : undefined} />
        {isEdited && canEdit ? (
          <NoteEditor path={path} content={content} hash={contentHash} onClose={() => edit(false)} />
        ) : (
          text
        )}
        {fileKind(path).kind === "note" && <NoteGraph path={path} />}
      </article>
      <aside aria-label="About this note">
        <HeadingList headings={rendered.headings} />
        <LinkLists path={path} links={links} />
        {fileKind(path).kind === "note" && <Mentions path={path} />}
        <NoteHistory path={path} />
      </aside>
    </div>
  );
}

interface RenderedNote extends Rendered {
  /** The heading of level 1 that the note starts with; the properties go below it. */
  readonly title: ComponentChildren;
}

function renderNote(
  content: string,
  path: string,
  { resolve, paths }: NoteLinks,
  box: NonNullable<RenderContext["box"]>,
): RenderedNote {
  if (fileKind(path).kind !== "note")
    return { nodes: [<SourceText path={path} text={content} />], headings: [], title: undefined };
  const rendered = renderMarkdown(withoutProperties(content), {
    resolve,
    box,
    embed: (target) => (
      <Embed target={target} path={paths.get(nameInTarget(target))} resolve={resolve} shownIn={path} />
    ),
  });
  const [first, ...rest] = rendered.nodes;
  const hasTitle = (first as VNode | null | undefined)?.type === "h1";
  return hasTitle ? { ...rendered, title: first, nodes: rest } : { ...rendered, title: undefined };
}
