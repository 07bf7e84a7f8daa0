import { describe, expect, it } from "vitest";
import { hashOf } from "./part-hash.ts";

describe("the hash of a part", () => {
  it("is that of version 0.1.0 for its sources, whose stores have parts under it", () => {
    const hashes = ["claude-code", "cursor", "windsurf", "codex", "gemini"].map((source) =>
      hashOf(source, "part", "key-1"),
    );
    expect(hashes).toEqual([
      "-7182930983895139094",
      "7830126724971170140",
      "-4029551556313382659",
      "-1539654263054942920",
      "-7948557124040804229",
    ]);
  });

  it("differs for sources whose names begin alike", () => {
    const names = [
      "codex",
      "copilot",
      "continue",
      "claude-code",
      "cline",
      "cline-cli",
      "kilo",
      "kilo-code",
      "ki",
      "iki",
    ];
    for (const kind of ["part", "message", "follows"] as const)
      expect(new Set(names.map((source) => hashOf(source, kind, "1"))).size).toBe(names.length);
  });
});
