// Finds secrets in the columns of tables: Markdown, output of databases, CSV with a
// heading, aligned columns, HTML, and INSERT statements. Used by redaction.ts.
import { kindOfName, type SecretKind, type SecretWord } from "../criteria/names.ts";
import { isSecretValue } from "./name-value-pairs.ts";
import { lineAt, type Span } from "../spans.ts";
import { isMixed, isRandom } from "../criteria/values.ts";

const RULE = /^[\s|+:=─━═┼╪├┤╞╡┌┐└┘┬┴│-]*[-─━═]{2}[\s|+:=─━═┼╪├┤╞╡┌┐└┘┬┴│-]*$/;

export function tabledSecrets(plain: string, words: readonly SecretWord[]): Span[] {
  const spans: Span[] = [];
  let read = 0;
  for (const { start, word } of words) {
    // The word must be at the end of its cell.
    if (
      start < read ||
      !/^["'*`]{0,8}[ \t]{0,80}(?:[|│,;\t\r\n]|$| [A-Z])/.test(
        plain.slice(start + word.length, start + word.length + 90),
      )
    )
      continue;
    read = Math.max(readTable(plain, startOfHeading(plain, start), spans), readAligned(plain, start, word, spans));
  }
  return spans;
}

/** The start of the line, or of the string that contains it. */
function startOfHeading(plain: string, word: number): number {
  const line = plain.lastIndexOf("\n", word) + 1;
  const from = Math.max(line, word - 1_000);
  return from + (/^.*[:=([{][ \t]{0,4}["'`]/.exec(plain.slice(from, word))?.[0].length ?? 0);
}

interface Column {
  readonly at: number;
  readonly kind: SecretKind;
}

/** @returns the end of the table that begins at this line, or of the line if it begins none */
function readTable(plain: string, start: number, spans: Span[]): number {
  const { line, end: headingEnd } = lineAt(plain, start);
  let end = headingEnd;
  if (line.length > 2_000) return end;
  const delimiter = ["|", "│", "\t", ",", ";"].find((one) => line.includes(one));
  if (delimiter === undefined) return end;
  const headings = line.split(delimiter);
  const columns = headings.flatMap((cell, at): Column[] => {
    const kind = kindOfName(cell.replace(/^[\s"'*`]+|(?<![\s"'*`])[\s"'*`]+$/g, ""));
    return kind === undefined ? [] : [{ at, kind }];
  });
  if (columns.length === 0 || (!isBar(delimiter) && !/^[\w "'.-]+(?:[,;\t][\w "'.-]+)+\r?$/.test(line))) return end;
  let rules = 0;
  while (end < plain.length) {
    const next = lineAt(plain, end + 1);
    const isRule = RULE.test(next.line);
    if (isRule) rules++;
    const cells = next.line.split(delimiter);
    if (!isRule && (cells.length !== headings.length || next.line.length > 4_000)) break;
    if (!isRule && (!isBar(delimiter) || rules > 0)) readRow(cells, columns, end + 1, isBar(delimiter), spans);
    end = next.end;
  }
  return end;
}

function isBar(delimiter: string): boolean {
  return delimiter === "|" || delimiter === "│";
}

const MAX_ROWS = 200;

/** A table with columns aligned by spaces, as `kubectl` prints it: the value is below its heading. */
function readAligned(plain: string, start: number, word: string, spans: Span[]): number {
  const kind = kindOfName(word);
  const before = plain.slice(Math.max(0, start - 400), start);
  const column = before.length - (before.lastIndexOf("\n") + 1);
  const lead = before.slice(before.length - column);
  if (kind === undefined || !/^[A-Z][A-Z _-]*$/.test(lead + word) || (column > 0 && !lead.endsWith("  "))) return start;
  let end = lineAt(plain, start).end;
  for (let row = 0; row < MAX_ROWS && end < plain.length; row++) {
    const next = lineAt(plain, end + 1);
    const value = /^[^\s"'`]{8,400}/.exec(next.line.slice(column, column + 400))?.[0];
    if (value === undefined || (column > 0 && !/\s{2}$/.test(next.line.slice(0, column)))) break;
    if (isCellSecret(value, kind, true))
      spans.push({ start: end + 1 + column, end: end + 1 + column + value.length, name: kind });
    end = next.end;
  }
  return end;
}

/** A row of headings such as `<th>Password</th>`, and the cells of the rows below. */
const HEADINGS = /<tr[^>]{0,80}>((?:\s{0,20}<th[^>]{0,80}>[^<]{0,80}<\/th>){1,20})\s{0,20}<\/tr>/gi;
const HTML_ROW =
  /\s{0,20}(?:<\/?t(?:head|body)[^>]{0,80}>\s{0,20}){0,2}<tr[^>]{0,80}>((?:\s{0,20}<td[^>]{0,80}>[^<]{0,400}<\/td>){1,20})\s{0,20}<\/tr>/iy;

export function markupTables(plain: string): Span[] {
  if (!plain.includes("</th>") && !plain.includes("</TH>")) return [];
  const spans: Span[] = [];
  for (const { index, 0: whole, 1: headings } of plain.matchAll(HEADINGS)) {
    const kinds = [...headings!.matchAll(/>([^<]*)<\/th>/gi)].map(([, heading]) => kindOfName(heading!));
    if (kinds.every((kind) => kind === undefined)) continue;
    HTML_ROW.lastIndex = index + whole.length;
    for (let row = HTML_ROW.exec(plain); row !== null; row = HTML_ROW.exec(plain)) {
      const from = row.index + row[0].indexOf(row[1]!);
      for (const [i, cell] of [...row[1]!.matchAll(/>([^<\s]*)<\/td>/gi)].entries()) {
        const kind = kinds[i];
        const start = from + cell.index + 1;
        if (kind !== undefined && isCellSecret(cell[1]!, kind, true))
          spans.push({ start, end: start + cell[1]!.length, name: kind });
      }
    }
  }
  return spans;
}

function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  start: number,
  isDrawn: boolean,
  spans: Span[],
): void {
  let at = start;
  for (const [i, cell] of cells.entries()) {
    const column = columns.find((one) => one.at === i);
    const lead = /^[\s"'*`]*/.exec(cell)![0].length;
    const value = cell.slice(lead).replace(/(?<![\s"'*`])[\s"'*`]+$/, "");
    if (column !== undefined && isCellSecret(value, column.kind, isDrawn))
      spans.push({ start: at + lead, end: at + lead + value.length, name: column.kind });
    at += cell.length + 1;
  }
}

/** Drawn tables are often documentation about passwords, so they need stronger evidence than CSV. */
function isCellSecret(value: string, kind: SecretKind, isDrawn: boolean): boolean {
  if (!isSecretValue(value, kind)) return false;
  return !isDrawn || (value.length >= 6 && (kind === "password" ? isMixed(value) : isRandom(value)));
}

/** `INSERT INTO users (name, password) VALUES ('anna', '…')` */
const INSERT = /insert\s{1,4}into\s[^(\n]{1,80}\(([^()]{1,400})\)\s{1,8}values\s{0,8}\(([^()]{1,1000})\)/gi;

export function insertedSecrets(plain: string): Span[] {
  return [...plain.matchAll(INSERT)].flatMap(({ index, 0: whole, 1: names, 2: values }) => {
    const kinds = names!.split(",").map((name) => kindOfName(name.replace(/["'`\s]/g, "")));
    const start = index + whole.length - 1 - values!.length;
    return [...values!.matchAll(/'((?:[^']|'')*)'|[^,']+/g)]
      .filter(([text]) => text.trim() !== "")
      .flatMap((value, i): Span[] => {
        const text = value[1];
        const kind = kinds[i];
        if (text === undefined || kind === undefined || !isSecretValue(text, kind)) return [];
        const at = start + value.index + 1;
        return [{ start: at, end: at + text.length, name: kind }];
      });
  });
}
