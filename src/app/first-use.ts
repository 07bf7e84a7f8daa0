// A part of the program that is opened when it is first used: a start has no side
// effect, and does not wait for what it does not need. Used by parts.ts and app.ts.

export interface OnFirstUse<T> {
  /** Opens the part. If opening fails, the next use tries again. */
  readonly get: () => Promise<T>;
  /** The part, if it was ever opened. */
  readonly opened: () => Promise<T | undefined>;
}

export function onFirstUse<T>(open: () => Promise<T>): OnFirstUse<T> {
  let part: Promise<T> | undefined;
  return {
    get: () => {
      part ??= open().catch((error: unknown) => {
        part = undefined;
        throw error;
      });
      return part;
    },
    opened: () => part?.catch(() => undefined) ?? Promise.resolve(undefined),
  };
}
