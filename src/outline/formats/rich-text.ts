// Rich text in OmniOutliner's files, `text > p* > run* > style?, lit`: reads the
// plain text, and rewrites the XML for a changed text. Styles, links and
// attachments outside the changed part stay as they are. Used by both versions of
// the format.
import { Problem } from "../../kernel/kernel.ts";
import { CDATA, CLOSE, END, OPEN, TEXT, type XmlScanner } from "./xml/scanner.ts";
import { gap, type Layout } from "./xml/layout.ts";
import { decodeText, decodeValue, encodeText, encodeValue } from "./xml/text.ts";

/** The text of the element between these offsets: that of its `lit`s, with line breaks between paragraphs. */
export function plainText(scanner: XmlScanner, start: number, end: number): string {
  const { bytes } = scanner;
  let text = "";
  let paragraphs = 0;
  /** The depth of the enclosing `lit`; -1 outside one. */
  let literal = -1;
  scanner.restart(start, end);
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    if (kind === OPEN) {
      if (literal === -1) {
        if (scanner.depth === 1 && scanner.isNamed("p") && paragraphs++ > 0) text += "\n";
        if (scanner.isNamed("lit") && !scanner.isEmpty) literal = scanner.depth;
      } else if (scanner.depth === literal + 1) text += atomText(scanner);
    } else if (kind === CLOSE) {
      if (scanner.depth === literal) literal = -1;
    } else if (scanner.depth === literal + 1 && literal !== -1) {
      if (kind === TEXT) text += decodeText(bytes.toString("utf8", scanner.start, scanner.end));
      if (kind === CDATA) text += bytes.toString("utf8", scanner.start + 9, scanner.end - 3).replace(/\r\n?/g, "\n");
    }
  }
  return text;
}

/** The text of a link is its name. Attachments, variables and unknown elements have none. */
function atomText(scanner: XmlScanner): string {
  if (!scanner.isNamed("cell") || scanner.find("href") === -1) return "";
  return decodeValue(scanner.value("name") ?? "");
}

/** A piece of XML that is kept or removed as a whole: a character, a link, an attachment. */
interface Unit {
  readonly xml: string;
  readonly text: string;
  /** Undefined for a paragraph break. */
  readonly run: Run | undefined;
  /** For a break, the paragraph that begins there; undefined for a new one. */
  readonly paragraph?: Paragraph | undefined;
}

/** The XML around the content of a run, and the white space before it. */
interface Run {
  readonly gap: string;
  readonly open: string;
  close: string;
}

interface Paragraph {
  readonly gap: string;
  readonly open: string;
  tail: string;
}

interface Parsed {
  readonly open: string;
  readonly first: Paragraph | undefined;
  readonly units: readonly Unit[];
  readonly tail: string;
  readonly close: string;
}

/** A new `text` element. */
export function newText(text: string, layout: Layout): string {
  const lines = text.split("\n").map((line) => {
    if (line === "") return `${gap(layout, 1)}<p/>`;
    const run = freshRun(layout);
    return `${gap(layout, 1)}<p>${run.gap}${run.open}${encodeText(line)}${run.close}${gap(layout, 1)}</p>`;
  });
  return `<text>${lines.join("")}${gap(layout, 0)}</text>`;
}

function freshRun(layout: Layout): Run {
  return {
    gap: gap(layout, 2),
    open: `<run>${gap(layout, 3)}<lit>`,
    close: `</lit>${gap(layout, 2)}</run>`,
  };
}

/** The XML of the `text` element between these offsets, changed to another text. */
export function changedText(scanner: XmlScanner, start: number, end: number, text: string, layout: Layout): string {
  const parsed = parse(scanner, start, end);
  const { units } = parsed;
  let [first, from] = [0, 0];
  while (first < units.length && text.startsWith(units[first]!.text, from)) from += units[first++]!.text.length;
  let [last, to] = [units.length, text.length];
  while (last > first) {
    const length = units[last - 1]!.text.length;
    if (to - length < from || !text.startsWith(units[last - 1]!.text, to - length)) break;
    to -= length;
    last--;
  }
  const between = units.slice(first, last);
  const inserted = text.slice(from, to);
  const host =
    between.find(({ run }) => run !== undefined)?.run ?? units[first - 1]?.run ?? units[last]?.run ?? freshRun(layout);
  const renamed = renamedLink(between, inserted);
  // A change of the text does not refer to elements without text, so they stay.
  const silent = between.filter(({ text, xml, run }) => text === "" && xml !== "" && run !== undefined);
  const placed = renamed ?? [...unitsOf(inserted, host), ...silent];
  return assemble(parsed, [...units.slice(0, first), ...placed, ...units.slice(last)], layout);
}

function unitsOf(text: string, run: Run): Unit[] {
  return text.split("\n").flatMap((line, index): Unit[] => {
    const units: Unit[] = line === "" ? [] : [{ xml: encodeText(line), text: line, run }];
    return index === 0 ? units : [{ xml: "", text: "\n", run: undefined }, ...units];
  });
}

/** A link whose name changes in part stays a link. */
function renamedLink(between: readonly Unit[], inserted: string): Unit[] | undefined {
  const [link] = between;
  if (between.length !== 1 || link === undefined || !link.xml.startsWith("<") || link.text === "") return undefined;
  const isPartly = inserted !== "" && (inserted[0] === link.text[0] || inserted.at(-1) === link.text.at(-1));
  if (!isPartly || inserted.includes("\n")) return undefined;
  const xml = link.xml.replace(
    /(\sname\s*=\s*)("[^"]*"|'[^']*')/,
    (_, name: string) => `${name}"${encodeValue(inserted, '"')}"`,
  );
  return [{ ...link, xml, text: inserted }];
}

