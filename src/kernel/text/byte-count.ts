// How large something is, in words. Used by sentences of every room.

const UNITS = ["kB", "MB", "GB", "TB"] as const;

/** `812 bytes`, `430 kB`, `1.3 MB`, `12 MB`: decimal units, as file managers show them. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1000;
  let unit = 0;
  // A count that would be rounded to 1000 gets the next unit.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}
