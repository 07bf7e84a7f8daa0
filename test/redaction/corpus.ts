// Secrets in every form that occurs in conversations, and texts that only look like
// one. Everything is generated from a seed: no token in this file is real, or looks
// real to a scanner.

/** The same sequence each time, from a linear congruential generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomFrom(20_261);
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALPHANUMERIC = LOWER + LOWER.toUpperCase() + DIGITS;
const HEX = "0123456789abcdef";

const run = (length: number, alphabet = ALPHANUMERIC) =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
/** With a digit and letters of both cases, as random text of that length nearly always is. */
const mixed = (length: number) => `${run(length - 4)}q7Rk`;
const hex = (length: number) => run(length, HEX);
const url64 = (length: number) => run(length, `${ALPHANUMERIC}_-`);
const base64 = (length: number) => run(length, `${ALPHANUMERIC}+/`);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
export const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const lines = (body: string) => body.match(/.{1,64}/g)!.join("\n");

export interface Sample {
  readonly form: string;
  readonly text: string;
  /** What must be removed. */
  readonly secret: string;
}

/** One token, alone and in typical contexts. */
function around(form: string, ...tokens: string[]): Sample[] {
  const places = [
    (token: string) => `use ${token} for now`,
    (token: string) => `{"value": "${token}", "n": 1}`,
    (token: string) => `curl https://example.org/x?v=${token}`,
    (token: string) => `$ echo '${token}' | pbcopy\nok`,
    (token: string) => `{\\"out\\":\\"${token}\\"}`,
  ];
  return tokens.flatMap((token, i) =>
    [places[i % places.length]!, places[(i + 1) % places.length]!].map((place) => ({
      form,
      text: place(token),
      secret: token,
    })),
  );
}

const inForm = (form: string, rows: readonly (readonly [text: string, secret: string])[]): Sample[] =>
  rows.map(([text, secret]) => ({ form, text, secret }));

const join = (...parts: string[]) => parts.join("");

function pem(kind: string, newline = "\n"): Sample {
  const body = lines(base64(400));
  const text = [`-----BEGIN ${kind}-----`, body, `-----END ${kind}-----`].join("\n").replaceAll("\n", newline);
  return { form: "private key", text: `key:${newline}${text}${newline}end`, secret: body.slice(0, 40) };
}

const jwt = () =>
  `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ sub: run(10), iat: 1_700_000_000 })}.${url64(43)}`;

const word = () => run(11, LOWER);

