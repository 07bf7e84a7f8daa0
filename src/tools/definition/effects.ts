// Effects of tools, as the hints that hosts decide on. Used by the
// definitions of tools.

/** All four hints, since hosts assume the worst of one that is left out. */
export interface Effects {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

export const READS: Effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
export const ADDS: Effects = { readOnly: false, destructive: false, idempotent: false, openWorld: false };
export const CHANGES: Effects = { readOnly: false, destructive: true, idempotent: false, openWorld: false };
