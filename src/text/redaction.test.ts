import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOKALIKES, SECRETS } from "../../test/redaction-corpus.ts";
import { redact } from "./redaction.ts";

describe("the corpus", () => {
  it("has at least 150 secrets in 25 forms, and 300 look-alikes", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(SECRETS.map(({ form }) => form)).size).toBeGreaterThanOrEqual(25);
    expect(new Set(LOOKALIKES).size).toBeGreaterThanOrEqual(300);
  });

  it("loses every secret", () => {
    const left = SECRETS.filter(({ text, secret }) => redact(text).includes(secret));
    expect(left.map(({ form, text }) => `${form}: ${text}`)).toEqual([]);
  });

  it("keeps what stands around a secret, and says what was there", () => {
    const wrong = SECRETS.filter(({ form, text }) => {
      const kept = redact(text);
      const isCut = form === "private key" && text.startsWith("-----");
      return !/\[redacted: [\w .]+\]/.test(kept) || (!isCut && !kept.startsWith(text.slice(0, 3)));
    });
    expect(wrong).toEqual([]);
  });

  it("touches at most one in a hundred look-alikes", () => {
    const touched = LOOKALIKES.filter((text) => redact(text) !== text);
    expect(touched.length, touched.join("\n")).toBeLessThanOrEqual(LOOKALIKES.length / 100);
  });
});

describe("redaction", () => {
  it("says what was there", () => {
    const token = ["gh", "p_", "a1".repeat(18)].join("");
    expect(redact(`git push https://${token}@github.com/a/b`)).toBe(
      "git push https://[redacted: GitHub token]@github.com/a/b",
    );
  });

  it("takes a word of letters for a password where only a value can stand", () => {
    expect(redact("DB_PASSWORD=SuperSecretPhrase")).toBe("DB_PASSWORD=[redacted: password]");
    for (const code of ["PASSWORD: String", "const PASSWORD = Config", "password=SomeVariable"])
      expect(redact(code)).toBe(code);
  });

  it("finds a password in the line below the one that announces it", () => {
    expect(redact("Here is the password:\nTr0ub4dor&3xyz\nUse it.")).toBe(
      "Here is the password:\n[redacted: password]\nUse it.",
    );
    expect(redact("Das Passwort: geheim123!")).toBe("Das Passwort: [redacted: password]");
    for (const other of [
      "password:\n  oauth2:\n    on: true",
      "Reset your password:\n1. Click here",
      "password:\n  minimum8Characters are needed",
      "password:\n  type: string",
      "the new password:\nsee docs/setup2.md",
    ])
      expect(redact(other)).toBe(other);
  });

  it("keeps JSON valid", () => {
    for (const { text } of SECRETS.filter((sample) => isJson(sample.text))) expect(isJson(redact(text))).toBe(true);
  });

  it("finds all of several in one text", () => {
    const text = SECRETS.map((sample) => sample.text).join("\n\n");
    const kept = redact(text);
    expect(SECRETS.filter(({ secret }) => kept.includes(secret))).toEqual([]);
  });

  it("leaves what it wrote alone", () => {
    for (const { text } of SECRETS) expect(redact(redact(text))).toBe(redact(text));
    const pieces = [...SECRETS.map(({ text }) => text), ...LOOKALIKES, " ", "=", ": ", '"', "\n", "token", "password="];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), (chosen) => {
        const once = redact(chosen.join(""));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it("follows a token to its end, however long it is", () => {
    const token = ["xox", "b-", "1a".repeat(5_000)].join("");
    expect(redact(`<${token}>`)).toBe("<[redacted: Slack token]>");
  });

  // Anything but linear would take hours here: the time limit of a test is what fails.
  it.each([
    "a",
    "eyJaaaaaaaaaa.",
    "password=",
    'password:"\\"',
    "sk-",
    "://a:",
    "-----BEGIN PRIVATE KEY-----",
    "cookie: ",
    "authorization: bearer ",
    "mysql -",
    "docker login ",
    "--token ",
    "[redacted: token] = a1b2c3d4e5",
    "\\",
    '"',
  ])("takes time in proportion to the text, be it nothing but %j", (piece) => {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
    expect(redact(text).length).toBeGreaterThan(0);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
