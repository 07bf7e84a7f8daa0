// What a call that named no vault says of the others, if something was not found
// in the default one: their names, and which of them have it. Used by call.ts.
import { parseFolderPath, parseNotePath } from "../../files/files.ts";
import type { Problem } from "../../kernel/kernel.ts";
import { readableFields, type Fields } from "../definition/field.ts";
import type { Services, Tool } from "../definition/define-tool.ts";

/** What may have been meant by something that was sent. Not part of the result: the server asks the person with it. */
export interface Choices {
  /** Several notes have the name that was sent, or other vaults have the note. */
  readonly of: "note" | "vault";
  readonly sent: string;
  readonly values: readonly string[];
}

interface Asked {
  readonly fields: Fields;
  readonly services: Services;
}

/** Whether something was not found in the default vault, because the call named none of several. */
function isMissingInDefault({ code }: Problem, { fields, services: { askedVaults } }: Asked): boolean {
  return code === "not_found" && fields["vault"]?.presence === "optional" && askedVaults.length > 1;
}

/** The hint of the problem, and where else to look. */
export function withOtherVaults(problem: Problem, asked: Asked): string | undefined {
  if (!isMissingInDefault(problem, asked)) return undefined;
  return [problem.hint, otherVaults(asked.services)].filter(Boolean).join(" ");
}

/** Which vault a call that named none was about, and the others; undefined for any other call. */
export function otherVaults({ vaults, askedVaults }: Pick<Services, "vaults" | "askedVaults">): string | undefined {
  if (askedVaults.length < 2) return undefined;
  const [first, ...others] = vaults.map(({ name }) => name);
  return `This is the vault ${first}; send vault for ${others.join(" or ")}.`;
}

/** The other vaults that have the note or folder which was not found; undefined if none does. */
export async function vaultsWithIt(
  problem: Problem,
  asked: Asked & { readonly tool: Tool; readonly values: Readonly<Record<string, unknown>> },
): Promise<Choices | undefined> {
  if (!isMissingInDefault(problem, asked)) return undefined;
  const { tool, fields, values, services } = asked;
  const [path] = tool.touches?.(readableFields(fields, values) as never, undefined) ?? [];
  if (path === undefined) return undefined;
  const having: string[] = [];
  for (const { name, vault } of services.vaults.slice(1)) if (await has(vault, path)) having.push(name);
  return having.length === 0 ? undefined : { of: "vault", sent: path, values: having };
}

async function has(vault: Services["vault"], path: string): Promise<boolean> {
  try {
    const { root } = await vault();
    for (const parse of [parseNotePath, parseFolderPath])
      if ((await root.locate(parse(path))).kind !== "absent") return true;
  } catch {
    // A vault that is not there, or a path that none can have.
  }
  return false;
}
