// Makes YAML of the values of properties, reusing existing nodes, so that quoting
// and comments in a changed list are kept. Used by edits.ts.
import { isDeepStrictEqual } from "node:util";
import { CORE_SCHEMA, load } from "js-yaml";
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Pair,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
  type Node,
  type ToStringOptions,
} from "yaml";
import { isRecord } from "../../kernel/kernel.ts";

export type SourcePair = Pair<unknown, unknown>;
export type Style = ToStringOptions;

/** The value as YAML nodes, reusing the old ones with the same value. */
export function nodeFor(old: unknown, value: unknown): Node {
  const node = composed(old, value);
  // A comment after the value on its line is not part of the node.
  node.comment = null;
  return node;
}

function composed(old: unknown, value: unknown): Node {
  if (!isNode(old) || refersElsewhere(old)) return fresh(value);
  if (isSeq(old) && Array.isArray(value)) {
    const unused = [...old.items];
    const seq = new YAMLSeq();
    seq.items = value.map((item: unknown) => {
      const found = unused.findIndex((candidate) => isNode(candidate) && isDeepStrictEqual(plain(candidate), item));
      return found === -1 ? fresh(item) : unused.splice(found, 1)[0];
    });
    return likeOld(seq, old);
  }
  if (isMap(old) && isRecord(value)) {
    const map = new YAMLMap();
    const kept = old.items.filter((pair) => Object.hasOwn(value, nameOf(pair)));
    const keptNames = new Set(kept.map(nameOf));
    map.items = kept.map((pair) => {
      const inner = value[nameOf(pair)];
      const same = isNode(pair.value) && isDeepStrictEqual(plain(pair.value), inner);
      return new Pair(pair.key, same ? pair.value : composed(pair.value, inner));
    });
    for (const [name, inner] of Object.entries(value)) {
      if (!keptNames.has(name)) map.items.push(new Pair(fresh(name), fresh(inner)));
    }
    return likeOld(map, old);
  }
  const node = fresh(value);
  if (isScalar(node) && isScalar(old) && typeof value === "string" && isQuoted(old) && !value.includes("\n")) {
    node.type = old.type!;
  }
  if (old.comment) node.comment = old.comment;
  return node;
}

function likeOld<C extends YAMLMap | YAMLSeq>(made: C, old: YAMLMap | YAMLSeq): C {
  if (old.flow !== undefined) made.flow = old.flow;
  if (old.commentBefore) made.commentBefore = old.commentBefore;
  if (old.comment) made.comment = old.comment;
  return made;
}

function fresh(value: unknown): Node {
  const node = new Document().createNode(value, { aliasDuplicateObjects: false }) as Node;
  quoteStrings(node, needsQuotes);
  return node;
}

/**
 * Strings that YAML 1.1 parsers (most site generators) read as a boolean, and those
 * whose trailing blank lines would merge with the lines after a block scalar.
 */
function needsQuotes(text: string): boolean {
  const content = text.trimEnd();
  const endsInBlankLine =
    text.endsWith("\n") && (content === "" || text.indexOf("\n", content.length) < text.length - 1);
  return endsInBlankLine || /^(?:yes|no|on|off)$/i.test(text);
}

/** `name: value` and a line break. Quoted if it would otherwise be read as something else. */
export function rendered(name: string, node: Node, value: unknown, style: Style): string {
  const render = (key: Node): string => {
    const document = new Document();
    const map = new YAMLMap();
    map.items.push(new Pair(key, node));
    document.contents = map;
    return document.toString(style);
  };
  const key = fresh(name);
  for (const unclear of [node, key]) {
    const written = render(key);
    if (readsAs(written, name, value)) return written;
    quoteStrings(unclear, () => true);
  }
  return render(key);
}

/** Quotes every string that the test selects. A quoted string is one line, whatever it contains. */
export function quoteStrings(node: Node, isReason: (text: string) => boolean): void {
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && isReason(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
}

function readsAs(source: string, name: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(load(source, { schema: CORE_SCHEMA }), Object.fromEntries([[name, value]]));
  } catch {
    return false;
  }
}

/** The name of a property as YAML parsers return it: `2024: x` is named "2024". */
export function nameOf(pair: SourcePair): string {
  return String(isScalar(pair.key) ? pair.key.value : pair.key);
}

function plain(node: Node): unknown {
  return node.toJS(new Document());
}

/** Aliases and anchors have no meaning outside their document. */
function refersElsewhere(node: Node): boolean {
  let found = false;
  visit(node, {
    Node(_, inner) {
      found ||= isAlias(inner) || inner.anchor !== undefined;
    },
  });
  return found;
}

function isQuoted(scalar: Scalar): boolean {
  return scalar.type === Scalar.QUOTE_DOUBLE || scalar.type === Scalar.QUOTE_SINGLE;
}
