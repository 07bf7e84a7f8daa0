import { randomInt } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats } from "../../test/campaign.ts";
import { expectLinearTimeForText } from "../../test/growth.ts";
import { LOOKALIKES, SECRETS } from "../../test/redaction/corpus.ts";
import { freshLookalikes } from "../../test/redaction/lookalikes.ts";
import { freshSecrets, leftOf } from "../../test/redaction/secrets.ts";
import { MARK, redact } from "./redaction.ts";
import { TOKEN_FORMATS } from "./patterns/token-formats.ts";

describe("redaction of the corpus", () => {
  it("has at least 150 secrets in 25 forms, and 300 look-alikes", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(SECRETS.map(({ form }) => form)).size).toBeGreaterThanOrEqual(25);
    expect(new Set(LOOKALIKES).size).toBeGreaterThanOrEqual(300);
  });

  it("removes every secret", () => {
    const left = SECRETS.filter(({ text, secret }) => redact(text).includes(secret));
    expect(left.map(({ form, text }) => `${form}: ${text}`)).toEqual([]);
  });

  it("keeps the text around a secret, and names its kind", () => {
    const wrong = SECRETS.filter(({ form, text }) => {
      const kept = redact(text);
      const isCut = form === "private key" && text.startsWith("-----");
      return !/\[redacted: [\w .]+\]/.test(kept) || (!isCut && !kept.startsWith(text.slice(0, 3)));
    });
    expect(wrong).toEqual([]);
  });

  it("keeps every line before and behind a secret, between several of them too", () => {
    const lines = Array.from({ length: 3 }, (_, i) => `\n\nLine ${i} of what was said, to its end.\n\n`);
    const wrong = SECRETS.filter(({ text }, i) => {
      const other = SECRETS[(i * 7 + 1) % SECRETS.length]!.text;
      const [before, between, behind] = lines as [string, string, string];
      const kept = before + redact(text) + between + redact(other) + behind;
      return redact(before + text + between + other + behind) !== kept;
    });
    expect(wrong.map(({ form, text }) => `${form}: ${text}`)).toEqual([]);
  });

  it("changes at most one in a hundred look-alikes", () => {
    const touched = LOOKALIKES.filter((text) => redact(text) !== text);
    expect(touched.length, touched.join("\n")).toBeLessThanOrEqual(LOOKALIKES.length / 100);
  });
});

