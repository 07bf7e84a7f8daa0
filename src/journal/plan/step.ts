// The request of a caller of the journal: the steps of an operation, which plan.ts
// turns into actions.
import type { VaultPath } from "../../files/files.ts";
import type { Edit } from "./splice.ts";

/**
 * One part of an operation. Paths are those before the operation, except for
 * what it creates: content is replaced first, then files are removed, folders
 * created, entries renamed and files created, each kind in the given order.
 */
export type Step =
  | {
      readonly kind: "create";
      readonly path: VaultPath;
      readonly bytes: Uint8Array;
      /** The content of another file, which may be copied even if it cannot be read. */
      readonly isCopy?: true;
      /** Those of the file that it is a copy of, in milliseconds; kept by a shared store. */
      readonly times?: FileTimes;
    }
  /** `before` is the hash of the content that the caller has read. */
  | {
      readonly kind: "replace";
      readonly path: VaultPath;
      readonly before: string;
      readonly bytes: Uint8Array;
      readonly keepsLinks?: undefined;
    }
  | {
      readonly kind: "replace";
      readonly path: VaultPath;
      readonly before: string;
      readonly edits: readonly Edit[];
      /** It only rewrites links for a move: allowed in a hidden note too, whose links stay whole. */
      readonly keepsLinks?: true;
      /** The result of the edits, if the caller has it already: for 9 MB that saves 12 ms. */
      readonly made?: Made;
    }
  /** Moves a file or folder to the trash. */
  | { readonly kind: "remove"; readonly path: VaultPath }
  /** Not for a link: a relative one would lead elsewhere from its new place. */
  | { readonly kind: "rename"; readonly path: VaultPath; readonly to: VaultPath }
  | { readonly kind: "folder"; readonly path: VaultPath };

export interface FileTimes {
  readonly created: number;
  readonly modified: number;
}

/** Content, and its hash. */
export interface Made {
  readonly bytes: Uint8Array;
  readonly hash: string;
}