function tokens(): Sample[] {
  return [
    ...around(
      "OpenAI",
      join("sk", "-", mixed(48)),
      join("sk-", "proj-", url64(80)),
      join("sk-", "svcacct-", url64(60)),
      join("sk-", "admin-", url64(60)),
    ),
    ...around("Anthropic", join("sk-", "ant-api03-", url64(93), "AA"), join("sk-", "ant-oat01-", url64(90))),
    ...around(
      "AWS",
      join("AK", "IA", run(16, LOWER.toUpperCase() + DIGITS)),
      join("AS", "IA", run(16, LOWER.toUpperCase() + DIGITS)),
    ),
    ...around("Google", join("AI", "za", url64(35)), join("ya", "29.", url64(60)), join("GOC", "SPX-", url64(28))),
    ...around(
      "GitHub",
      ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind) => join(kind, "_", mixed(36))),
      join("github", "_pat_", mixed(22), "_", mixed(59)),
    ),
    ...around("GitLab", join("gl", "pat-", url64(20)), join("gl", "dt-", url64(20)), join("gl", "rt-", url64(24))),
    ...around(
      "Slack",
      join("xo", "xb-", run(12, DIGITS), "-", run(12, DIGITS), "-", mixed(24)),
      join("xo", "xp-", run(12, DIGITS), "-", hex(32)),
      join("xa", "pp-1-", run(11), "-", run(13, DIGITS), "-", hex(64)),
    ),
    ...around(
      "Slack webhook",
      join("https://hooks.slack", ".com/services/T", run(8, DIGITS), "/B", run(8, DIGITS), "/", mixed(24)),
    ).map((sample) => ({ ...sample, secret: sample.secret.slice(-24) })),
    ...around(
      "Stripe",
      join("sk_", "live_", mixed(24)),
      join("rk_", "live_", mixed(24)),
      join("sk_", "test_", mixed(40)),
      join("wh", "sec_", mixed(32)),
    ),
    ...around("Twilio and SendGrid", join("S", "K", hex(32)), join("S", "G.", url64(22), ".", url64(43))),
    ...around("npm and PyPI", join("np", "m_", mixed(36)), join("py", "pi-AgEIcHlwaS5vcmc", url64(120))),
    ...around("Hugging Face", join("h", "f_", mixed(34))),
    ...around("Azure", join(run(3), "8Q", "~", url64(34))),
    ...around("DigitalOcean", join("do", "p_v1_", hex(64)), join("do", "o_v1_", hex(64))),
    ...around("Telegram", join(run(9, "123456789"), ":A", "A", url64(33))),
    ...around("Discord", join("M", url64(23), ".", url64(6), ".", url64(38))),
    ...around("Databricks", join("da", "pi", hex(32))),
    ...around("Supabase", join("sb", "p_", hex(40)), join("sb_", "secret_", url64(31))),
    ...around(
      "Linear and Notion",
      join("lin", "_api_", mixed(40)),
      join("nt", "n_", mixed(46)),
      join("sec", "ret_", mixed(43)),
    ),
    ...around(
      "others",
      join("g", "sk_", mixed(52)),
      join("hv", "s.", url64(90)),
      join("fi", "gd_", url64(40)),
      join("shp", "at_", hex(32)),
      join("glsa", "_", run(32), "_", hex(8)),
      join("pat", run(14), ".", hex(64)),
      join("dckr", "_pat_", url64(27)),
      join("AT", "ATT3", url64(180)),
      join("AGE-SECRET", "-KEY-1", run(58, LOWER.toUpperCase())),
    ),
    ...around("JWT", jwt(), jwt(), jwt()),
  ];
}

function privateKeys(): Sample[] {
  return [
    ...[
      "RSA PRIVATE KEY",
      "PRIVATE KEY",
      "EC PRIVATE KEY",
      "OPENSSH PRIVATE KEY",
      "ENCRYPTED PRIVATE KEY",
      "DSA PRIVATE KEY",
      "PGP PRIVATE KEY BLOCK",
    ].map((kind) => pem(kind)),
    pem("PRIVATE KEY", "\\n"),
    pem("RSA PRIVATE KEY", "\r\n"),
    {
      form: "private key",
      text: `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n${"b7".repeat(32)}\n${"c8".repeat(20)}=\nPrivate-MAC: 00`,
      secret: "b7b7b7",
    },
    // One that was cut off before its end.
    {
      ...pem("RSA PRIVATE KEY"),
      text: `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(3)}${base64(200)}`,
      secret: "PRIVATE KEY-----\nAAA",
    },
  ];
}

const given = (make: (secret: string) => string, secret: string): readonly [string, string] => [make(secret), secret];

