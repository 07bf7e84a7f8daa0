// The text of a note as nodes of the page, with its links, embedded files and check
// boxes. Used by the note view, and by Today for the note of a day.
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { findFrontmatter } from "../../../src/markdown/markdown.ts";
import { fileKind } from "../../format/format.ts";
import { renderMarkdown, type RenderContext, type Rendered } from "../../markdown/markdown.ts";
import type { Problem } from "../../server/server.ts";
import { Embed, nameInTarget } from "./embed.tsx";
import { withoutProperties } from "./embedded-file.tsx";
import { useNoteLinks, type NoteLinks } from "./note-links.ts";
import { SourceText } from "./other-file.tsx";
import { useTaskBoxes } from "./task-boxes.tsx";

interface RenderedNote extends Rendered {
  /** The heading of level 1 that the note starts with; the properties go below it. */
  readonly title: ComponentChildren;
}

interface UsedNote {
  readonly rendered: RenderedNote;
  readonly links: NoteLinks;
  /** Why a box could not be ticked. */
  readonly taskProblem: Problem | undefined;
}

/** @param content undefined until it is loaded */
export function useRenderedNote(path: string, content: string | undefined): UsedNote {
  const links = useNoteLinks(path, content !== undefined);
  const text = content ?? "";
  const start = findFrontmatter(text)?.end ?? 0;
  const { box, problem } = useTaskBoxes(path, text, text.slice(0, start).split("\n").length);
  const rendered = useMemo(() => renderNote(text, path, links, box), [text, path, links.paths, links.resolve, box]);
  return { rendered, links, taskProblem: problem };
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
    marksLines: true,
    embed: (target) => (
      <Embed target={target} path={paths.get(nameInTarget(target))} resolve={resolve} shownIn={path} />
    ),
  });
  const [first, ...rest] = rendered.nodes;
  const hasTitle = (first as VNode | null | undefined)?.type === "h1";
  return hasTitle ? { ...rendered, title: first, nodes: rest } : { ...rendered, title: undefined };
}
