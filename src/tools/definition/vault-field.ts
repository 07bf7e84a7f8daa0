// The argument `vault`, by which a call names one of the server's vaults. Every
// tool that works in a vault takes it; it is listed only if there are several.
// call.ts hands the named vault to the tool. Used by define-tool.ts.
import { comparable } from "../../files/files.ts";
import { nearest, Problem, shortened } from "../../kernel/kernel.ts";
import { type Field, field } from "./field.ts";

/** @param names of all vaults, the default first */
export function vaultField(names: readonly string[]): Field<string> {
  const known = FIELDS.get(names);
  if (known !== undefined) return known;
  const made: Field<string> = {
    ...field({ type: "string", enum: names, description: `Default ${names[0]}` }, {}, (value) => named(names, value)),
    presence: names.length > 1 ? "optional" : "unlisted",
  };
  FIELDS.set(names, made);
  return made;
}

const FIELDS = new WeakMap<readonly string[], Field<string>>();

function named(names: readonly string[], value: unknown): string {
  // An object may have no text at all, or be too deep for one.
  const sent = typeof value === "object" ? "" : String(value).trim();
  const name = names.find((one) => keyOf(one) === keyOf(sent));
  if (name !== undefined) return name;
  const meant = nearest(sent, names);
  throw new Problem(
    "not_found",
    `There is no vault '${shortened(sent)}' here.`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}Vaults: ${names.join(", ")}.`,
  );
}

function keyOf(name: string): string {
  return comparable(name, { ignoreCase: true });
}
