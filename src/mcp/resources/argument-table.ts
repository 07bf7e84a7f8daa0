// The arguments of a tool as a Markdown table, from its JSON Schema: types,
// limits, and the fields of objects. Pure; used by guide.ts.
import type { JsonSchema } from "../../tools/tools.ts";

export function argumentTable(schema: JsonSchema): string {
  const rows = rowsOf(schema, "");
  return rows.length === 0 ? "No arguments." : `| Argument | Type | | |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key;
    const presence = required.includes(key)
      ? "required"
      : schema.default === undefined
        ? ""
        : `default ${JSON.stringify(schema.default)}`;
    return [
      `| \`${name}\` | ${typeOf(schema)}${limitsOf(schema)} | ${presence} | ${schema.description ?? ""} |`,
      ...fieldRowsOf(schema, name),
    ];
  });
}

/** Rows for the fields of an object, or of the objects in a list. */
function fieldRowsOf(schema: JsonSchema, name: string): string[] {
  if (isPlain(schema)) return [];
  return [
    ...rowsOf(schema, `${name}.`),
    ...(schema.items === undefined ? [] : fieldRowsOf(schema.items, `${name}[]`)),
    ...(schema.oneOf ?? []).flatMap((form) => fieldRowsOf(form, name)),
  ];
}

function typeOf(schema: JsonSchema): string {
  const { type, enum: words, items, oneOf, properties } = schema;
  if (oneOf !== undefined) return oneOf.map(typeOf).join(" or ");
  if (words !== undefined) return words.join(" \\| ");
  if (items !== undefined) return `${items.enum === undefined ? typeOf(items) : `(${typeOf(items)})`}[]`;
  return isPlain(schema) ? `object of the strings ${Object.keys(properties!).join(", ")}` : (type ?? "");
}

/** Returns whether all fields are required strings without descriptions: these need no rows. */
function isPlain({ properties, required = [] }: JsonSchema): boolean {
  if (properties === undefined) return false;
  return Object.entries(properties).every(
    ([key, field]) => required.includes(key) && Object.keys(field).join() === "type" && field.type === "string",
  );
}

function limitsOf({ minimum, maximum, maxItems, minLength }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  if (maximum !== undefined) return `, ${maximum} or less`;
  if (maxItems !== undefined) return `, at most ${maxItems}`;
  return minLength === undefined ? "" : minLength === 1 ? ", not empty" : `, ${minLength} characters or more`;
}