describe("redaction", () => {
  it("names the kind of secret", () => {
    const token = ["gh", "p_", "a1".repeat(18)].join("");
    expect(redact(`git push https://${token}@github.com/a/b`)).toBe(
      "git push https://[redacted: GitHub token]@github.com/a/b",
    );
  });

  it("treats a word of letters as a password where only a value is possible", () => {
    expect(redact("DB_PASSWORD=SuperSecretPhrase")).toBe("DB_PASSWORD=[redacted: password]");
    for (const code of ["PASSWORD: String", "const PASSWORD = Config", "password=SomeVariable"])
      expect(redact(code)).toBe(code);
  });

  it("finds a password on the line below the one that announces it", () => {
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

  it("leaves sentences, messages and calls without a secret alone", () => {
    const touched = [
      "The password was reset on 2026-05-03T10:22:11Z for anna@example.org",
      "Use the password from config/production2.yaml for now",
      "The token count for claude-3-5-sonnet-20241022 is 12345678",
      "The API key rotation landed in commit: 8b0e7153bf7c3706d85c524e440066559a6656c9",
      "password reset to default for user anna42 in release-2024.10.1",
      "access token for request 7c9e6679-7425-40de-944b-e07fc1f90ae7: expired",
      "see https://example.org/reset/instructions-for-new-users for the password",
      "passwords:\n  - minimum8Characters\n  - one digit",
      'tokens: ["hello", "world2", "tokenizer3"]',
      '{"type":"token","value":"identifier12"}',
      '{"type":"password","label":"Password","value":""}',
      "login(user1, password2)",
      'user.setPassword("newPassword1")',
      "jwt.sign(payload, process.env.JWT_KEY_2)",
      "if (password === confirmPassword2) {",
      "password = os.getenv('DB_PASSWORD_2', '')",
      "NAME      TOKEN   AGE\nservice1  default 3d",
      "mot de passe : au moins 8 caractères",
      "密码：至少8个字符",
      "Das Passwort lautet wie der Name des Servers srv-db-01",
      "clave: valor1",
    ].filter((text) => redact(text) !== text);
    expect(touched).toEqual([]);
  });

  it("finds all of a string in pieces, and a default after a variable", () => {
    expect(redact('password = "a1b2c3d4e5" + "f6g7h8i9j0"; next()')).toBe('password = "[redacted: password]"; next()');
    expect(redact('const password = process.env.PW || "k4Jd82hsPq1";')).toBe(
      'const password = process.env.PW || "[redacted: password]";',
    );
    expect(redact("Please use S7dk2!hsPq1x as the password.")).toBe("Please use [redacted: password] as the password.");
  });

  it("keeps JSON valid", () => {
    for (const { text } of SECRETS.filter((sample) => isJson(sample.text))) expect(isJson(redact(text))).toBe(true);
  });

  it("finds several secrets in one text", () => {
    const text = SECRETS.map((sample) => sample.text).join("\n\n");
    const kept = redact(text);
    expect(SECRETS.filter(({ secret }) => kept.includes(secret))).toEqual([]);
  });

  it("changes nothing the second time", () => {
    for (const { text } of SECRETS) expect(redact(redact(text))).toBe(redact(text));
    const pieces = [...SECRETS.map(({ text }) => text), ...LOOKALIKES, " ", "=", ": ", '"', "\n", "token", "password="];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), (chosen) => {
        const once = redact(chosen.join(""));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: repeats({ short: 500, long: 20_000 }) },
    );
  });

  it("removes a token completely, however long it is", () => {
    const token = ["xox", "b-", "1a".repeat(5_000)].join("");
    expect(redact(`<${token}>`)).toBe("<[redacted: Slack token]>");
  });

  it.each([
    "a",
    "eyJaaaaaaaaaa.",
    "password=",
    'password:"\\"',
    "password\n",
    "token,",
    "| token ",
    "sk-",
    "://a:",
    "://a:b/",
    "@",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBgkqhkiG9w0\n",
    "cookie: ",
    "authorization: bearer ",
    "authorization: digest nonce=",
    "mysql -",
    "docker login ",
    "curl -u ",
    "--token ",
    'name: "X_TOKEN" ',
    '{"kind":"Secret","data":{"a":"',
    "kind: Secret\ndata:\n  a: b\n",
    "AKIA access key ",
    "a:5432:",
    "insert into a (b) values ('",
    "pw: string = ",
    "password reset to ",
    "password is a1 ",
    "passwords: [a1b2c3, ",
    "use a1b2c3d4e5f6 as the password ",
    "PASSWORD  ",
    "PASSWORD  A\n",
    "<tr><th>Password</th></tr>",
    'password = "a1b2" + ',
    'auth("a", "',
    "AUTH a1 ",
    "user a >b1",
    "vault kv put a ",
    "u:a@tcp(",
    '"-----BEGIN PRIVATE KEY-----\\n" +\n"MIIEvgIBADANBgkqhkiG9w0\\n" +\n',
    "seed phrase: legal ",
    "\u00A0password\uFF1A",
    'name="password"\n\n',
    "$6$",
    "FlyV1 fm2_a1b2c3d4e5f6g7h8i9j0,",
    "AAAAAAAAAAAAAAAAAAAAA",
    "password=a1b2c3\\\n",
    "key1 ",
    "devops a2b3",
    "psexec -u a ",
    "credentials { password '",
    "expect password send ",
    '"Jwt": {',
    "%2F",
    "my Mistral key ",
    "key (Cohere) a1B2c3D4e5F6g7H8i9J0k1 ",
    "openai key\n\n```\n",
    "op read \\\n",
    "key for the Cohere key is ",
    "echo $API_KEY\n",
    `echo $${"KEY".repeat(25)} x\n${"    \n".repeat(5)}${" ".repeat(16)}'\n`,
    `terraform output -raw ${"KEY".repeat(25)} x\n${"    \n".repeat(5)}${" ".repeat(16)}'\n`,
    "echo $API_KEY is ",
    "terraform output -raw ",
    "op read pass show ",
    "pass a/b\n",
    'gcloud secrets versions access "},',
    '"auths": {"auth":',
    "[redacted: token] = a1b2c3d4e5",
    "\\",
    "\\n",
    "%3D",
    '"',
  ])("takes linear time for a text that repeats %j", (piece) => {
    expectLinearTimeForText(piece, redact, repeats({ short: 100_000, long: 400_000 }));
  });

  it("accepts any text", () => {
    const pieces = [
      ..."\n\t \"'`\\:=|,;&%$@#/<>{}[]()-→",
      ..."password|token|secret|api_key|://|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|curl -u a:|kind: Secret|data:|name: |value: |Bearer |Cookie: |AKIA|$6$|[redacted: |\uD800|\u001B[0m|%3D|\\n|Aa1Bb2Cc3Dd4Ee5Ff6".split(
        "|",
      ),
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }), (chosen) => {
        const once = redact(chosen.join(""));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: repeats({ short: 750, long: 30_000 }) },
    );
  });
});

