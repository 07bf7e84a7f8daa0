// The tags that the formulas of a base (`.base`) name: the arguments of `hasTag`,
// and of `contains` and its relatives on the property `tags`. Used to rename tags.
//
// Not found, because they may be any text: a tag that a formula builds, or
// compares in another way.
import { nextString } from "../links/formula-strings.ts";
import { unquote } from "../links/quoted-text.ts";
import { yamlScalars } from "../properties/yaml-scalars.ts";
import type { InlineTag } from "./inline-tags.ts";
import { withoutMarks } from "./tag-name.ts";

const LEAD = /(?:\.hasTag|(?:(?<!formula\.)\btags?|\[["']tags?["']\])\.contains(?:Any|All)?)\(\s*$/i;
const MAX_LEAD_LENGTH = 60;

export function baseTags(source: string): InlineTag[] {
  if (!/tag/i.test(source)) return [];
  return yamlScalars(source, { start: 0, end: source.length }).flatMap(({ start, end, quoting }) => {
    const { text, sourceAt } = unquote(source, start, end, quoting);
    return formulaTags(text).map((tag) => ({ ...tag, start: sourceAt(tag.start), end: sourceAt(tag.end) }));
  });
}

function formulaTags(formula: string): InlineTag[] {
  const tags: InlineTag[] = [];
  let isArgument = false;
  let [opening, close] = nextString(formula, 0);
  for (let before = 0; opening < formula.length;) {
    const isNext: boolean = isArgument && /^\s*,\s*$/.test(formula.slice(before, opening));
    isArgument = isNext || LEAD.test(formula.slice(Math.max(0, opening - MAX_LEAD_LENGTH), opening));
    if (isArgument) {
      const { text, sourceAt } = unquote(formula, opening + 1, close, "formula-double");
      const name = withoutMarks(text);
      const start = text.indexOf(name);
      if (name !== "") tags.push({ name, start: sourceAt(start), end: sourceAt(start + name.length) });
    }
    before = close + 1;
    [opening, close] = nextString(formula, before);
  }
  return tags;
}
