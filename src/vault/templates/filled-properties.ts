// Writes the values of variables into the frontmatter of a template, so that each
// property reads back as the value that was given: quoted where YAML would read
// something else. What cannot be written like that is refused. Pure; used by
// template-text.ts and properties.ts.
import { isDeepStrictEqual } from "node:util";
import { isRecord, Problem } from "../../kernel/kernel.ts";
import { frontmatterRange, isListProperty, readProperties, readYaml } from "../../markdown/markdown.ts";

/** Stands for a value of that number, in a frontmatter that is read to see what it should say. */
const MARK = /\uE000(\d+)\uE001/g;
const FLOW_LIST = /^\[[^[\]{}]*\]$/;

/** A variable of the frontmatter: what stands before and after it on its line. */
interface Line {
  readonly before: string;
  readonly after: string;
}

export class FilledProperties {
  readonly #template: string;
  readonly #end: number;
  readonly #values: string[] = [];
  #marked = "";
  #at = 0;

  constructor(template: string) {
    this.#template = template;
    this.#end = frontmatterRange(template)?.contentEnd ?? 0;
  }

  /** The value as it is written at this offset of the template; in the body, as it is. */
  written(value: string, start: number, end: number): string {
    if (start >= this.#end) return value;
    this.#marked += `${this.#template.slice(this.#at, start)}\uE000${this.#values.length}\uE001`;
    this.#at = end;
    this.#values.push(value);
    const lineStart = this.#template.lastIndexOf("\n", start - 1) + 1;
    const lineEnd = this.#template.indexOf("\n", end);
    return inYaml(value, {
      before: this.#template.slice(lineStart, start),
      after: this.#template.slice(end, lineEnd === -1 ? undefined : lineEnd),
    });
  }

  /** Throws if a property of the note does not say what was filled in. */
  check(note: string): void {
    const { properties, broken } = readProperties(note);
    if (broken !== undefined) throw brokenTemplate(broken);
    if (this.#values.length === 0) return;
    const meant = readProperties(this.#marked + this.#template.slice(this.#at));
    if (meant.broken !== undefined) return;
    const expected = this.#filled(meant.properties, "") as Readonly<Record<string, unknown>>;
    for (const name of new Set([...Object.keys(expected), ...Object.keys(properties)]))
      if (!isDeepStrictEqual(texts(properties[name]), texts(expected[name])))
        throw brokenTemplate(`The property "${name}" would not be what was sent.`);
  }

  #filled(value: unknown, name: string): unknown {
    if (typeof value === "string") {
      const text = value.replace(MARK, (_, number: string) => this.#values[Number(number)]!);
      const isWhole = /^\uE000\d+\uE001$/.test(value);
      return isWhole && isListProperty(name) && FLOW_LIST.test(text) ? listIn(text) : text;
    }
    if (Array.isArray(value)) return value.map((item) => this.#filled(item, name));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.#filled(key, "") as string, this.#filled(inner, key)]),
    );
  }
}

function listIn(text: string): unknown {
  const read = readYaml(text);
  return "fault" in read ? text : read.value;
}

/** Values as texts: `5` may be a number or a text, and what is empty is null. `[{{x}}]` makes a list of `a, b`. */
function texts(value: unknown): unknown {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) {
    const items = value.map(texts);
    return items.every((item) => typeof item === "string") ? items.join(", ").split(/(?<!\s)\s*,\s*/) : items;
  }
  if (!isRecord(value)) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, texts(inner)]));
}

/** A value as YAML, at its place in a line. */
function inYaml(value: string, { before, after }: Line): string {
  const quote = quoteAt(before);
  if (quote === '"') return JSON.stringify(value).slice(1, -1);
  if (quote === "'") return value.replaceAll("'", "''");
  const [, name] = /^\s*(?:-\s+)*(?:([^\s:#][^:]*?)\s*:\s+)?$/.exec(before) ?? [];
  const isWhole = /^\s*(?:-\s+)*(?:[^\s:#][^:]*:\s+)?$/.test(before) && /^\s*(?:\s#.*)?$/.test(after);
  if (!isWhole || before.trim() === "") return value;
  if (name !== undefined && isListProperty(name) && FLOW_LIST.test(value)) return value;
  return value === "" || isPlain(value) ? value : JSON.stringify(value);
}

/** Returns whether YAML reads the text as it is, without quotes. */
function isPlain(value: string): boolean {
  if (/[\r\n]/.test(value)) return false;
  const read = readYaml(`k: ${value}`);
  if ("fault" in read || !isRecord(read.value) || Object.keys(read.value).length !== 1) return false;
  const own = read.value["k"];
  return own !== null && typeof own !== "object" && String(own) === value;
}

/** The quote that is open at the end of the beginning of a line. */
function quoteAt(before: string): string | undefined {
  let quote: string | undefined;
  for (let at = 0; at < before.length; at++) {
    const character = before[at]!;
    if (quote === '"' && character === "\\") at++;
    else if (quote !== undefined) quote = character === quote ? undefined : quote;
    // Within a plain text a quote is a character like others: Ann's.
    else if ((character === '"' || character === "'") && /(?:^|[:\-[{,])\s*$/.test(before.slice(0, at)))
      quote = character;
  }
  return quote;
}

export function brokenTemplate(reason: string): Problem {
  return new Problem(
    "invalid",
    `${reason} It is that of the filled template: nothing was created.`,
    'Quote variables in the properties of the template: title: "{{title}}".',
  );
}
