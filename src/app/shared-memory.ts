// Brings the memory of all vaults into the shared store. Used by app.ts, for the
// command `push`.
import { realPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Pushed } from "../memory/memory.ts";
import type { Store } from "../shared/shared.ts";
import type { Settings } from "../settings.ts";
import type { VaultParts } from "./vault-parts.ts";

export interface PushOptions {
  /** The name of the space; undefined if there is only one. */
  readonly space: string | undefined;
  /** Says what would be sent: nothing is. */
  readonly isPreview?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface PushedMemory {
  readonly space: string;
  readonly vaults: readonly (Pushed & { readonly vault: string })[];
}

export async function pushMemory(
  settings: Settings,
  vaults: readonly VaultParts[],
  store: Store,
  { space: wanted, isPreview, onProgress }: PushOptions,
): Promise<PushedMemory> {
  if (settings.memory === "off") throw new Problem("denied", "Memory is off, so there is nothing to push.");
  const [{ spaceNamed }, { eventReader, memoryPlaces, pushEvents }, { redact }] = await Promise.all([
    import("../shared/shared.ts"),
    import("../memory/memory.ts"),
    import("../redaction/redaction.ts"),
  ]);
  const space = await spaceNamed(store, wanted);
  if (space.role === "reader")
    throw new Problem("denied", `You may read the space ${space.name}, but not add anything to it.`);
  const pushed: PushedMemory["vaults"][number][] = [];
  for (const { settings: own, access, vault } of vaults) {
    // Throws if the vault is missing: its memory would look empty.
    const { root } = await vault.get();
    const isStored = own.space !== undefined;
    const vaultFolder = isStored ? root.folder : realPath(root.folder);
    const places = memoryPlaces({
      memory: isStored ? "home" : settings.memory,
      vaultFolder,
      dataFolder: settings.folders.data,
    });
    const done = await pushEvents({
      store,
      space,
      vault: own.name,
      events: eventReader(places, vaultFolder),
      redact,
      isHidden: access.hides ? access.isHidden : undefined,
      isPreview,
      onProgress,
    });
    pushed.push({ vault: own.name, ...done });
  }
  return { space: space.name, vaults: pushed };
}
