// Fast hashes for texts that nobody has a reason to make collide: names of
// caches, cursors, states of a folder. Anything that protects something uses
// SHA-256, which Node takes 6 to 9 ms to load.

/** 32 bits. Different seeds give independent hashes. */
export function hash32(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = mixed(hash, text.charCodeAt(i));
  return hash;
}

/** The hash with one more 32-bit word mixed in. */
export function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** 64 bits, as 16 hexadecimal digits. */
export function quickHash(text: string): string {
  return [0x2545f491, 0x6c8e9cf5]
    .map((seed) => (mixed(hash32(text, seed), text.length) >>> 0).toString(16).padStart(8, "0"))
    .join("");
}