function passwords(): Sample[] {
  const p = () => `${run(4, LOWER)}!${run(5)}9x`;
  const plain = () => `Tr${run(6, LOWER)}${run(2, DIGITS)}`;
  return [
    ...inForm("password in an address", [
      given((s) => `postgres://app:${s}@db.internal:5432/main`, plain()),
      given((s) => `DATABASE_URL=mysql://root:${s}@127.0.0.1/shop?ssl=true`, plain()),
      given((s) => `mongodb+srv://svc:${s}@cluster0.example.net/x`, plain()),
      given((s) => `redis://:${s}@cache:6379/0`, plain()),
      given((s) => `git clone https://build:${s}@git.example.org/a/b.git`, mixed(30)),
      given((s) => `amqps://worker:${s}@mq/vhost`, `${plain()}%21`),
      given((s) => `"url": "postgresql://u:${s}@h/db"`, `${plain()}@x`),
      given((s) => `ftp://anna:${s}@files.example.org/`, word()),
    ]),
    ...inForm(".env", [
      given((s) => `DB_PASSWORD=${s}`, p()),
      given((s) => `DB_PASSWORD=${s}\nDB_HOST=localhost`, word()),
      given((s) => `SECRET_KEY="${s}"`, mixed(50)),
      given((s) => `OTHER_API_KEY=${s}`, hex(32)),
      given((s) => `JWT_SECRET='${s}'`, mixed(32)),
      given((s) => `MAIL_PASSWORD = "${s}"`, plain()),
      given((s) => `AWS_SECRET_ACCESS_KEY=${s}`, `${base64(36)}a1Zx`),
      given((s) => `SESSION_TOKEN=${s}`, mixed(24)),
    ]),
    ...inForm("JSON", [
      given((s) => `{"user": "anna", "password": "${s}"}`, p()),
      given((s) => `{"password":"${s}"}`, word()),
      given((s) => `{"client_secret": "${s}"}`, mixed(40)),
      given((s) => `{"apiKey":"${s}","n":1}`, mixed(32)),
      given((s) => `{\\"access_token\\": \\"${s}\\", \\"n\\": 1}`, mixed(40)),
      given((s) => `{"password": "a\\"${s}"}`, plain()),
      given((s) => `{"auth": {"refresh_token": "${s}"}}`, url64(43).replace(/^./, "k4")),
    ]),
    ...inForm("YAML", [
      given((s) => `db:\n  password: ${s}\n  port: 5432`, p()),
      given((s) => `password: '${s}'`, word()),
      given((s) => `  api_key: ${s}`, hex(40)),
      given((s) => `  clientSecret: "${s}"`, mixed(40)),
      given((s) => `- token: ${s}`, mixed(32)),
      given((s) => `passphrase: "${s}"`, "correct horse battery staple lamp"),
    ]),
    ...inForm("shell", [
      given((s) => `export GRAPH_TOKEN=${s}`, mixed(28)),
      given((s) => `export PGPASSWORD='${s}'; psql`, p()),
      given((s) => `PGPASSWORD=${s} psql -h db`, word()),
      given((s) => `set MY_SECRET=${s}`, mixed(20)),
      given((s) => `$env:API_TOKEN = "${s}"`, mixed(24)),
      given((s) => `mysql -u root -p${s} shop`, plain()),
      given((s) => `sshpass -p '${s}' ssh anna@host`, plain()),
      given((s) => `curl -s -u anna:${s} https://example.org`, plain()),
      given((s) => `docker login -u anna -p ${s} registry.example.org`, plain()),
      given((s) => `redis-cli -h cache -a ${s} ping`, plain()),
    ]),
    ...inForm("flag", [
      given((s) => `deploy --password ${s} --verbose`, word()),
      given((s) => `deploy --password=${s}`, plain()),
      given((s) => `tool --token ${s}`, mixed(32)),
      given((s) => `tool --api-key "${s}"`, hex(32)),
      given((s) => `["--client-secret", "${s}"]`, mixed(32)),
      given((s) => `vault login --token=${s}`, mixed(26)),
    ]),
    ...inForm("header", [
      given((s) => `Authorization: Bearer ${s}`, mixed(40)),
      given((s) => `curl -H "Authorization: Basic ${s}" https://x`, Buffer.from(`anna:${word()}`).toString("base64")),
      given((s) => `"Authorization": "token ${s}"`, hex(40)),
      given((s) => `headers["Authorization"] = "Bearer ${s}"`, mixed(64)),
      given((s) => `Authorization: Bearer ${s}`, run(24, LOWER)),
      given((s) => `X-Api-Key: ${s}`, mixed(32)),
      given((s) => `PRIVATE-TOKEN: ${s}`, mixed(20)),
      given((s) => `-H 'x-auth-token: ${s}'`, hex(32)),
    ]),
    ...inForm("cookie", [
      given((s) => `Cookie: theme=dark; sessionid=${s}; lang=en`, run(32, LOWER + DIGITS)),
      given((s) => `Set-Cookie: connect.sid=s%3A${s}; Path=/; HttpOnly`, mixed(40)),
      given((s) => `-H 'Cookie: auth_token=${s}'`, hex(40)),
      given((s) => `cookie: _ga=GA1.1.1; jwt=${s}`, mixed(50)),
    ]),
    ...inForm("connection string", [
      given((s) => `Server=db;Database=x;User Id=sa;Password=${s};Encrypt=true`, p()),
      given((s) => `Server=db;Uid=sa;Pwd=${s};`, word()),
      given((s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};EndpointSuffix=x`, `${base64(85)}8==`),
      given((s) => `Endpoint=sb://x/;SharedAccessKeyName=r;SharedAccessKey=${s}`, `${base64(42)}4=`),
      given((s) => `host=db user=app password=${s} dbname=x`, plain()),
    ]),
    ...inForm("query", [
      given((s) => `https://example.org/a?access_token=${s}&b=1`, mixed(40)),
      given((s) => `https://example.org/a?b=1&api_key=${s}`, hex(32)),
      given((s) => `https://x.blob.example.net/c?sv=2024&sig=${s}&se=1`, `${mixed(40)}%3D`),
      given((s) => `https://b.s3.example.com/k?X-Amz-Signature=${s}`, hex(64)),
    ]),
    ...inForm("Docker", [
      given((s) => `FROM x\nENV POSTGRES_PASSWORD ${s}\nRUN y`, word()),
      given((s) => `  environment:\n    POSTGRES_PASSWORD: ${s}`, word()),
      given((s) => `"env": {"AZURE_OPENAI_KEY": "${s}"}`, hex(32)),
    ]),
    ...inForm("other files", [
      given((s) => `machine example.org login anna password ${s}`, plain()),
      given((s) => `//registry.example.org/:_authToken=${s}`, uuid()),
      given((s) => `<password>${s}</password>`, plain()),
      given((s) => `CREATE USER anna IDENTIFIED BY '${s}';`, p()),
      given((s) => `ALTER ROLE app WITH PASSWORD '${s}'`, word()),
      given((s) => `[default]\naws_secret_access_key = ${s}`, `${base64(36)}b2Yw`),
      given((s) => `const password = "${s}";`, p()),
      given((s) => `my password is ${s}, do not tell`, plain()),
    ]),
  ];
}

export const SECRETS: readonly Sample[] = [...tokens(), ...privateKeys(), ...passwords()];

function times(count: number, make: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const PLACEHOLDERS = [
  "API_KEY=your-api-key",
  "API_KEY=<your key>",
  "OPENAI_API_KEY=sk-...",
  `OPENAI_API_KEY=sk-${"x".repeat(32)}`,
  "TOKEN=${TOKEN}",
  "export TOKEN=$OTHER_TOKEN",
  "password: ${{ secrets.DB_PASSWORD }}",
  "password: {{ vault_password }}",
  "password: <password>",
  "PASSWORD=changeme",
  'password: "********"',
  "token: xxxxxxxx",
  "Authorization: Bearer <token>",
  "Authorization: Bearer ${token}",
  "Authorization: Bearer $TOKEN",
  "Authorization: `Bearer ${await token()}`",
  "Authorization: Bearer YOUR_TOKEN",
  "curl -u user:password https://x",
  "postgres://user:password@localhost/db",
  "postgres://user:${DB_PASS}@localhost/db",
  "postgres://USER:PASS@HOST/db",
  "redis://localhost:6379/0",
  "https://example.org:8080/a?mail=anna@example.org",
  "GITHUB_TOKEN=ghp_your_token_here",
  `token = "ghp_${"x".repeat(36)}"`,
  "secret_key = 'replace-me'",
  "api_key: YOUR_API_KEY_HERE",
  "DB_PASSWORD=",
  'password: ""',
  "password: null",
  "token: undefined",
  "secret: TODO",
  "apiKey: [redacted]",
  'token: "…"',
  "PASSWORD=%PASSWORD%",
  "password: !vault",
  "password: op://code/db/password",
  "--password <PASSWORD>",
  "--token $GH_TOKEN",
  "--api-key=YOUR_KEY",
  "mysql -u root -p",
  "mysql -u root -p shop",
  "docker run -u 1000:1000 -p 8080:80 image",
  "docker run -p 5432:5432 postgres",
  "password=your_password",
  "password: example-password",
  "TOKEN=dummy-token",
  "secret: my-secret",
];

const CODE = [
  "password = getPassword()",
  "isPassword: /^pass|^pwd2?/.test(word),",
  "const USER_PASSWORD = /:(?<word>[^@]{1,200})@/g;",
  "const password = await askPassword();",
  "const token = process.env.TOKEN;",
  "token = os.environ['TOKEN']",
  "let token: string;",
  "password: string",
  "password: str = Field(min_length=8)",
  "token?: string | undefined",
  "token: Token",
  "secret: Buffer",
  "apiKey: config.apiKey",
  "apiKey = settings.api_key",
  "this.token = token",
  "self.password = password",
  "login(user, password=user_password)",
  "login(user, password=pw)",
  "if (token === null) return",
  "if token == other_token:",
  "token => token.length",
  "tokens: number",
  "max_tokens: 4096",
  '"max_tokens": 16384',
  "total_tokens=12345",
  "input_tokens: 12874, output_tokens: 18",
  "tokenizer = load('cl100k_base')",
  "token_type: 'Bearer'",
  "tokenEndpoint: '/oauth/token'",
  "token_url = 'https://example.org/oauth/token'",
  "password: z.string().min(8)",
  "password: Yup.string().required()",
  "const { password, ...rest } = user;",
  "passwordField.value",
  "password.length < 8",
  '<input type="password" name="password">',
  'label: "Password"',
  '"password": "Passwort"',
  '"forgotPassword": "Forgot password?"',
  "throw new Error('Password is required')",
  "errors.password = 'Password must have 8 characters'",
  "secretName: db-credentials",
  "secretKeyRef:\n  name: db\n  key: password",
  "primary_key=True",
  "key: value",
  "cache_key = f'user:{id}'",
  "PWD=/home/anna/project",
  "OLDPWD=/tmp",
  "git config credential.helper store",
  "Basic authentication is used here",
  "Bearer authentication with the header",
  "Authorization: Bearer authentication",
  "CACHE_KEY=users_by_id_2",
  '{"PRIMARY_KEY": "id12345678"}',
  "a token: the smallest part of a text",
  "password: required",
  "csrf_token = get_token(request)",
  "eos_token = '<|endoftext|>'",
  "pad_token: 0",
  "if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) warn()",
  "const header = `Bearer ${session.accessToken}`;",
  "headers.Authorization = `Bearer ${token}`",
  "Authorization: bearerFor(user)",
  "cookie: string",
  "Set-Cookie: theme=dark; Path=/; Max-Age=3600",
  "document.cookie = name",
  "sk-spinner-container",
  "className='sk-fading-circle sk-child'",
  "task-0123456789",
  "risk-assessment-of-the-quarter",
  "SG.Components.Button.Primary",
  "hf_transfer",
  "npm_config_registry",
  "npm_package_version",
  "xoxo from me",
  "glpattern-matcher",
  "dapiClientFactory",
  "secret_santa_participants_list",
  "lin_api_client",
  "AIzawa is a name",
  "the password is required for login",
  "the password is too short",
  "Password is not set",
  "token was invalid",
  "ALTER TABLE users ADD COLUMN password VARCHAR(255)",
  "SELECT password FROM users",
  "password_reset_token_expires_at",
  "user.resetPasswordToken = undefined",
  "VaultToken.parse(value)",
  "private_key_path = '~/.ssh/id_ed25519'",
  "api_key_header = 'X-API-Key'",
  "secret: keyof Secrets",
  "token: tokens[0]",
  "token = tokens[i]",
  "password: 'hidden'",
  "const SECRET = 'secret';",
  "expect(token).toBe('token')",
  "createToken({ kind: 'access' })",
  "token: sha256",
  "password: base64",
  "private readonly token: TokenService",
  "func Token(secret string) (string, error) {",
  "std::string token = parse(input);",
  'token := r.Header.Get("X")',
  "$token = $this->getToken();",
  "let password = String::new();",
  "def check(password: str, token: bytes) -> bool:",
  "password: &str",
  "@Inject(TOKEN) private x",
  "src/auth/password-reset-token.service.ts",
  "import { Token } from './token.ts'",
  "#password { color: red }",
  "input[name=password]",
  "page.fill('#password', value)",
  "grep -rn password= src",
  "process.env.DB_PASSWORD!",
  "env.API_KEY ?? ''",
  "key-value store",
  "ssh-keygen -t ed25519 -C anna@example.org",
  "connectionString: process.env.DATABASE_URL",
  "git@github.com:anna/project.git",
  "ssh://git@example.org:22/a.git",
  "https://github.com/anna/project/commit/main",
  "npm://registry",
  "mailto:anna@example.org",
  "design token: color.primary.500",
  "token: color.text.muted",
  "--password-stdin",
  "--token-file ~/.token",
  "secret: true",
  "token: 42",
  "password_min_length: 12",
  "TOKEN_TTL=3600",
  "PASSWORD_HASHERS = ['argon2']",
  "API_KEY_HEADER=X-Api-Key",
  "tokens_per_second=52.4",
  "access_token_expires_in: 3600",
  "refreshToken: refreshToken",
  "accessToken, refreshToken,",
  "apiKey={apiKey}",
  "token={token}",
  "password={this.state.password}",
  'v-model="form.password"',
  '[(ngModel)]="user.password"',
  "t('auth.password.label')",
  "password: t('auth.password')",
  '"auth.password": "auth.password.label"',
];

/** What must not be changed. */
export const LOOKALIKES: readonly string[] = [
  // Hashes, ids and other random text that is no secret
  ...times(15, () => `commit ${hex(40)}`),
  ...times(10, () => `${hex(7)} Fix the token refresh`),
  ...times(15, () => `id: ${uuid()}`),
  ...times(5, () => `"session_id": "${uuid()}", "parentUuid": "${uuid()}"`),
  ...times(8, () => `sha256:${hex(64)}`),
  ...times(6, () => `${hex(32)}  release.tar.gz`),
  ...times(8, () => `"integrity": "sha512-${base64(86)}=="`),
  ...times(6, () => `data:image/png;base64,iVBORw0KGgo${base64(400)}`),
  ...times(4, () => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${base64(600)}"}}`),
  ...times(6, () => `toolu_01${run(22)}`),
  ...times(6, () => `"id":"msg_01${run(22)}"`),
  ...times(4, () => `req_${run(24)} call_${run(24)}`),
  ...times(4, () => `ssh-rsa AAAAB3NzaC1yc2E${base64(300)} anna@host`),
  ...times(4, () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(43)} anna@host`),
  ...times(3, () => `-----BEGIN PUBLIC KEY-----\n${lines(base64(200))}\n-----END PUBLIC KEY-----`),
  ...times(3, () => `-----BEGIN CERTIFICATE-----\n${lines(base64(200))}\n-----END CERTIFICATE-----`),
  ...times(4, () => `pk_live_${run(24)} and pk_test_${run(24)}`),
  ...times(4, () => `AC${hex(32)} is the account`),
  ...times(4, () => `etag: W/"${hex(32)}"`),
  ...times(3, () => `encoded ${Buffer.from(JSON.stringify({ a: run(20), b: 1 })).toString("base64")}`),
  ...times(4, () => `https://example.org/d/${url64(43)}/view`),
  ...times(3, () => `go.sum h1:${base64(43)}=`),
  ...times(3, () => `0x${hex(40)}`),
  ...times(3, () => `arn:aws:iam::${run(12, DIGITS)}:role/build`),
  ...times(3, () => `nextPageToken: "${mixed(40)}"`),
  ...times(2, () => `"continuation_token": "${mixed(40)}"`),
  ...PLACEHOLDERS,
  ...CODE,
];
