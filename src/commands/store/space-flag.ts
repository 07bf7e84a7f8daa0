// The flag --space of the commands `store` and `push`.
import { Problem } from "../../kernel/kernel.ts";
import type { Invocation } from "../command.ts";

/** Undefined if it was not given: there may be only one space. */
export function spaceOf({ flags }: Pick<Invocation, "flags">): string | undefined {
  const { space } = flags;
  if (space === "") throw new Problem("invalid", "--space names no space.");
  return typeof space === "string" ? space : undefined;
}
