// A drawing that can be panned and zoomed, with buttons for it. Used by canvases
// and the graph of a note.
import type { ComponentChildren } from "preact";
import { usePanZoom, zoomIn, zoomOut, type Box } from "./pan-zoom.ts";

interface DrawingProps {
  /** For screen readers. */
  readonly label: string;
  readonly bounds: Box;
  readonly children: ComponentChildren;
}

export function Drawing({ label, bounds, children }: DrawingProps) {
  const moves = usePanZoom(bounds);
  return (
    <div class="drawing">
      <div
        class="drawing-viewport"
        ref={moves.viewport}
        tabIndex={0}
        role="group"
        aria-label={`${label}. Arrow keys move it, + and - zoom.`}
      >
        <div class="drawing-layer" ref={moves.layer}>
          {children}
        </div>
      </div>
      <div class="drawing-buttons" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoomIn(moves)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomOut(moves)}>
          −
        </button>
        <button type="button" onClick={moves.fit}>
          Fit
        </button>
      </div>
    </div>
  );
}
