// A wait of some milliseconds for another process, in code that cannot do
// anything else meanwhile. This thread stands still: for rare moments only.

const NEVER = new Int32Array(new SharedArrayBuffer(4));

export function blockingPause(milliseconds: number): void {
  Atomics.wait(NEVER, 0, 0, milliseconds);
}