/** Forms with other secrets beside the one, or whose mark covers its name or the punctuation behind it. */
const MORE_THAN_THE_SECRET =
  /^(?:aws|AWS|\.netrc|(?:set-)?cookie header|Kerberos|Kubernetes|pair without|private key|prose|string in pieces|value continued|webhook of Teams|output of a command|command of a server)/;

describe("fresh secrets and look-alikes", () => {
  const seed = randomInt(2 ** 32);

  it("leave every character beside them", () => {
    const samples = freshSecrets(7919).filter(
      ({ form }) => !MORE_THAN_THE_SECRET.test(form) && !/prose|fence|in JSON|log line|listing/.test(form),
    );
    expect(samples.length).toBeGreaterThanOrEqual(300);
    for (const { form, text, secret } of samples)
      expect(redact(text).split(/\[redacted: [^\]]+\]/), form).toEqual(text.split(secret));
  });

  it(`are removed completely in every form and context (seed ${seed})`, () => {
    const samples = freshSecrets(seed);
    expect(samples.length).toBeGreaterThanOrEqual(1_000);
    const left = samples.filter((sample) => leftOf(sample, redact(sample.text)) !== undefined);
    expect(left.map(({ form, text }) => `${form}: ${text}`)).toEqual([]);
  });

  it(`are not changed if they only look like secrets, except one in a hundred (seed ${seed})`, () => {
    const lookalikes = freshLookalikes(seed);
    expect(lookalikes.length).toBeGreaterThanOrEqual(300);
    const touched = lookalikes.filter((text) => redact(text) !== text);
    expect(touched.length, touched.join("\n")).toBeLessThanOrEqual(lookalikes.length / 100);
  });

  it(`are not changed by a second pass (seed ${seed})`, () => {
    for (const { text } of freshSecrets(seed)) expect(redact(redact(text))).toBe(redact(text));
  });
});

describe("the table of token formats", () => {
  it.each(TOKEN_FORMATS)("has an example of $name that is found ($pattern)", ({ name, example, source }) => {
    const token = expanded(example);
    for (const text of [
      token,
      `use ${token} now`,
      JSON.stringify({ out: `ok\n${token}\n` }),
      `v=\u001B[32m${token}\u001B[0m`,
    ]) {
      expect(redact(text)).not.toContain(token.slice(-8));
      expect(redact(text)).toMatch(MARK);
    }
    expect(name).toMatch(/^[\w .]+$/);
    expect(source).toMatch(/^(?:https:\/\/|docs\/)/);
  });
});

/** `<36>` and the like in an example, filled in. */
function expanded(example: string): string {
  const ALPHABETS: Readonly<Record<string, string>> = {
    "": "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY",
    hex: "0a1b2c3d4e5f6789",
    upper: "A2B3C4D5E6F7GHJK",
    lower: "a2b3c4d5e6f7ghjk",
    b32: "a2b3c4d5e6f7ghjk",
    digit: "1029384756",
    url: "aB3dE5fG7hJ9-kL1mN2pQ4_rS6tU8vW0",
  };
  return example.replace(/<(?:([a-z]+\d*) )?(\d+)>/g, (_, alphabet: string | undefined, length: string) =>
    ALPHABETS[alphabet ?? ""]!.repeat(20).slice(0, Number(length)),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
