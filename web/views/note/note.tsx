// A note as Obsidian would show it, and beside it what the index and the journal
// know of it.
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { findFrontmatter } from "../../../src/markdown/markdown.ts";
import { addressOf, HOME, noteAddress, type Place } from "../../navigation/navigation.ts";
import { Crumbs, Loading, RefusalNote, Refused } from "../../components/components.ts";
import {
  matchMarks,
  scrollToFirst,
  renderMarkdown,
  type Rendered,
  isPicture,
  Picture,
} from "../../markdown/markdown.ts";
import { useAnswer } from "../../server/server.ts";
import { nameOf } from "../../format/format.ts";
import { HeadingList, NoteHistory, NoteLinks, useLinks } from "./note-aside.tsx";
import { Properties } from "./properties.tsx";

interface Note {
  readonly data: {
    readonly filePath: string;
    readonly content: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly propertiesError?: string;
  };
}

const READ = "contentManager_readContent";

type NotePlace = Extract<Place, { view: "note" }>;

export function NoteView({ place }: { place: NotePlace }) {
  return isPicture(place.path) ? <PictureView path={place.path} /> : <TextView place={place} />;
}

function PictureView({ path }: { path: string }) {
  return (
    <div class="note">
      <article>
        <Crumbs path={path} />
        <h1>{nameOf(path)}</h1>
        <Picture local={noteAddress(path)} description={nameOf(path)} />
      </article>
    </div>
  );
}

function TextView({ place }: { place: NotePlace }) {
  const { path, heading, query } = place;
  const { result, refusal } = useAnswer<Note>(READ, { filePath: path });
  const links = useLinks(path, result !== undefined);
  const content = result?.data.content ?? "";
  const rendered = useMemo(() => renderNote(content, path, links.outgoing), [content, path, links.outgoing]);
  const article = useRef<HTMLElement>(null);
  const isReady = result !== undefined && links.isReady;

  useEffect(() => {
    document.title = `${nameOf(path)} · Commonplace`;
    return () => void (document.title = "Commonplace");
  }, [path]);
  useEffect(
    () => (article.current && isReady ? matchMarks(article.current, query) : undefined),
    [query, rendered, isReady],
  );
  useEffect(() => {
    if (!isReady) return;
    if (heading !== "") document.getElementById(heading)?.scrollIntoView();
    else if (query !== "") scrollToFirst();
  }, [isReady, heading]);

  if (refusal)
    return (
      <Refused title={nameOf(path)} refusal={refusal} above={<Crumbs path={path} />}>
        <a href={addressOf({ ...HOME, query: nameOf(path) })}>Search for “{nameOf(path)}”</a>
      </Refused>
    );
  if (!result) return <Loading of="the note" />;
  const { properties, propertiesError } = result.data;
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
        <NoteLinks links={links} />
        <NoteHistory path={path} />
      </aside>
    </div>
  );
}

interface RenderedNote extends Rendered {
  /** The heading of level 1 that the note begins with; its properties follow that. */
  readonly title: ComponentChildren;
}

function renderNote(content: string, path: string, outgoing: ReadonlyMap<string, string>): RenderedNote {
  const body = content.slice(findFrontmatter(content)?.end ?? 0);
  const rendered = renderMarkdown(isMarkdown(path) ? body : fenced(body), {
    resolve: (target) => {
      const to = outgoing.get(target);
      return to === undefined ? undefined : noteAddress(to);
    },
    embed: (target) => <Embed target={target} outgoing={outgoing} />,
  });
  const [first, ...rest] = rendered.nodes;
  const isTitled = (first as VNode | null | undefined)?.type === "h1";
  return isTitled ? { ...rendered, title: first, nodes: rest } : { ...rendered, title: undefined };
}

/** Other text (a canvas, a base) is shown as it is. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return `${fence}json\n${text}\n${fence}`;
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** A note within a note. What it embeds in turn is only linked to. */
function Embed({ target, outgoing }: { target: string; outgoing: ReadonlyMap<string, string> }) {
  const [path = "", ...subpath] = target.split("#");
  const to = outgoing.get(path.trim());
  const part = subpath.at(-1) ?? "";
  const sent = to === undefined ? undefined : { filePath: to, ...partOf(part) };
  const { result, refusal } = useAnswer<Note>(READ, sent);
  const content = result?.data.content ?? "";
  const { outgoing: inner } = useLinks(to ?? "", result !== undefined);
  const rendered = useMemo(
    () =>
      renderMarkdown(content.slice(findFrontmatter(content)?.end ?? 0), {
        resolve: (name) => {
          const found = inner.get(name);
          return found === undefined ? undefined : noteAddress(found);
        },
      }),
    [content, inner],
  );
  if (to === undefined) return <span class="broken">{target}</span>;
  return (
    <div class="embed">
      <a class="embed-title" href={noteAddress(to)}>
        {nameOf(to)}
        {part !== "" && ` › ${part.replace(/^\^/, "")}`}
      </a>
      {refusal ? <RefusalNote refusal={refusal} /> : rendered.nodes}
    </div>
  );
}

function partOf(subpath: string): object {
  if (subpath === "") return {};
  return subpath.startsWith("^") ? { block: subpath } : { heading: subpath };
}
