// Fresh texts that only look like secrets: hashes, ids, code, placeholders and
// sentences about secrets. Redaction should not change them.
import { ALPHANUMERIC, BASE64, DIGITS, randomFrom, URL_SAFE, type Random } from "./random.ts";

const uuid = (r: Random) => `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)}`;
const WORDS =
  "river stone light paper window garden letter number market island summer winter corner bridge engine signal".split(
    " ",
  );
const word = (r: Random) => r.one(WORDS);
const name = (r: Random) => `${word(r)}${r.one(["_", "-", "."])}${word(r)}`;
const camel = (r: Random) => `${word(r)}${word(r).replace(/^./, (letter) => letter.toUpperCase())}`;

const LOOKALIKES: readonly ((random: Random) => string)[] = [
  // Hashes, ids and other random text that is no secret
  (r) => `commit ${r.hex(40)}`,
  (r) => `${r.hex(7)} Fix the token refresh`,
  (r) => `index ${r.hex(7)}..${r.hex(7)} 100644`,
  (r) => `id: ${uuid(r)}`,
  (r) => `"session_id": "${uuid(r)}", "parentUuid": "${uuid(r)}"`,
  (r) => `sha256:${r.hex(64)}`,
  (r) => `${r.hex(32)}  release.tar.gz`,
  (r) => `"integrity": "sha512-${r.mixed(86, BASE64)}=="`,
  (r) => `data:image/png;base64,iVBORw0KGgo${r.text(400, BASE64)}`,
  (r) => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${r.text(600, BASE64)}"}}`,
  (r) => `toolu_01${r.text(22, ALPHANUMERIC)}`,
  (r) => `"id":"msg_01${r.text(22, ALPHANUMERIC)}"`,
  (r) => `req_${r.text(24, ALPHANUMERIC)} call_${r.text(24, ALPHANUMERIC)}`,
  (r) => `def test_${word(r)}_of_a_${word(r)}_with_${r.below(90)}_${word(r)}s():`,
  (r) => `${word(r)} 1/${r.text(2, "12")}/20${r.text(2, "12")} and 2/1${r.text(6, DIGITS)}:${r.below(90)}`,
  (r) => `"fill": "${r.text(3, "ab")}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA${r.text(500, BASE64)}"`,
  (r) => `>seq ATTA${r.text(70, "ACGT")}`,
  (r) => `"contentHash": "${r.mixed(86, BASE64)}=="`,
  (r) => `sha512-${r.mixed(86, BASE64)}== sha384-${r.mixed(64, BASE64)}`,
  (r) => `bb_live_${word(r)}_${word(r)}_${word(r)}_info(bb)`,
  (r) => `class="as-${word(r)}-${word(r)} ws-${word(r)}-${word(r)}-${word(r)} pa-${word(r)}"`,
  (r) => `sk_${word(r)}_${word(r)}_${word(r)}_${word(r)}_${r.below(9)}`,
  (r) => `/nix/store/${r.text(32, "0123456789abcdfghijklmnpqrsvwxyz")}-${word(r)}-1.2.3`,
  (r) => `function(e,t,n){var r=e.${word(r)}_${r.below(9)},o=t["${r.hex(8)}"];return r?o:n.${word(r)}}`,
  (r) => `ssh-rsa AAAAB3NzaC1yc2E${r.text(300, BASE64)} anna@host`,
  (r) => `-----BEGIN CERTIFICATE-----\n${r.text(64, BASE64)}\n${r.text(64, BASE64)}\n-----END CERTIFICATE-----`,
  (r) => `-----BEGIN PUBLIC KEY-----\n${r.text(64, BASE64)}\n-----END PUBLIC KEY-----`,
  (r) => `pk_live_${r.text(24, ALPHANUMERIC)}`,
  (r) => `the Redis key is user:${r.below(9000)}:${word(r)}`,
  (r) => `Our Jira key: PROJ-${r.below(9000)}`,
  (r) => `The translation key is ${name(r)}.${word(r)}`,
  (r) => `my S3 key: ${word(r)}/${word(r)}/${r.hex(8)}.json`,
  (r) => `the primary key is ${uuid(r)}`,
  (r) => `the document key is ${r.mixed(20)}`,
  (r) => `The Orders key is ${uuid(r)}`,
  (r) => `echo $HOME is /home/${word(r)}${r.below(99)}`,
  (r) => `the cache key: ${r.hex(40)}`,
  (r) => `$ terraform output -raw vpc_id\nvpc-${r.hex(17)}`,
  (r) => `$ terraform output -raw url\nhttps://${word(r)}.example.org/v${r.below(9)}`,
  (r) => `$ echo $PATH\n/usr/local/bin:/usr/bin:/opt/${word(r)}${r.below(9)}/bin`,
  (r) => `$ echo $TOKEN_COUNT\n${r.below(90_000)}`,
  () => "$ pass show web/cohere\nError: web/cohere is not in the password store.",
  () => "$ op read op://a/b/c\n[ERROR] could not read secret",
  (r) => `{"auth":"${word(r)}","auths":[]}`,
  (r) => `class="sess-${word(r)} ${word(r)}-sess" pk_${r.below(9000)} rpa_${word(r)}_${word(r)}`,
  (r) => `etag: W/"${r.hex(32)}"`,
  (r) => `https://example.org/d/${r.text(43, URL_SAFE)}/view`,
  (r) => `go.sum h1:${r.text(43, BASE64)}=`,
  (r) => `0x${r.hex(40)}`,
  (r) => `arn:aws:iam::${r.text(12, DIGITS)}:role/build`,
  (r) => `nextPageToken: "${r.mixed(40)}"`,
  (r) => `"primary_key": "${r.hex(24)}"`,
  (r) => `certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS${r.text(200, BASE64)}`,
  (r) => `docker pull example.org/${name(r)}@sha256:${r.hex(64)}`,
  (r) => `at ${camel(r)} (/home/anna/${word(r)}/src/${word(r)}.ts:${r.below(900)}:${r.below(80)})`,
  (r) => `${word(r)}.example.org:5432: connection refused`,
  (r) => `192.168.${r.below(255)}.${r.below(255)}:8080 -> 10.0.0.${r.below(255)}:5432`,
  (r) => `Total: $${r.below(900)}.99 for ${r.below(90)} items`,
  (r) => `${r.below(12) + 1}:${r.text(2, "012345")}:${r.text(2, "012345")} ${word(r)} done`,
  // Numbers and settings with the words in them
  (r) => `max_tokens: ${r.below(9_000) + 100}`,
  (r) => `"input_tokens": ${r.below(90_000)}, "output_tokens": ${r.below(9_000)}`,
  (r) => `total_tokens=${r.below(90_000)}`,
  (r) => `TOKEN_TTL=${r.below(9_000)}`,
  (r) => `password_min_length: ${r.below(20)}`,
  (r) => `PASSWORD_FILE=/run/secrets/${word(r)}`,
  (r) => `API_KEY_HEADER=X-${word(r)}-Key`,
  (r) => `tokens_per_second=${r.below(90)}.4`,
  (r) => `access_token_expires_in: ${r.below(9_000)}`,
  (r) => `cache_key = "${name(r)}:${r.below(90)}"`,
  (r) => `token_url = "https://${word(r)}.example.org/oauth/token"`,
  (r) => `secretName: ${word(r)}-credentials`,
  (r) => `secretKeyRef:\n  name: ${word(r)}\n  key: password`,
  (r) => `env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: ${word(r)}`,
  // Placeholders and references
  (r) => `${word(r).toUpperCase()}_API_KEY=your-${word(r)}-api-key`,
  (r) => `${word(r).toUpperCase()}_TOKEN=\${${word(r).toUpperCase()}_TOKEN}`,
  (r) => `export TOKEN=$${word(r).toUpperCase()}_TOKEN`,
  (r) => `password: \${{ secrets.${word(r).toUpperCase()}_PASSWORD }}`,
  (r) => `password: {{ ${word(r)}_password }}`,
  () => "password: <password>",
  () => 'password: "********"',
  (r) => `Authorization: Bearer <${word(r)}-token>`,
  (r) => `postgres://${word(r)}:\${DB_PASS}@localhost/${word(r)}`,
  (r) => `postgres://user:password@localhost/${word(r)}`,
  (r) => `curl -u user:password https://${word(r)}.example.org`,
  (r) => `password: op://${word(r)}/db/password`,
  (r) => `--token $${word(r).toUpperCase()}_TOKEN`,
  (r) => `docker run -u 1000:1000 -p 80${r.text(2, DIGITS)}:80 ${word(r)}`,
  (r) => `ssh://git@${word(r)}.example.org:22/a.git`,
  (r) => `git@github.com:anna/${name(r)}.git`,
  (r) => `https://example.org:8080/a?mail=${word(r)}@example.org`,
  (r) => `http://localhost:3000/@${word(r)}/client`,
  (r) => `https://unpkg.example.org/@${word(r)}/${word(r)}@1.2.3/index.js`,
  // Code
  (r) => `const token = await ${camel(r)}(user, password);`,
  (r) => `const password = ${camel(r)}.password;`,
  (r) => `this.${camel(r)}Token = token;`,
  (r) => `if (token === ${camel(r)}) return;`,
  (r) => `password: z.string().min(${r.below(20)}),`,
  (r) => `login(user, password=${word(r)}_password)`,
  (r) => `function ${camel(r)}(password: string, token: Token): boolean {`,
  (r) => `export interface ${camel(r)} {\n  password: string;\n  apiKey?: string;\n}`,
  (r) => `{ user: ${word(r)}, password: ${camel(r)}, token },`,
  (r) => `def ${word(r)}(password: str, token: bytes) -> bool:`,
  (r) => `password_field = ${camel(r)}("password")`,
  (r) => `<input type="password" name="${word(r)}">`,
  (r) => `"${word(r)}.password": "Password"`,
  (r) => `t("auth.password.${word(r)}")`,
  (r) => `import { ${camel(r)}Token } from "./${word(r)}-token.ts";`,
  (r) => `src/${word(r)}/password-reset-token.service.ts`,
  (r) => `headers.Authorization = \`Bearer \${${camel(r)}.token}\``,
  (r) => `tokenizer = load("${word(r)}_base")`,
  (r) => `key: ${word(r)}`,
  (r) => `{"key": "${name(r)}", "value": "${word(r)}"}`,
  (r) => `<${word(r)} key={${camel(r)}.id} />`,
  (r) => `expect(${camel(r)}.token).toBe("token")`,
  (r) => `task-${r.text(10, DIGITS)} risk-${word(r)}-of-the-${word(r)}`,
  // Sentences
  (r) => `the token is expired since the ${word(r)}`,
  (r) => `Your password is too short for the ${word(r)}.`,
  (r) => `A secret is what the ${word(r)} keeps.`,
  (r) => `The API key is required by the ${word(r)} service.`,
  (r) => `Reset your password:\n1. Open the ${word(r)}\n2. Click`,
  (r) => `The password must have ${r.below(20)} characters and a ${word(r)}.`,
  (r) => `| Option | Password |\n|---|---|\n| ${word(r)} | required |`,
  (r) => `| Token | Meaning |\n|---|---|\n| \`{${word(r)}}\` | the ${word(r)} |`,
  (r) => `Basic authentication of the ${word(r)}, bearer authentication of the ${word(r)}`,
  (r) => `keyboard, monkey, ${word(r)}, turkey: ${word(r)}`,
  (r) => `The author: ${word(r)} ${word(r)}`,
  (r) => `Cookie: theme=${word(r)}; lang=en`,
];

/** Wraps a sample as the tools of an assistant print it. */
const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Look at this:\n\n${text}\n\nIt does not work.`,
  (text) => JSON.stringify({ type: "tool_result", content: text }),
  (text) =>
    text
      .split("\n")
      .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
      .join("\n"),
];

export function freshLookalikes(seed: number): string[] {
  const random = randomFrom(seed);
  return LOOKALIKES.flatMap((make) => WRAPPERS.map((wrap) => wrap(make(random))));
}
