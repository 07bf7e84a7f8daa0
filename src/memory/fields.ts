// Drops absent fields, for statements and results. Pure; used by all of this
// room.
import type { Values } from "./log/event.ts";

type Given<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

export function given<T extends Readonly<Record<string, unknown>>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The same for values that can be stored. */
export function givenValues(fields: Readonly<Record<string, Values[string] | undefined>>): Values {
  return given(fields) as Values;
}
