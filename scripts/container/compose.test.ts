import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { baseOf } from "./base-image.ts";
import { podmanArguments } from "./compose.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const COMPOSE = join(ROOT, "compose.yaml");

describe("the check of the container", () => {
  it("starts it with all that compose.yaml says of its rights, its folders and its token", () => {
    const given = podmanArguments(COMPOSE, { COMMONPLACE_TOKEN: "secret", COMMONPLACE_VAULT: "/notes" });
    expect(given).toEqual(
      expect.arrayContaining([
        "--user=1000:1000",
        "--read-only=true",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--tmpfs=/tmp",
        "--env=COMMONPLACE_TOKEN=secret",
        "--volume=/notes:/vault",
        "--volume=data:/data",
      ]),
    );
    const variables = { COMMONPLACE_TOKEN: "secret", COMMONPLACE_VAULT: "/notes", COMMONPLACE_USER: "7:8" };
    expect(podmanArguments(COMPOSE, variables)).toContain("--user=7:8");
  });

  it("fails as compose does if the token or the vault is not given", () => {
    expect(() => podmanArguments(COMPOSE, { COMMONPLACE_VAULT: "/notes" })).toThrow("COMMONPLACE_TOKEN");
    expect(() => podmanArguments(COMPOSE, { COMMONPLACE_TOKEN: "secret" })).toThrow("COMMONPLACE_VAULT");
  });

  it("makes the image that the Dockerfile builds on", () => {
    expect(baseOf(join(ROOT, "Dockerfile"))).toBe("docker.io/library/node:24-slim");
  });
});
