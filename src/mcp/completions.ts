// Completions: suggestions while a person types an argument of a prompt or of a
// resource address. Used by server.ts.
import type { Commonplace } from "../app/app.ts";
import { completePrompt } from "./prompts.ts";
import { completeResource } from "./resources/resources.ts";

type Reference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

interface Argument {
  readonly name: string;
  readonly value: string;
}

/** The limit of the protocol. */
const MAX_VALUES = 100;

/** @param others the arguments that were filled in before */
export async function complete(
  ref: Reference,
  argument: Argument,
  commonplace: Commonplace,
  others: Readonly<Record<string, string>> = {},
) {
  const typed = argument.value.toLowerCase();
  const matching = (await candidates(ref, argument, others, commonplace)).filter((name) =>
    name.toLowerCase().includes(typed),
  );
  const values = matching.toSorted(
    (a, b) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)),
  );
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  };
}

async function candidates(
  ref: Reference,
  { name }: Argument,
  others: Readonly<Record<string, string>>,
  commonplace: Commonplace,
): Promise<readonly string[]> {
  if (ref.type === "ref/resource") return completeResource(ref.uri, { variable: name, others }, commonplace);
  return completePrompt(ref.name, { name, others }, commonplace);
}
