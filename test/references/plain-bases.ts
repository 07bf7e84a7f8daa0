// A second implementation of bases, as plain as possible: an expression is run as
// JavaScript in a context of its own, whose strings, numbers and lists have the
// functions of Bases, and notes are read with regular expressions and another YAML
// parser. It knows what the bases of the tests use, and no more.
import { runInContext, createContext } from "node:vm";
import { parse } from "yaml";

export interface PlainRow {
  readonly path: string;
  readonly values: readonly unknown[];
}

interface PlainFile {
  readonly path: string;
  readonly properties: Record<string, unknown>;
  readonly tags: readonly string[];
  readonly links: readonly string[];
  readonly embeds: readonly string[];
}

interface View {
  readonly name: string;
  readonly filters?: unknown;
  readonly order?: readonly string[];
  readonly sort?: readonly { readonly property?: string; readonly column?: string; readonly direction: string }[];
  readonly limit?: number;
}

interface Base {
  readonly filters?: unknown;
  readonly formulas?: Record<string, string>;
  readonly views: readonly View[];
}

/** Runs in the context, where `DATA` holds the files and the time. */
const PRELUDE = `
  const nothing = new Proxy(function () {}, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return (hint) => (hint === "string" ? "" : NaN);
      if (name === "isEmpty") return () => true;
      if (/^(contains|containsAny)$/.test(String(name))) return () => false;
      if (name === "toString") return () => "";
      return nothing;
    },
    apply: () => nothing,
  });
  const isThere = (value) => value !== nothing && Boolean(value) && !(Array.isArray(value) && value.length === 0);
  const nameOf = (path) => path.replace(/^.*\\//, "");
  const known = new Map();
  const resolve = (target) => {
    if (!known.has(target)) known.set(target, find(target.toLowerCase()));
    return known.get(target);
  };
  const find = (wanted) => {
    const fits = (path) => path === wanted || path.endsWith("/" + wanted);
    const found = DATA.files.map((file) => file.path).filter((path) => fits(path.toLowerCase()) || fits(path.toLowerCase().replace(/\\.md$/, "")));
    return found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
  };
  class Link {
    constructor(target) { this.target = target; this.path = resolve(target); }
    toString() { return "[[" + this.target + "]]"; }
    asFile() { return this.path === undefined ? nothing : new File(DATA.files.find((file) => file.path === this.path)); }
    contains(part) { return String(this).includes(part); }
    containsAny(...parts) { return parts.some((part) => String(this).includes(part)); }
    isEmpty() { return false; }
  }
  class Day {
    constructor(text, ms) { this.text = text; this.ms = ms; }
    toString() { return this.text; }
    valueOf() { return this.ms; }
    isEmpty() { return false; }
  }
  const valueOf = (value) => {
    if (value === null || value === undefined) return nothing;
    if (Array.isArray(value)) return value.map(valueOf);
    if (typeof value !== "string") return value;
    const link = /^\\[\\[([^\\]|#]+)[^\\]]*\\]\\]$/.exec(value);
    if (link) return new Link(link[1].trim());
    return /^\\d{4}-\\d\\d-\\d\\d$/.test(value) ? new Day(value, new Date(value + "T00:00:00").getTime()) : value;
  };
  class File {
    constructor(facts) { this.facts = facts; this.path = facts.path; }
    get file() { return this; }
    get name() { return nameOf(this.path).replace(/\\.md$/, ""); }
    get ext() { return /\\.([^.]+)$/.exec(nameOf(this.path))?.[1] ?? ""; }
    get mtime() { return this.facts.mtime; }
    get tags() { return this.facts.tags; }
    get links() { return this.facts.links.map((target) => new Link(target)); }
    get embeds() { return Object.assign(this.facts.embeds.map((target) => new Link(target)), { 0: this.facts.embeds[0] === undefined ? nothing : new Link(this.facts.embeds[0]) }); }
    get backlinks() { return DATA.files.filter((other) => new File(other).links.some((link) => link.path === this.path)); }
    get properties() { return new Proxy({}, { get: (_, name) => valueOf(this.facts.properties[name]) }); }
    hasLink(other) { return this.links.some((link) => link.path === other.path); }
  }
  const same = (one, other) => {
    if (one?.path !== undefined || other?.path !== undefined) return one?.path === other?.path;
    return String(one).toLowerCase() === String(other).toLowerCase();
  };
  Object.defineProperties(String.prototype, {
    contains: { value: function (part) { return this.includes(part); } },
    containsAny: { value: function (...parts) { return parts.some((part) => this.includes(part)); } },
    isEmpty: { value: function () { return this.length === 0; } },
  });
  Object.defineProperties(Number.prototype, {
    isEmpty: { value: () => false },
    floor: { value: function () { return Math.floor(this); } },
    round: { value: function () { return Math.round(this); } },
  });
  const filter = Array.prototype.filter;
  Object.defineProperties(Array.prototype, {
    contains: { value: function (item) { return this.some((one) => same(one, item)); } },
    containsAny: { value: function (...items) { return items.flat().some((item) => this.contains(item)); } },
    isEmpty: { value: function () { return this.length === 0; } },
    unique: { value: function () { return filter.call(this, (item, i) => this.findIndex((other) => same(other, item)) === i); } },
  });
  const since = (date) => {
    const days = (DATA.now - Number(date)) / 86400000;
    return Number.isNaN(days) ? nothing : { years: days / 365.2425, months: days / (365.2425 / 12) };
  };
  const evaluate = (source, path, shownIn) => {
    const facts = (wanted) => DATA.files.find((file) => file.path === wanted);
    const own = new File(facts(path));
    const context = new File(facts(shownIn));
    const known = {
      file: own,
      THIS: new Proxy(context, { get: (_, name) => name === "file" || name === "path" ? context[name] : typeof context[name] === "function" ? context[name].bind(context) : valueOf(context.facts.properties[name]) }),
      note: own.properties,
      formula: new Proxy({}, { get: (_, name) => { const value = evaluate(DATA.formulas[name], path, shownIn); return typeof value === "number" && Number.isNaN(value) ? nothing : value; } }),
      link: (target) => new Link(target),
      list: (value) => (value === nothing ? [] : Array.isArray(value) ? value : [value]),
      IF: (condition, yes, no = nothing) => (isThere(condition) ? yes : no),
      SINCE: since,
      DAYS_AGO: (days) => DATA.now - days * 86400000,
      not: (value) => !isThere(value),
      empty: (value) => !isThere(value),
      console: undefined,
    };
    const scope = new Proxy(known, {
      has: (_, name) => typeof name === "string" && name !== "source" && name !== "scope",
      get: (_, name) => (typeof name === "symbol" ? undefined : name in known ? known[name] : valueOf(own.facts.properties[name])),
    });
    return new Function("scope", "with (scope) { return (" + translated(source) + "); }")(scope);
  };
  const translated = (source) =>
    source
      .replace(/\\bif\\(/g, "IF(")
      .replace(/\\bthis\\b/g, "THIS")
      .replace(/\\.filter\\((.*)\\)(\\.unique)/g, ".filter((value) => $1)$2")
      .replace(/\\(now\\(\\) - (\\w+)\\)/g, "SINCE($1)")
      .replace(/now\\(\\) - "(\\d+)d"/g, "DAYS_AGO($1)");
  const passes = (filter, path, shownIn) => {
    if (filter === undefined || filter === null) return true;
    if (typeof filter === "string") return isThere(evaluate(filter, path, shownIn));
    return Object.entries(filter).every(([key, parts]) => {
      const results = parts.map((part) => passes(part, path, shownIn));
      return key === "and" ? results.every(Boolean) : key === "or" ? results.some(Boolean) : !results.some(Boolean);
    });
  };
  const shown = (value) => {
    if (value === nothing || value === undefined || value === "NaN" || (typeof value === "number" && Number.isNaN(value))) return null;
    return Array.isArray(value) ? value.map(shown) : typeof value === "object" ? String(value) : value;
  };
`;

