// Locates the value that is assigned to a name: after a separator, as the argument
// of a flag or a call, in a sentence, on the next line or in a table. Used by
// assignments.ts.
import { matchAt } from "../../spans.ts";

/** The rest of the name, its closing quotes, a remark in brackets, the separator, and what precedes the value. */
const SEPARATOR =
  /((?:_?\d{1,2}(?![A-Za-z\d])|(?:[_-][A-Za-z\d]{1,16}){1,2})?)(?:[ ]{0,15}["'`*_\]]){0,6}(?:[ \t]{1,4}[[(][^\])\n]{0,24}[\])]|[ \t](?:for|of|on)[ \t][\w.@'"-]{1,40}(?=:))?["'`*]{0,4}[ \t]{0,30}(=>|->|→|[—–-](?= )|:=|\?\?=|\|\|=|={1,3}|:|>|value=|\||<\/(?:t[dh]|key|dt|name)>\s{0,20}<(?:td|string|dd|value)[^>\n]{0,60}>)[ \t]{0,30}[*_]{0,3}[ \t]{0,8}(?:&[\w-]{1,20}[ \t]{1,4})?/y;
/** `: string = "…"`, `{ get; set; } = "…"`: the value follows the type. */
const TYPE =
  /(?:[ ]?&?(?:'static )?[A-Za-z][\w<>[\]|.?]{0,30}|\s{1,2}\{\s?get;[^}\n]{0,20}\})?\s{0,4}=\s{0,4}(?=[bru]?["'`])/y;
const ARGUMENT = /["'`]?[ \t]{0,15},?[ \t]{1,16}/y;
/** `define("DB_PASSWORD", "…")` */
const NEXT_ARGUMENT = /["'`][ \t]{0,15},[ \t\n]{0,16}(?=[bru]?["'`])/y;
/** "my api key for staging is …" */
const IN_PROSE =
  /["'`*)\]]{0,3}(?:\s{1,3}(?:for|of|on|in)\s[\w ./-]{1,40}?)?\s{1,2}(?:is|was|are|ist|lautet|to|as|be)(?:\s{1,2}(?:now|still|just))?\s{0,2}:?[ \t]{1,8}[*(]{0,3}/y;
const ADJACENT = /["'`*]{0,3}[ \t]{1,4}\(?/y;
/** The value may be on the next line, also in a fenced block. */
const LINE_BREAK = /[ \t]{0,16}\n(?:[ \t]{0,16}\n)?(?:[ \t]{0,16}`{3}\w{0,12}[ \t]{0,4}\n)?[ \t>]{0,16}(?=\S)/y;
/** Without a separator on the line of the name; in YAML the next line may begin with it. */
const LINE_BELOW =
  /[*_"'`]{0,3}[ \t]{0,16}\n(?:[ \t]{0,16}\n)?(?:[ \t]{0,16}`{3}\w{0,12}[ \t]{0,4}\n)?[ \t>]{0,16}(?::[ \t]{1,4})?(?=\S)/y;
/** Between the separator and the value: a constructor, a type, a variable with a default, a former value. */
const WRAPPER =
  /!!str[ \t]{1,4}|(?:Some|Just|Ok|Secret(?:Str|String)?|PASSWORD|Optional\.of|String|str|bytes|Buffer\.from)\(\s{0,16}(?=[bruN]?["'`])|\s{0,20}string\(\d{1,4}\)[ \t]{1,16}(?=")|[\w.]{0,40}(?:getenv|get|fetch|env|config)\(\s{0,16}["'][\w.]{1,60}["']\s{0,16},\s{0,16}(?:default\s?=\s?)?(?=["'`])|[\w.$]{1,60}(?:\(["'][\w.]{1,60}["']\)|\[["'][\w.]{1,60}["']\])?[ \t]{1,4}(?:\|\||\?\?|or|\?:)[ \t]{1,16}(?=["'`])|"[A-Za-z]{0,20}"[ \t]{1,16}->[ \t]{1,16}(?=")|\{(?=[^\s{}"'$]{0,60}\d[^\s{}"'$]{0,60}\}(?:;|$|[\s"']))|«\s?/y;
/** A YAML block value, which begins on the next line. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\n[ \t]{1,16}(?=\S)/y;
/** How the value is attached to the name. */
export type Attachment = "assigned" | "flag" | "argument" | "prose" | "adjacent" | "below" | "cell";

export interface ValueLocation {
  readonly at: number;
  readonly attachment: Attachment;
  readonly separator: string;
  readonly ending: string;
}

export function locateValue(
  plain: string,
  nameStart: number,
  prefix: string,
  start: number,
  end: number,
): ValueLocation | undefined {
  const between = matchAt(SEPARATOR, plain, end);
  if (between !== undefined) {
    const [, ending, separator] = between.groups;
    if (separator === ">" && !isElement(plain, nameStart)) return undefined;
    if (separator === "|" && !CELL_LEAD.test(plain.slice(Math.max(0, nameStart - 100), nameStart))) return undefined;
    if (/^={2,3}$/.test(separator!))
      return /["'`]/.test(plain.charAt(between.end))
        ? { at: between.end, attachment: "argument", separator: separator!, ending: ending! }
        : undefined;
    const isCell = separator === "|" || separator!.startsWith("<");
    const typed = separator === ":" ? matchAt(TYPE, plain, between.end) : undefined;
    if (typed !== undefined) return { at: typed.end, attachment: "assigned", separator: "=", ending: ending! };
    if (/^[—–→-]/.test(separator!))
      return { at: between.end, attachment: "prose", separator: separator!, ending: ending! };
    const below =
      separator === ":" ? (matchAt(BLOCK, plain, between.end) ?? matchAt(LINE_BREAK, plain, between.end)) : undefined;
    return {
      at: below?.end ?? matchAt(WRAPPER, plain, between.end)?.end ?? between.end,
      attachment: below !== undefined ? "below" : isCell ? "cell" : "assigned",
      separator: separator!,
      ending: ending!,
    };
  }
  const property = matchAt(TYPE, plain, end);
  if (property !== undefined) return locationAt("assigned", property.end);
  const isFlag =
    /^--?[a-z]/i.test(prefix + plain.slice(start, end)) ||
    /(?:^|[\s"'])--?$/.test(plain.slice(Math.max(0, nameStart - 3), start));
  if (isFlag) return locationAt("flag", matchAt(ARGUMENT, plain, end)?.end);
  const prose = matchAt(IN_PROSE, plain, end);
  if (prose !== undefined) {
    const below = matchAt(LINE_BREAK, plain, prose.end - 1);
    return locationAt(below === undefined ? "prose" : "below", below?.end ?? prose.end);
  }
  const next = matchAt(NEXT_ARGUMENT, plain, end);
  if (next !== undefined) return locationAt("argument", next.end);
  const below = startsLine(plain, nameStart) ? matchAt(LINE_BELOW, plain, end) : undefined;
  return below === undefined
    ? locationAt("adjacent", matchAt(ADJACENT, plain, end)?.end)
    : locationAt("below", below.end);
}

/** A cell begins at the start of a line or after a bar. */
const CELL_LEAD = /(?:^|[\n|])[ \t*`"']{0,8}(?:[\w.-]{1,40} ){0,3}$/;

function locationAt(attachment: Attachment, at: number | undefined): ValueLocation | undefined {
  return at === undefined ? undefined : { at, attachment, separator: " ", ending: "" };
}

/** A line may begin with list markers, quotes, line numbers, `export` or comment signs. */
const LINE_LEAD =
  /(?:^|[\n"'`])[ \t]{0,80}(?:\d{1,6}[ \t]{0,4}[→|:│\t][ \t]{0,40})?(?:[>+|│$?-]{1,2}[ \t]{0,40})?(?:#[ \t]{0,4})?(?:-[ \t]{1,8})?(?:export[ \t]{1,8}|set[ \t]{1,8}|\$env:|declare -x )?["'`*]{0,3}(?:[\w./-]{1,20}[ \t]{1,2}){0,2}$/;

export function startsLine(plain: string, nameStart: number): boolean {
  return LINE_LEAD.test(plain.slice(Math.max(0, nameStart - 160), nameStart)) || nameStart === 0;
}

/** `<password>` and `<ns:password>`, but not `a.token > b`. */
function isElement(plain: string, nameStart: number): boolean {
  return plain.charAt(nameStart - 1) === "<" || /<\w{1,20}:$/.test(plain.slice(Math.max(0, nameStart - 22), nameStart));
}
