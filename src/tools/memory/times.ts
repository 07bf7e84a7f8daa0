// Memory counts in milliseconds; results write times as ISO 8601. Used by the
// tools of memory.
import { isRecord } from "../../kernel/kernel.ts";
import { isoTime } from "../definition/dates.ts";

const TIMES = ["created", "createdAt", "lastUsed", "when"] as const;
/** Values that are stored unchanged. */
type Untouched = "workflows";

/** The same value with its times as texts. */
export type Timed<T> = T extends readonly (infer Item)[]
  ? readonly Timed<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: K extends (typeof TIMES)[number] ? string : K extends Untouched ? T[K] : Timed<T[K]> }
    : T;

export function withTimes<T>(value: T): Timed<T> {
  if (Array.isArray(value)) return value.map(withTimes) as Timed<T>;
  if (!isRecord(value)) return value as Timed<T>;
  const fields = Object.entries(value).map(([name, field]) => {
    if (name === ("workflows" satisfies Untouched)) return [name, field];
    const isTime = typeof field === "number" && TIMES.some((time) => time === name);
    return [name, isTime ? isoTime(field) : withTimes(field)];
  });
  return Object.fromEntries(fields) as Timed<T>;
}
