// The flag --space of the command `store`.
import type { Invocation } from "../command.ts";

/** Undefined if it was not given: there may be only one space. */
export function spaceOf({ flags }: Pick<Invocation, "flags">): string | undefined {
  const { space } = flags;
  return typeof space === "string" && space !== "" ? space : undefined;
}
