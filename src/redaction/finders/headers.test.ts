import { expect, it } from "vitest";
import { redact } from "../redaction.ts";

it("redacts a credential of twelve characters in a header, and leaves a name that is shorter", () => {
  expect(redact("Authorization: Bearer garden-hous1")).toBe("Authorization: Bearer [redacted: authorization]");
  expect(redact("Authorization: Bearer garden-hou1")).toBe("Authorization: Bearer garden-hou1");
});

it.each(["authorization", "Authorization", "AUTHORIZATION"])("redacts what %s names, whatever the scheme", (name) => {
  const credential = "q7Xz2LmP9vKc4TbN8sWd1RfG";
  for (const scheme of ["Custom ", "AWS4-HMAC-SHA256 Credential=ada, Signature=", ""])
    expect(redact(`${name}: ${scheme}${credential}`), scheme).not.toContain(credential);
});

it("redacts a credential of several parts in a header if it has a digit, and leaves a member of an object", () => {
  expect(redact("Authorization: Custom garden.hous1.gate")).toBe("Authorization: Custom [redacted: authorization]");
  expect(redact("Authorization: request.headers.authorisation")).toBe("Authorization: request.headers.authorisation");
});