function assemble(parsed: Parsed, units: readonly Unit[], layout: Layout): string {
  let xml = parsed.open.replace(/\s*\/>$/, ">");
  let paragraph: Paragraph | undefined = parsed.first ?? fresh(layout);
  let content = "";
  let open: Run | undefined;
  const endParagraph = () => {
    if (open !== undefined) content += open.close;
    open = undefined;
    const { gap: before, open: tag, tail } = paragraph!;
    if (content === "" && tail.trim() === "") xml += before + tag.replace(/\s*\/?>$/, "/>");
    else {
      const isNew = tag.endsWith("/>");
      xml += before + tag.replace(/\s*\/>$/, ">") + content + (isNew ? gap(layout, 1) : tail) + "</p>";
    }
    content = "";
  };
  for (const unit of units) {
    if (unit.run === undefined) {
      endParagraph();
      paragraph = unit.paragraph ?? fresh(layout);
      continue;
    }
    if (unit.run !== open) {
      if (open !== undefined) content += open.close;
      content += unit.run.gap + unit.run.open;
      open = unit.run;
    }
    content += unit.xml;
  }
  endParagraph();
  const tail = parsed.first === undefined ? gap(layout, 0) : parsed.tail;
  return xml + tail + (parsed.close === "" ? "</text>" : parsed.close);
}

function fresh(layout: Layout): Paragraph {
  return { gap: gap(layout, 1), open: "<p/>", tail: gap(layout, 1) };
}

function parse(scanner: XmlScanner, start: number, end: number): Parsed {
  const { bytes } = scanner;
  const slice = (from: number, to: number) => bytes.toString("utf8", from, to);
  const units: Unit[] = [];
  let textOpen = "";
  let close = "";
  let first: Paragraph | undefined;
  let paragraph: Paragraph | undefined;
  let run: Run | undefined;
  /** The end of what has been copied already. */
  let done = start;
  let runStart = 0;
  let literals = 0;
  let unitsBefore = 0;
  scanner.restart(start, end);
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    const { depth } = scanner;
    if (kind === OPEN && depth === 0) {
      textOpen = slice(scanner.start, scanner.end);
      done = scanner.end;
    } else if (kind === OPEN && depth === 1 && scanner.isNamed("p")) {
      paragraph = { gap: slice(done, scanner.start), open: slice(scanner.start, scanner.end), tail: "" };
      if (first === undefined) first = paragraph;
      else units.push({ xml: "", text: "\n", run: undefined, paragraph });
      done = scanner.end;
    } else if (kind === OPEN && depth === 2 && scanner.isNamed("run")) {
      runStart = scanner.start;
      literals = 0;
      if (scanner.isEmpty) throw unknownText();
    } else if (kind === OPEN && depth === 3 && scanner.isNamed("lit")) {
      const isEmpty = scanner.isEmpty;
      if (++literals > 1 || paragraph === undefined) throw unknownText();
      const tag = slice(runStart, scanner.end);
      run = { gap: slice(done, runStart), open: isEmpty ? tag.replace(/\s*\/>$/, ">") : tag, close: "" };
      unitsBefore = units.length;
      done = scanner.end;
      if (!isEmpty) done = contentUnits(scanner, run, units);
      // A run without text is kept too.
      if (units.length === unitsBefore) units.push({ xml: "", text: "", run });
      run.close = isEmpty ? "</lit>" : "";
    } else if (kind === CLOSE && depth === 2 && scanner.isNamed("run")) {
      if (run === undefined || literals !== 1) throw unknownText();
      run.close += slice(done, scanner.end);
      done = scanner.end;
    } else if (kind === CLOSE && depth === 1 && scanner.isNamed("p")) {
      paragraph!.tail = slice(done, scanner.start);
      done = scanner.end;
    } else if (kind === CLOSE && depth === 0) {
      close = slice(scanner.start, scanner.end);
      return { open: textOpen, first, units, tail: slice(done, scanner.start), close };
    }
  }
  return { open: textOpen, first, units, tail: "", close };
}

/** Reads to the end tag of the `lit`. @returns the offset of that tag */
function contentUnits(scanner: XmlScanner, run: Run, units: Unit[]): number {
  const { bytes } = scanner;
  let atom: { readonly start: number; readonly text: string } | undefined;
  for (let kind = scanner.next(); ; kind = scanner.next()) {
    const { start, end, depth } = scanner;
    if (kind === CLOSE && depth === 3) return start;
    if (kind === OPEN && depth === 4) {
      atom = { start, text: atomText(scanner) };
      if (!scanner.isEmpty) continue;
    }
    if (atom !== undefined) {
      if (depth !== 4) continue;
      units.push({ xml: bytes.toString("utf8", atom.start, end), text: atom.text, run });
      atom = undefined;
    } else if (kind === TEXT) {
      for (const xml of bytes.toString("utf8", start, end).match(/&[^;]*;|\r\n|[^&]/gsu) ?? [])
        units.push({ xml, text: decodeText(xml), run });
    } else if (kind === CDATA) {
      for (const text of bytes.toString("utf8", start + 9, end - 3).replace(/\r\n?/g, "\n"))
        units.push({ xml: encodeText(text), text, run });
    } else units.push({ xml: bytes.toString("utf8", start, end), text: "", run });
  }
}

function unknownText(): Problem {
  return new Problem(
    "invalid",
    "The text of this row has a form that this program does not know. The file was not changed.",
    "Change it in OmniOutliner.",
  );
}
