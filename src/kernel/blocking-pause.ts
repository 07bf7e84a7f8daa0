// Waits some milliseconds for another process in synchronous code. It blocks the
// thread, so it is for rare moments only.

const NEVER = new Int32Array(new SharedArrayBuffer(4));

export function blockingPause(milliseconds: number): void {
  Atomics.wait(NEVER, 0, 0, milliseconds);
}
