// Changes fields and words of a task, and leaves every other character as it is.
// Pure; used by what makes a new line of a task.
import { FIELDS, type FieldName, type Form, parseTaskLine, type TaskLine, writtenField } from "./task-line.ts";

/** The form of its fields: that of those it has, else the one that is set. */
export function formOf({ fields }: TaskLine, preferred: Form): Form {
  return fields.find(({ name }) => name !== "priority")?.form ?? fields[0]?.form ?? preferred;
}

/** The line with another value of a field; without a value, without the field. */
export function withField(line: TaskLine, name: FieldName, value: string | undefined, preferred: Form): TaskLine {
  const written = line.fields.filter((field) => field.name === name);
  const [first] = written;
  let { body } = line;
  if (value === undefined) {
    // From the back, so that the offsets before stay true.
    for (const field of written.toReversed()) body = without(body, field);
    const made = parseTaskLine(body);
    // A field that stood before other words may be at the end now, and count.
    return made.fields.some((field) => field.name === name) ? withField(made, name, undefined, preferred) : made;
  }
  if (first === undefined) return inserted(line, name, value, formOf(line, preferred));
  const shown = name === "priority" && first.form === "emoji" ? writtenField(name, value, "emoji") : value;
  return parseTaskLine(body.slice(0, first.valueStart) + shown + body.slice(first.valueEnd));
}

/** Only those between fields: any other white space is a character of the line. */
const SPACES_AT_END = /(?<![ \t])[ \t]+$/;
const SPACES_AT_START = /^[ \t]+/;

function without(body: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = body.slice(0, start).replace(SPACES_AT_END, "");
  const after = body.slice(end);
  return before === "" ? after.replace(SPACES_AT_START, "") : before + after;
}

/** Before the first field at the end that the plugin writes after it, else at the end. */
function inserted(line: TaskLine, name: FieldName, value: string, form: Form): TaskLine {
  const { body, fields, end } = line;
  const order = FIELDS.indexOf(name);
  const next = trailing(line).find((field) => FIELDS.indexOf(field.name) > order);
  const at = next?.start ?? end;
  // Two spaces, as the plugin writes: Obsidian hides every other of two fields with one between them.
  const space = form === "inline" ? "  " : " ";
  const before = body.slice(0, at).replace(SPACES_AT_END, "");
  const isFirst = before === "" && fields.length === 0;
  const own = `${isFirst ? "" : space}${writtenField(name, value, form)}`;
  return parseTaskLine(before + own + (next === undefined ? "" : space) + body.slice(at));
}

/** The fields that only tags and other fields follow. */
function trailing({ body, fields, end }: TaskLine): TaskLine["fields"] {
  const from = fields.findLastIndex((field, i) => {
    const between = body.slice(field.end, fields[i + 1]?.start ?? end);
    return between.split(/\s+/).some((word) => word !== "" && !word.startsWith("#"));
  });
  return fields.slice(from + 1);
}

/** The line with other words: its fields follow them, then its block id. */
export function withDescription(line: TaskLine, description: string): TaskLine {
  const { body, fields, end } = line;
  const written = fields.map(({ start, end: to, form }) => (form === "inline" ? "  " : " ") + body.slice(start, to));
  return parseTaskLine(description + written.join("") + body.slice(end));
}

/** The line without its block id. */
export function withoutBlockId({ body, end }: TaskLine): TaskLine {
  return parseTaskLine(body.slice(0, end) + body.slice(end).replace(/^[ \t]\^[a-zA-Z0-9-]+/, ""));
}