export function readPlainFile(path: string, text: string): PlainFile {
  if (!path.endsWith(".md")) return { path, properties: {}, tags: [], links: [], embeds: [] };
  const [, yaml = ""] = /^---\n(?:([^]*?)\n)?---(?:\n|$)/.exec(text) ?? [];
  const properties = readYaml(yaml);
  const tags = [properties["tags"]].flat().filter((tag) => typeof tag === "string");
  const inline = [...text.slice(yaml.length).matchAll(/(?<=\s)#([\w/-]*[a-z][\w/-]*)/g)].map(([, tag]) => tag!);
  const targets = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target]) => target!.trim());
  return {
    path,
    properties,
    tags: [...new Set([...tags, ...inline])],
    links: targets(/\[\[([^\]|#]+)/g),
    embeds: targets(/!\[\[([^\]|#]+)/g),
  };
}

function readYaml(source: string): Record<string, unknown> {
  try {
    return (parse(source, { schema: "core", logLevel: "error" }) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

export class PlainBase {
  readonly views: readonly View[];
  readonly #base: Base;
  readonly #files: readonly PlainFile[];
  readonly #context: ReturnType<typeof createContext>;

  constructor(text: string, files: readonly PlainFile[], now: number) {
    this.#base = parse(text, { schema: "core", logLevel: "error" }) as Base;
    this.#files = files;
    this.views = this.#base.views;
    // As JSON, because lists of this context have no functions of Bases.
    const data = JSON.stringify({ files, now, formulas: this.#base.formulas ?? {} });
    this.#context = createContext({ data });
    runInContext(`const DATA = JSON.parse(data);\n${PRELUDE}`, this.#context);
  }

  /** The rows of a view in no order, without its limit. */
  rows(view: View, shownIn: string): PlainRow[] {
    const ask = runInContext("(filter, path, shownIn) => passes(filter, path, shownIn)", this.#context);
    const cell = runInContext("(source, path, shownIn) => shown(evaluate(source, path, shownIn))", this.#context);
    const order = (view.order ?? []).length === 0 ? ["file.name"] : view.order!;
    return this.#files
      .filter(({ path }) => ask(this.#base.filters, path, shownIn) && ask(view.filters, path, shownIn))
      .map(({ path }) => ({
        path,
        values: order.filter((name) => name !== "file.path").map((name) => cell(name, path, shownIn) as unknown),
      }));
  }
}
