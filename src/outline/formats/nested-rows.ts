// Inserts, removes and moves rows that are nested XML elements, as in OPML and
// OmniOutliner 3, which both use this. A row includes the white space before it;
// moved to another level, it is indented accordingly.
import { childrenOf, insertion, replacement, type RowSlot, type Splice, type Tree } from "./parsed-outline.ts";
import { gap, gapStart, type Layout, lineIndent } from "./xml/layout.ts";
import { CLOSE, END, OPEN, TEXT, type XmlScanner } from "./xml/scanner.ts";

export interface Nested {
  readonly scanner: XmlScanner;
  readonly tree: Tree;
  readonly start: (row: number) => number;
  readonly end: (row: number) => number;
  /** The layout of the children of a row, or of the top-level rows. */
  readonly layoutBelow: (parent: number) => Layout;
  /** Inserts the first child of a row. */
  readonly open: (parent: number, xml: string) => Splice;
  /** Removes the only child of a row, which is at these offsets. */
  readonly close: (parent: number, start: number, end: number) => Splice;
}

/** As the first of the rows is formatted; without rows, `otherwise`. */
export function layoutOfRows(bytes: Buffer, first: number | undefined, otherwise: Layout): Layout {
  if (first === undefined) return otherwise;
  const { newline, indent } = lineIndent(bytes, first) ?? { newline: "", indent: "" };
  return { newline, indent, unit: newline === "" ? "" : otherwise.unit };
}

export function insertRows(nested: Nested, { parent, index }: RowSlot, xmls: readonly string[], moved = -1): Splice {
  const { tree, scanner } = nested;
  const siblings = childrenOf(tree, parent).filter((row) => row !== moved);
  const layout = nested.layoutBelow(parent);
  const xml = xmls.join(gap(layout, 0));
  const before = siblings[index - 1];
  if (before !== undefined) return insertion(nested.end(before), gap(layout, 0) + xml);
  const [first] = siblings;
  if (first !== undefined) return insertion(gapStart(scanner.bytes, nested.start(first)), gap(layout, 0) + xml);
  return nested.open(parent, xml);
}

export function removeRow(nested: Nested, row: number): Splice {
  const { tree, scanner } = nested;
  const [start, end] = [gapStart(scanner.bytes, nested.start(row)), nested.end(row)];
  const parent = tree.parents[row]!;
  return childrenOf(tree, parent).length > 1 ? replacement(start, end, "") : nested.close(parent, start, end);
}

export function moveRow(nested: Nested, row: number, slot: RowSlot): Splice[] {
  const { scanner } = nested;
  const from = lineIndent(scanner.bytes, nested.start(row))?.indent;
  const to = nested.layoutBelow(slot.parent);
  const xml =
    from === undefined || to.newline === ""
      ? scanner.bytes.toString("utf8", nested.start(row), nested.end(row))
      : indented(scanner, nested.start(row), nested.end(row), from, to.indent);
  return [removeRow(nested, row), insertRows(nested, slot, [xml], row)];
}

/** The XML of an element with other indentation between its tags; text is left alone. */
function indented(scanner: XmlScanner, start: number, end: number, from: string, to: string): string {
  const { bytes } = scanner;
  let xml = "";
  let done = start;
  let literal = -1;
  /** The start of the last token if it was white space, otherwise -1; and whether it followed a start tag. */
  let white = -1;
  let mayBeContent = false;
  const indent = (whiteEnd: number) => {
    const found = bytes.toString("utf8", white, whiteEnd);
    xml += bytes.toString("utf8", done, white) + found.replace(new RegExp(`\\n${from}(?=[ \\t]*$)`), `\n${to}`);
    done = whiteEnd;
  };
  scanner.restart(start, end);
  let isOpened = false;
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    if (white !== -1) {
      // An element that contains white space only has it as its content.
      if (!(mayBeContent && kind === CLOSE)) indent(scanner.start);
      white = -1;
    }
    if (kind === OPEN && literal === -1 && scanner.isNamed("lit") && !scanner.isEmpty) literal = scanner.depth;
    else if (kind === CLOSE && scanner.depth === literal) literal = -1;
    else if (kind === TEXT && literal === -1 && gapStart(bytes, scanner.end) <= scanner.start) {
      white = scanner.start;
      mayBeContent = isOpened;
    }
    isOpened = kind === OPEN && !scanner.isEmpty;
  }
  return xml + bytes.toString("utf8", done, end);
}
