// A canvas as a drawing: its cards as they would be in a note, its groups, and the
// lines between them.
import { useMemo } from "preact/hooks";
import { Loading, ProblemNote } from "../../components/components.ts";
import { fileKind, nameOf } from "../../format/format.ts";
import { renderMarkdown, type Resolved } from "../../markdown/markdown.ts";
import { Problem, useFileText } from "../../server/server.ts";
import { curveOf, readCanvas, type Canvas, type CanvasEdge, type CanvasNode } from "./canvas-model.ts";
import { Drawing } from "./drawing.tsx";
import { EmbeddedFile } from "./embedded-file.tsx";
import { useNoteLinks } from "./note-links.ts";
import { FileCard } from "./other-file.tsx";

/** More cards are not drawn: each is a part of the page. */
const MAX_CARDS = 1000;
/** Of more notes only the names are shown: each is a call of a tool. */
const MAX_NOTES = 30;

export function CanvasFile({ path }: { path: string }) {
  const { text, problem } = useFileText(path);
  const canvas = useMemo(() => (text === undefined ? undefined : readCanvas(text)), [text]);
  const { resolve } = useNoteLinks(path, text !== undefined);
  if (problem) return <ProblemNote problem={problem} />;
  if (text === undefined) return <Loading of="the canvas" />;
  if (canvas === undefined)
    return <ProblemNote problem={new Problem("This canvas is not valid JSON.", "Open it in Obsidian.")} />;
  return <CanvasDrawing canvas={canvas} resolve={resolve} />;
}

function CanvasDrawing({ canvas, resolve }: { canvas: Canvas; resolve: (target: string) => Resolved }) {
  const { nodes, edges, bounds } = canvas;
  if (nodes.length === 0) return <p class="none">This canvas is empty.</p>;
  const cards = nodes.slice(0, MAX_CARDS);
  const notes = cards.filter(({ type, content }) => type === "file" && fileKind(content).kind === "note");
  return (
    <>
      <Drawing label={`Canvas with ${nodes.length} cards`} bounds={bounds}>
        <Lines edges={edges} />
        {cards.map((node) => (
          <Card key={node.id} node={node} resolve={resolve} isNoteShown={notes.length <= MAX_NOTES} />
        ))}
      </Drawing>
      {nodes.length > MAX_CARDS && (
        <p class="none">
          The first {MAX_CARDS} of {nodes.length} cards are drawn.
        </p>
      )}
    </>
  );
}

interface CardProps {
  readonly node: CanvasNode;
  readonly resolve: (target: string) => Resolved;
  readonly isNoteShown: boolean;
}

function Card({ node, resolve, isNoteShown }: CardProps) {
  const { x, y, width, height, type, content } = node;
  const style = { transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${height}px` };
  return (
    <div class={`canvas-card${type === "group" ? " canvas-group" : ""}`} style={style} {...colouring(node.colour)}>
      {type === "group" ? (
        <span class="canvas-label">{content}</span>
      ) : (
        <div class="canvas-content prose">{contentOf(node, resolve, isNoteShown)}</div>
      )}
    </div>
  );
}

function contentOf({ type, content, subpath }: CanvasNode, resolve: CardProps["resolve"], isNoteShown: boolean) {
  if (type === "text") return renderMarkdown(content, { resolve }).nodes;
  if (type === "file") {
    const { kind } = fileKind(content);
    if (kind === "canvas" || (kind === "note" && !isNoteShown)) return <FileCard path={content} />;
    return <EmbeddedFile path={content} part={subpath.replace(/^#/, "")} />;
  }
  if (!/^https?:\/\//i.test(content)) return <span>{content}</span>;
  return (
    <a class="external" href={content} target="_blank" rel="noopener noreferrer">
      {content.replace(/^https?:\/\//i, "")}
    </a>
  );
}

/** A preset is a colour of the style sheet; any other one is set as it is. */
function colouring(colour: string | undefined) {
  if (colour === undefined) return {};
  if (!colour.startsWith("#")) return { "data-colour": colour };
  return { ref: (element: HTMLElement | SVGElement | null) => element?.style.setProperty("--colour", colour) };
}

/** Curves, and their labels, which screen readers read as "from → to". */
function Lines({ edges }: { edges: readonly CanvasEdge[] }) {
  return (
    <svg class="lines" width="1" height="1" role="list" aria-label="Lines">
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      {edges.map((edge) => {
        const { path, middle } = curveOf(edge);
        return (
          <g key={edge.id} role="listitem" {...colouring(edge.colour)}>
            <title>{`${titleOf(edge.from)} → ${titleOf(edge.to)}`}</title>
            <path
              d={path}
              {...(edge.startsWithArrow && { "marker-start": "url(#arrow)" })}
              {...(edge.endsWithArrow && { "marker-end": "url(#arrow)" })}
            />
            {edge.label !== "" && (
              <text x={middle.x} y={middle.y}>
                {edge.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function titleOf({ type, content }: CanvasNode): string {
  return type === "file" ? nameOf(content) : content.split("\n")[0]!.slice(0, 60);
}
