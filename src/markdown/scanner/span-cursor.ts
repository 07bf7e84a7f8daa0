// Answers whether positions are in one of many spans, in linear time for all of
// them. Used to find what is outside code, comments and links.
import type { Span } from "./scanner.ts";

/** Spans in order. Must be asked about increasing positions. */
export class SpanCursor {
  readonly #spans: readonly Span[];
  #next = 0;

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  contain(position: number): boolean {
    while (this.#next < this.#spans.length && this.#spans[this.#next]!.end <= position) this.#next++;
    const span = this.#spans[this.#next];
    return span !== undefined && span.start <= position;
  }
}
