// The view of a note as Obsidian would show it, with its headings, links and
// history beside it.
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { findFrontmatter } from "../../../src/markdown/markdown.ts";
import { Crumbs, Loading, ProblemNote, ProblemView, useTitle, useVisited } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import {
  isImagePath,
  MarkdownImage,
  highlightMatches,
  renderMarkdown,
  scrollToFirstMatch,
  type Rendered,
} from "../../markdown/markdown.ts";
import { addressOf, HOME, noteAddress, type RouteTo } from "../../navigation/navigation.ts";
import { useToolCall, type InputOf } from "../../server/server.ts";
import { HeadingList, LinkLists, NoteHistory } from "./note-aside.tsx";
import { useNoteLinks, type NoteLinks } from "./note-links.ts";
import { Properties } from "./properties.tsx";

const READ = "contentManager_readContent";

export function NoteView({ route }: { route: RouteTo<"note"> }) {
  return isImagePath(route.path) ? <ImageView path={route.path} /> : <TextView route={route} />;
}

function withoutProperties(content: string): string {
  return content.slice(findFrontmatter(content)?.end ?? 0);
}

/** A canvas or base is shown as its source. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return `${fence}json\n${text}\n${fence}`;
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** A note inside another note. Embeds in it become links. */
function Embed({ target, paths }: { target: string; paths: ReadonlyMap<string, string> }) {
  const [name = "", ...subpath] = target.split("#");
  const path = paths.get(name.trim());
  const part = subpath.at(-1) ?? "";
  const { result, problem } = useToolCall(
    READ,
    path === undefined ? undefined : { filePath: path, ...partInput(part) },
  );
  const content = result?.data.content ?? "";
  const { resolve } = useNoteLinks(path ?? "", result !== undefined);
  const rendered = useMemo(
    () => renderMarkdown(withoutProperties(content), { resolve }),
    [content, resolve],
  );
  if (path === undefined) return <span class="broken">{target}</span>;
  return (
    <div class="embed">
      <a class="embed-title" href={noteAddress(path)}>
        {nameOf(path)}
        {part !== "" && ` › ${part.replace(/^\^/, "")}`}
      </a>
      {problem ? <ProblemNote problem={problem} /> : rendered.nodes}
    </div>
  );
}

function partInput(part: string): InputOf<typeof READ> {
  if (part === "") return {};
  return part.startsWith("^") ? { block: part } : { heading: part };
}

function ImageView({ path }: { path: string }) {
  return (
    <div class="note">
      <article>
        <Crumbs path={path} />
        <h1>{nameOf(path)}</h1>
        <MarkdownImage file={{ address: noteAddress(path) }} description={nameOf(path)} />
      </article>
    </div>
  );
}

function TextView({ route }: { route: RouteTo<"note"> }) {
  const { path, heading, query } = route;
  const { result, problem } = useToolCall(READ, { filePath: path, includeProperties: true });
  const links = useNoteLinks(path, result !== undefined);
  const content = result?.data.content ?? "";
  const rendered = useMemo(() => renderNote(content, path, links), [content, path, links.paths, links.resolve]);
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
  const { properties = {}, propertiesError } = result.data;
  return (
    <div class="note">
      <article ref={article}>
        <Crumbs path={path} />
        {rendered.title ?? <h1>{nameOf(path)}</h1>}
        <Properties properties={properties} problem={propertiesError} />
        <div class="prose">{rendered.nodes}</div>
      </article>
      <aside aria-label="About this note">
        <HeadingList headings={rendered.headings} />
        <LinkLists links={links} />
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
): RenderedNote {
  const body = withoutProperties(content);
  const rendered = renderMarkdown(isMarkdown(path) ? body : fenced(body), {
    resolve,
    embed: (target) => <Embed target={target} paths={paths} />,
  });
  const [first, ...rest] = rendered.nodes;
  const hasTitle = (first as VNode | null | undefined)?.type === "h1";
  return hasTitle ? { ...rendered, title: first, nodes: rest } : { ...rendered, title: undefined };
}
