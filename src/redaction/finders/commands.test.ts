import { expect, it } from "vitest";
import { redact } from "../redaction.ts";

it("names the secret of an AWS access key, on either side of its id", () => {
  const id = `AKIA${"KPZTMZXQRLWHN7V7"}`;
  const secret = ["CtW7NPm1", "qsLc31M0jfB8knBiapts4KQgBmGozTmQ"].join("+").slice(0, 40);
  const [hidden, shown] = ["[redacted: AWS secret key]", "[redacted: AWS access key]"];
  for (const lead of ["", "a line before\n"]) {
    expect(redact(`${lead}The id is ${id}, with ${secret} .`)).toBe(`${lead}The id is ${shown}, with ${hidden} .`);
    expect(redact(`${lead}It is ${secret} for ${id}.`)).toBe(`${lead}It is ${hidden} for ${shown}.`);
  }
});
