// The context in which an expression is evaluated. Used by the compiler and the functions.
import type { DateValue } from "../values/dates.ts";
import type { Value } from "../values/value.ts";
import type { FileFacts, World } from "../values/world.ts";
import type { Budget } from "./problems.ts";

/** A compiled expression. */
export type Evaluate = (scope: Scope) => Value;

export interface Scope {
  /** The file that is tested. */
  readonly file: FileFacts;
  /** The file that the base is shown in. */
  readonly shownIn: FileFacts | undefined;
  readonly world: World;
  /** Milliseconds. */
  readonly now: number;
  /** The person's day, whose zone may be another one than the system's. */
  readonly today: DateValue;
  readonly budget: Budget;
  /** The value of a formula for this file. */
  readonly formula: (name: string) => Value;
  /** `value`, `index` and `acc` of the innermost filter(), map() or reduce(); `values` of a summary. */
  readonly locals: Readonly<Record<string, Value>>;
}
