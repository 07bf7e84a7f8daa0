// Finds where a value without quotes ends. Secrets may contain brackets, commas and
// ampersands, so those end one only if something else begins there. Used by
// assignments.ts.

export interface ValueContext {
  /** The value is between the tags of an element. */
  readonly isElement: boolean;
  /** The value is between the bars of a table. */
  readonly isCell: boolean;
  /** Nothing else is expected before the next space: a line of its own, or an environment variable. */
  readonly isWhole: boolean;
  readonly isLineStart: boolean;
}

// oxlint-disable-next-line no-control-regex -- colours begin with one
const STOP = /[\s"'`\u001B]|\\{1,8}(?:[nrt"'`]|u001[bB]|x1[bB]|033|u0022|u0027)|&quot;|&#3[49];|%22|$/g;
const MAX_EXAMINED_LENGTH = 512;

/** A comma, semicolon or ampersand followed by the next name, which may have a space in it: `User Id=`. */
const NEXT_NAME = /(?:[,;&]|%26|\\u0026|&amp;)(?=[\w.-]{1,40}(?: [\w.-]{1,20})?(?:=|%3D))/;
const MAX_NEXT_NAME_LENGTH = 70;
const DELIMITER = /[,;&)}\]|](?=$|[.,;:)}\]>|]|[\w"'.-]{1,40}\s?[:=])/;

/** Remembers where runs end: a run may contain many names, and is searched once. */
export class BareValues {
  readonly #text: string;
  #from = 0;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  endFrom(start: number, { isElement, isCell, isWhole, isLineStart }: ValueContext): number {
    const runEnd = this.#runEnd(start);
    const run = this.#text.slice(start, Math.min(runEnd, start + MAX_EXAMINED_LENGTH));
    const rest = runEnd - start - run.length;
    const cut = (end: number | undefined) => (end === undefined ? runEnd : start + end);
    if (isElement) return cut(indexOf(run, /</));
    if (isCell) return cut(indexOf(run, /\|/));
    const next = indexOf(this.#text.slice(start, start + run.length + MAX_NEXT_NAME_LENGTH), NEXT_NAME);
    if (next !== undefined && next < run.length) return start + next;
    if (isWhole) return isLineStart || rest > 0 ? runEnd : start + run.replace(/(?<![,;)}\]|])[,;)}\]|]+$/, "").length;
    return cut(indexOf(run, DELIMITER));
  }

  #runEnd(start: number): number {
    if (start < this.#from || start > this.#end) {
      STOP.lastIndex = start;
      this.#from = start;
      this.#end = STOP.exec(this.#text)!.index;
    }
    return this.#end;
  }
}

function indexOf(text: string, expression: RegExp): number | undefined {
  return expression.exec(text)?.index;
}
