// Refuses to move or copy something into another vault: each has a journal of its
// own, so that no undo could put it back in both. Used by the tools that take a
// new path.
import { existsSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { Problem } from "../../kernel/kernel.ts";
import type { NamedVault, Services } from "../definition/define-tool.ts";

/** @param from the path of what is moved, for the hint */
export async function refuseOtherVault(services: Services, from: string, to: string): Promise<void> {
  const others = services.vaults.filter((each) => each !== services.askedVaults[0]);
  if (others.length === 0) return;
  const found = others.map((other) => ({ other, path: pathIn(other, to) })).find(({ path }) => path !== undefined);
  if (found === undefined) return;
  const { root } = await services.vault();
  // A folder that happens to have the name of another vault.
  const [first = ""] = to.replace(/^\/+/, "").split("/");
  if (!isAbsolute(to) && !to.includes(":") && existsSync(`${root.folder}${sep}${first}`)) return;
  const { other, path } = found;
  const create = { filePath: path, vault: other.name, content: "…" };
  throw new Problem(
    "invalid",
    `Nothing can be moved from one vault to another (${other.name}).`,
    `Read ${from}, create it there with contentManager_createContent ${JSON.stringify(create)}, then delete it here. Links to it are not kept.`,
  );
}

/** `NAME/path`, `NAME:path` or a path of the disk, as a path in the vault. */
function pathIn({ name, folder }: NamedVault, to: string): string | undefined {
  const start = to.slice(0, name.length).toLowerCase();
  if (start === name.toLowerCase() && /^[/:]/.test(to.slice(name.length))) return to.slice(name.length + 1);
  if (!isAbsolute(to)) return undefined;
  const inside = relative(folder, to);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? undefined : inside.split(sep).join("/");
}
