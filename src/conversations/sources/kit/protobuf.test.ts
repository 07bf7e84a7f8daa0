import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldsOf, textOfBytes, timestampOf } from "./protobuf.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a protobuf message", () => {
  it("has numbers, fixed numbers and bytes, in their order", () => {
    const fields = fieldsOf(
      bytes(0x08, 0x96, 0x01, 0x15, 1, 0, 0, 0, 0x1a, 2, 0x68, 0x69, 0x21, 2, 0, 0, 0, 0, 0, 0, 0),
    );
    expect(
      fields?.map(({ number, value }) => [number, typeof value === "number" ? value : textOfBytes(value)]),
    ).toEqual([
      [1, 150],
      [2, 1],
      [3, "hi"],
      [4, 2],
    ]);
  });

  it.each([
    ["a length beyond its end", bytes(0x0a, 9, 1)],
    ["a number that does not end", bytes(0x08, 0x80)],
    ["a field without a number", bytes(0x02, 1, 1)],
    ["a kind that there is not", bytes(0x0b)],
    ["half of a fixed number", bytes(0x0d, 1)],
  ])("is none with %s", (_, message) => {
    expect(fieldsOf(message)).toBeUndefined();
  });

  it("of any bytes is read or rejected, without an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (message) => {
        const fields = fieldsOf(message) ?? [];
        for (const { value } of fields) textOfBytes(value);
        expect(fields.length).toBeLessThanOrEqual(message.length);
      }),
    );
  });
});

describe("a timestamp", () => {
  it("has seconds and nanoseconds; other messages are rejected", () => {
    expect(
      timestampOf([
        { number: 1, value: 1_760_000_000 },
        { number: 2, value: 123_456_789 },
      ]),
    ).toBe(1_760_000_000_123);
    expect(timestampOf([{ number: 1, value: 5 }])).toBeUndefined();
    expect(timestampOf(undefined)).toBeUndefined();
  });
});
