import { expect, it } from "vitest";
import { redact } from "../redaction.ts";

const secret = (value: string) => `kind: Secret\nstringData:\n  motto: ${value}\n`;

it("redacts every value of a secret of Kubernetes but examples, marks and nothing", () => {
  expect(redact(secret("winter"))).toBe(secret("[redacted: secret]"));
  for (const other of ["changeme", "<password>", "[redacted: token]", '""', ""])
    expect(redact(secret(other))).toBe(secret(other));
});
