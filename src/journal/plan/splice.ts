// Byte splices: what was removed from a file's content and how much was
// inserted instead, so that each side can be made from the other. Pure; the
// journal stores them, and callers may describe an edit with them.

/** An edit: `length` bytes at `offset` are replaced by `bytes`. Offsets refer to the content before all edits. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** How to reverse an edit: at `offset` of the edited content, `length` bytes are replaced by `removed`. */
export interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly removed: Uint8Array;
}

/** The content with the edits applied, and the splices that reverse them. The edits are sorted and do not overlap. */
export function applyEdits(before: Uint8Array, edits: readonly Edit[]): { after: Buffer; splices: Splice[] } {
  const splices = splicesOf(before, edits);
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (const { offset, length, bytes } of edits) {
    parts.push(before.subarray(kept, offset), bytes);
    kept = offset + length;
  }
  parts.push(before.subarray(kept));
  return { after: Buffer.concat(parts), splices };
}

/** The splices that reverse the edits. */
export function splicesOf(before: Uint8Array, edits: readonly Edit[]): Splice[] {
  let kept = 0;
  let length = 0;
  return edits.map(({ offset, length: cut, bytes }) => {
    if (offset < kept || cut < 0 || offset + cut > before.length)
      throw new RangeError("The edits overlap, or are outside the file");
    const start = length + offset - kept;
    length = start + bytes.length;
    kept = offset + cut;
    return { offset: start, length: bytes.length, removed: before.subarray(offset, kept) };
  });
}

/** The one edit from `before` to `after`: what is between their common beginning and their common end. */
export function editBetween(before: Uint8Array, after: Uint8Array): Edit {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(before.subarray(0, shorter), after.subarray(0, shorter));
  const rest = shorter - start;
  const end = commonEnd(before.subarray(before.length - rest), after.subarray(after.length - rest));
  return { offset: start, length: before.length - start - end, bytes: after.subarray(start, after.length - end) };
}

/** The edits from the content after the splices back to the one before. */
export function inverseEdits(splices: readonly Splice[]): Edit[] {
  return splices.map(({ offset, length, removed }) => ({ offset, length, bytes: removed }));
}

/** Bytes compared at once: one at a time, 50 MB would take seconds. */
const BLOCK = 4096;

function commonLength(a: Uint8Array, b: Uint8Array): number {
  let common = 0;
  while (
    common < a.length &&
    Buffer.compare(a.subarray(common, common + BLOCK), b.subarray(common, common + BLOCK)) === 0
  )
    common += BLOCK;
  common = Math.min(common, a.length);
  while (common < a.length && a[common] === b[common]) common++;
  return common;
}

function commonEnd(a: Uint8Array, b: Uint8Array): number {
  const block = (bytes: Uint8Array, end: number) =>
    bytes.subarray(Math.max(0, bytes.length - end - BLOCK), bytes.length - end);
  let common = 0;
  while (common < a.length && Buffer.compare(block(a, common), block(b, common)) === 0) common += BLOCK;
  common = Math.min(common, a.length);
  while (common < a.length && a.at(-1 - common) === b.at(-1 - common)) common++;
  return common;
}
