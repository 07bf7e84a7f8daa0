// Detects how an XML file is formatted, so that added elements look like the
// existing ones. Used by the XML formats.

/** How a file formats its elements: each on its own line, or without white space. */
export interface Layout {
  /** "" without line breaks. */
  readonly newline: string;
  /** The indentation of the element that levels are counted from. */
  readonly indent: string;
  readonly unit: string;
}

/** The white space before an element that is `deeper` levels below that of the layout. */
export function gap({ newline, indent, unit }: Layout, deeper: number): string {
  return newline === "" ? "" : newline + indent + unit.repeat(deeper);
}

export function inner(layout: Layout, deeper: number): Layout {
  return { ...layout, indent: layout.indent + layout.unit.repeat(deeper) };
}

const WHITE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The start of the white space before an offset. */
export function gapStart(bytes: Buffer, offset: number): number {
  let start = offset;
  while (start > 0 && WHITE.has(bytes[start - 1]!)) start--;
  return start;
}

/** The start of the attribute whose value is at this offset, including the white space before its name. */
export function attributeStart(bytes: Buffer, value: number): number {
  const nameEnd = gapStart(bytes, bytes.lastIndexOf(0x3d, value));
  let name = nameEnd;
  while (!WHITE.has(bytes[name - 1]!)) name--;
  return gapStart(bytes, name);
}

/** The layout of an element, derived from its first child if it has one. */
export function layoutOf(bytes: Buffer, element: number, child: number | undefined): Layout {
  const outer = lineIndent(bytes, element);
  if (outer === undefined) return { newline: "", indent: "", unit: "" };
  const within = child === undefined ? undefined : lineIndent(bytes, child);
  // The children are on the same line as the parent.
  if (child !== undefined && within === undefined) return { newline: "", indent: "", unit: "" };
  const isDeeper = within !== undefined && within.indent.startsWith(outer.indent) && within.indent !== outer.indent;
  return { ...outer, unit: isDeeper ? within.indent.slice(outer.indent.length) : "  " };
}

/** The line break and indentation before an element; undefined if it does not begin a line. */
export function lineIndent(bytes: Buffer, element: number): Pick<Layout, "newline" | "indent"> | undefined {
  const gap = bytes.toString("latin1", gapStart(bytes, element), element);
  const [, newline, indent] = /(\r?\n)([ \t]*)$/.exec(gap) ?? [];
  return newline === undefined || indent === undefined ? undefined : { newline, indent };
}
