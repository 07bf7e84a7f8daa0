// The graph of what surrounds a note: two steps along its links. Opened by the
// person, since few notes need it; every note in it is a link.
import { useMemo, useState } from "preact/hooks";
import { Loading, ProblemNote } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import { Drawing } from "./drawing.tsx";
import { layOut } from "./graph-layout.ts";

const MAX_NAME_LENGTH = 26;

export function NoteGraph({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="graph" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Graph</summary>
      {isOpen && <Graph path={path} />}
    </details>
  );
}

function Graph({ path }: { path: string }) {
  const { result, problem } = useToolCall("vaultLibrarian_links", { path, type: "around" }, { keepsPrevious: true });
  const graph = useMemo(() => {
    const links = result?.data.links.flatMap(({ from, to }) => (from && to ? [{ from, to }] : [])) ?? [];
    return layOut(result?.data.path ?? path, links);
  }, [result]);
  if (problem) return <ProblemNote problem={problem} />;
  if (result === undefined) return <Loading of="the graph" />;
  if (graph.links.length === 0) return <p class="none">Nothing links here, and this note links to nothing.</p>;
  const { bounds, notes, links } = graph;
  return (
    <Drawing label={`Graph of ${notes.length} notes and ${links.length} links`} bounds={bounds}>
      <svg class="graph-lines" width="1" height="1" aria-label="Notes and their links">
        {links.map(({ from, to }) => (
          <line key={`${from.path}\n${to.path}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        ))}
        {notes.map(({ path: to, x, y, steps, degree }) => (
          <a key={to} href={noteAddress(to)} data-steps={steps} aria-label={nameOf(to)}>
            <title>{to}</title>
            <circle cx={x} cy={y} r={steps === 0 ? 10 : 4 + Math.min(6, Math.sqrt(degree))} />
            <text x={x} y={y + 20}>
              {shortened(nameOf(to))}
            </text>
          </a>
        ))}
      </svg>
    </Drawing>
  );
}

function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 1)}…`;
}
