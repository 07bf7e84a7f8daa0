// Completions: what could be meant while a person is still typing an argument
// of a prompt or of a resource address.
import type { Commonplace } from "../commonplace.ts";
import { guideParts } from "./guide.ts";

type Reference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** The protocol allows no more in one answer. */
const MOST_VALUES = 100;

export async function complete(
  ref: Reference,
  argument: { readonly name: string; readonly value: string },
  commonplace: Commonplace,
) {
  const typed = argument.value.toLowerCase();
  const matching = (await candidates(ref, argument.name, commonplace)).filter((name) =>
    name.toLowerCase().includes(typed),
  );
  const values = matching.toSorted(
    (a, b) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)),
  );
  return {
    completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES },
  };
}

async function candidates(ref: Reference, argument: string, commonplace: Commonplace): Promise<readonly string[]> {
  if (ref.type === "ref/prompt") return ref.name === "orient" && argument === "part" ? guideParts(commonplace) : [];
  if (ref.uri === "commonplace://tools/{name}" && argument === "name") {
    return (await commonplace.toolbox()).tools.map((tool) => tool.name);
  }
  return [];
}
