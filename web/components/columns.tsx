// The layout of a view with a column beside it on a wide screen, and below or
// above it on a narrow one.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface ColumnsProps {
  /** The subject of the column, for screen readers. */
  readonly label: string;
  /** Undefined if there is none. */
  readonly aside: ComponentChildren;
  /** True if the column comes first where it is not beside the view: before a list that has no end. */
  readonly isFirst?: boolean;
  readonly children: ComponentChildren;
}

export function Columns({ label, aside, isFirst = false, children }: ColumnsProps) {
  return (
    <div class="columns" data-aside={isFirst ? "first" : "last"}>
      <div class="columns-main">{children}</div>
      {aside !== undefined && (
        <aside class="columns-aside" aria-label={label}>
          {aside}
        </aside>
      )}
    </div>
  );
}

/** The widths at which a column is beside the view, and the navigation on the left: the style sheet has the same. */
const WIDE = "(min-width: 75rem)";
const WITH_LEFT_COLUMN = "(min-width: 60.01rem)";

export function useIsWide(): boolean {
  return useMatch(WIDE);
}

export function useHasLeftColumn(): boolean {
  return useMatch(WITH_LEFT_COLUMN);
}

function useMatch(width: string): boolean {
  const [isWide, setWide] = useState(() => matchMedia(width).matches);
  useEffect(() => {
    const query = matchMedia(width);
    const onChange = () => setWide(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  return isWide;
}
