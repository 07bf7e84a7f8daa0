// Random values from a seed, like those of password and token generators.

export interface Random {
  below(limit: number): number;
  one<T>(choices: readonly T[]): T;
  /** Never the same character twice in a row, unlike masks and placeholders. */
  text(length: number, alphabet: string): string;
  /** Always with letters of both cases and digits. */
  mixed(length: number, alphabet?: string): string;
  hex(length: number): string;
  letters(length: number): string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const DIGITS = "0123456789";
export const UPPER = LOWER.toUpperCase();
export const ALPHANUMERIC = LOWER + UPPER + DIGITS;
export const URL_SAFE = `${ALPHANUMERIC}-_`;
export const BASE64 = `${ALPHANUMERIC}+/`;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const text = (length: number, alphabet: string) => {
    let made = "";
    while (made.length < length) {
      const character = alphabet[below(alphabet.length)]!;
      if (character !== made.at(-1)) made += character;
    }
    return made;
  };
  return {
    below,
    one: (choices) => choices[below(choices.length)]!,
    text,
    mixed: (length, alphabet = ALPHANUMERIC) => {
      for (;;) {
        const made = text(length, alphabet);
        const isMixed = [/\d\D+\d/, /[a-z].*[a-z]/, /[A-Z].*[A-Z]/].every((kind) => kind.test(made));
        if (isMixed && /^[A-Za-z\d].*[A-Za-z\d]$/.test(made)) return made;
      }
    },
    hex: (length) => {
      for (;;) {
        const made = text(length, "0123456789abcdef");
        if (length < 12 || (/\d\D+\d/.test(made) && /[a-f].*[a-f]/.test(made))) return made;
      }
    },
    letters: (length) => text(length, LOWER),
  };
}
