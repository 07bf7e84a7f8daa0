import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

describe("the nearest name", () => {
  it.each([
    ["serv", "serve"],
    ["vualt", "vault"],
    ["DOCTOR", "doctor"],
    ["conect", "connect"],
    ["xyz", undefined],
    ["", undefined],
  ])("of %j is %j", (word, name) => {
    expect(nearest(word, ["serve", "vault", "doctor", "connect"])).toBe(name);
  });
});
