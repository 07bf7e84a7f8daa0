// Names of spaces, members and tokens of a store: one rule, wherever one
// of them is made. A space is also a vault, and all of them are shown to people, who
// must be able to tell two apart. Used in this room, and for what an issuer calls people.
import { Problem } from "../kernel/kernel.ts";

/** In characters. An issuer may call people by an address or a number of its own. */
const MAX_LENGTH = { space: 60, member: 200, token: 60 } as const;
type Named = keyof typeof MAX_LENGTH;

/** Control characters, those that are not seen or turn the direction, halves of characters, ends of lines, slashes. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/u;

export function isName(name: string, of: Named): boolean {
  return (
    name !== "" && name.length <= MAX_LENGTH[of] && name.trim() === name && !REFUSED.test(name) && !/^\.+$/.test(name)
  );
}

/** Throws for what cannot be the name of a new one. */
export function checkName(name: string, of: Named): void {
  if (isName(name, of)) return;
  throw new Problem(
    "invalid",
    `'${name.length > MAX_LENGTH[of] ? `${name.slice(0, 20)}…` : name}' cannot be the name of a ${of}.`,
    `A name has 1 to ${MAX_LENGTH[of]} characters, not only dots, without slashes and invisible characters, and no blanks at its ends.`,
  );
}

/** Throws if a new one would have the name of another, written in another case or with other bytes. */
export function checkDistinct(name: string, of: Named, taken: readonly string[]): void {
  const twin = taken.includes(name) ? undefined : taken.find((one) => keyOf(one) === keyOf(name));
  if (twin !== undefined)
    throw new Problem("exists", `There is a ${of} ${twin} already, which differs from ${name} in case only.`);
}

function keyOf(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
