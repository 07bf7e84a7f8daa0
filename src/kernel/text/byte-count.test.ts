import { expect, it } from "vitest";
import { byteCount } from "./byte-count.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [430_123, "430 kB"],
  [999_600, "1.0 MB"],
  [1_340_000, "1.3 MB"],
  [9_960_000, "10 MB"],
  [64_400_000, "64 MB"],
  [2_100_000_000, "2.1 GB"],
  [5e15, "5000 TB"],
])("%d is %s", (bytes, text) => expect(byteCount(bytes)).toBe(text));
