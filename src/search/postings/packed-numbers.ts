// Numbers as bytes, seven bits in each: small ones take one byte. Used by postings.ts
// and new-texts.ts.

/** The bytes so far, which grow with each number. */
export class Packer {
  #bytes = new Uint8Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Copies a part, which is a few bytes long as a rule: a loop takes less time than `set` does. @returns its end there */
  copyTo(target: Uint8Array, at: number, from: number, to: number): number {
    let end = at;
    for (let i = from; i < to; i++) target[end++] = this.#bytes[i]!;
    return end;
  }

  hashFrom(from: number, before?: number): number {
    return hashOf(this.#bytes, before, from, this.#length);
  }

  #reserve(further: number): void {
    if (this.#length + further <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + further));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** FNV-1a. @param before the hash of what comes before these bytes */
export function hashOf(bytes: Uint8Array, before = 0x811c9dc5, from = 0, to = bytes.length): number {
  let hash = before;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash;
}

export class Unpacker {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80 || byte === undefined) return value;
    }
  }
}
