// Fields that may be absent, as statements and results want them: an absent
// field is no field.
import type { Values } from "./log/event.ts";

type Given<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

export function given<T extends Readonly<Record<string, unknown>>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The same of what can be kept. */
export function givenValues(fields: Readonly<Record<string, Values[string] | undefined>>): Values {
  return given(fields) as Values;
}
