// A value that is made when it is first asked for, and then kept.

export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
