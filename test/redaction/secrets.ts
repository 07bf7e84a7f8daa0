// Fresh secrets in every form that occurs in logs and conversations. Independent of
// the program's tables: the formats are stated again here. Nothing in this file
// looks like a real token to a scanner.
import { BASE64, DIGITS, randomFrom, UPPER, URL_SAFE, type Random } from "./random.ts";

export interface Sample {
  readonly form: string;
  readonly text: string;
  /** What must be removed, including every meaningful part of it. */
  readonly secret: string;
}

type Make = (random: Random) => string;
type Put = (secret: string) => string;

const join = (...parts: string[]) => parts.join("");
const lower = `${DIGITS}abcdefghijklmnopqrstuvwxyz`;
const uuid = (r: Random) => `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)}`;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The formats of provider tokens: prefix and rest. */
const TOKENS: Readonly<Record<string, Make>> = {
  OpenAI: (r) => join("sk-", "proj-", r.mixed(74, URL_SAFE)),
  "OpenAI, old": (r) => join("s", "k-", r.mixed(48)),
  Anthropic: (r) => join("sk-", "ant-api03-", r.mixed(93, URL_SAFE), "AA"),
  "Anthropic session": (r) => join("sk-", "ant-sid01-", r.mixed(86, URL_SAFE), "AA"),
  OpenRouter: (r) => join("sk-", "or-v1-", r.hex(64)),
  "OpenAI session": (r) => join("se", "ss-", r.mixed(40)),
  "GitLab workspace": (r) => join("gl", "wt-", r.mixed(20, URL_SAFE)),
  "Slack workflow": (r) => join("xw", "fp-", r.text(12, DIGITS), "-", r.mixed(40)),
  "Stripe organization": (r) => join("sk_", r.one(["org_live_", "org_test_"]), r.mixed(r.one([24, 99]))),
  "Vercel Blob": (r) => join("vercel", "_blob_rw_", r.mixed(16), "_", r.mixed(30)),
  "Azure DevOps, 84": (r) => join(r.mixed(76), "AZ", "DO", r.mixed(8).slice(0, 4)),
  "age, post-quantum": (r) => join("AGE-SECRET", "-KEY-PQ-1", r.text(r.one([58, 120, 1_900]), UPPER + DIGITS)),
  ClickUp: (r) => join("p", "k_", r.text(r.one([6, 8, 9, 12]), DIGITS), "_", r.text(32, UPPER + DIGITS)),
  RunPod: (r) => join("r", "pa_", r.one([r.text(46, UPPER + DIGITS), r.mixed(46), r.mixed(40)])),
  Groq: (r) => join("g", "sk_", r.mixed(52)),
  xAI: (r) => join("x", "ai-", r.mixed(80)),
  Cerebras: (r) => join("c", "sk-", r.text(48, lower)),
  Together: (r) => join("tgp", "_v1_", r.mixed(43, URL_SAFE)),
  "Hugging Face": (r) => join("h", "f_", r.mixed(34)),
  Gemini: (r) => join("A", "Q.Ab8RN6", r.mixed(44, URL_SAFE)),
  Google: (r) => join("AI", "za", r.mixed(35, URL_SAFE)),
  "Google OAuth": (r) => join("ya", "29.", r.mixed(120, URL_SAFE)),
  "Weights and Biases": (r) => join("wandb", "_v1_", r.mixed(77)),
  Langfuse: (r) => join("sk-", "lf-", uuid(r)),
  "AWS id": (r) => join(r.one(["AK", "AS"]), "IA", r.text(16, UPPER + DIGITS)),
  "AWS session": (r) => join("IQoJb3", "JpZ2lu", r.mixed(340, BASE64)),
  Bedrock: (r) => join("AB", "SK", r.mixed(128, BASE64)),
  Azure: (r) => join(r.mixed(3 + 5).slice(0, 3), "8Q", "~", r.mixed(34)),
  GitHub: (r) => join(r.one(["ghp", "gho", "ghu", "ghs", "ghr"]), "_", r.mixed(36)),
  "GitHub, fine": (r) => join("github", "_pat_", r.mixed(22), "_", r.mixed(59)),
  GitLab: (r) => join("gl", r.one(["pat", "dt", "rt", "cbt", "agent"]), "-", r.mixed(26, URL_SAFE)),
  "GitLab, routable": (r) => join("gl", "pat-", r.mixed(30, URL_SAFE), ".", r.text(2, DIGITS), ".", r.text(9, lower)),
  Slack: (r) => join("xo", "xb-", r.text(12, DIGITS), "-", r.text(12, DIGITS), "-", r.mixed(24)),
  "Slack session": (r) => join("xo", "xc-", r.text(12, DIGITS), "-", r.text(12, DIGITS), "-", r.hex(64)),
  "Slack app": (r) => join("xa", "pp-1-A", r.mixed(10), "-", r.text(13, DIGITS), "-", r.hex(64)),
  Stripe: (r) => join(r.one(["sk_", "rk_"]), r.one(["live_", "test_"]), r.mixed(24)),
  Twilio: (r) => join("S", "K", r.hex(32)),
  SendGrid: (r) => join("S", "G.", r.mixed(22, URL_SAFE), ".", r.mixed(43, URL_SAFE)),
  npm: (r) => join("np", "m_", r.mixed(36)),
  PyPI: (r) => join("py", "pi-AgEIcHlwaS5vcmc", r.mixed(150, URL_SAFE)),
  DigitalOcean: (r) => join("do", "p_v1_", r.hex(64)),
  Cloudflare: (r) => join("cf", r.one(["ut", "at"]), "_", r.mixed(40), r.hex(8)),
  Vercel: (r) => join("vc", r.one(["p", "i", "k"]), "_", r.mixed(56)),
  Netlify: (r) => join("nf", "p_", r.mixed(36)),
  Supabase: (r) => join("sb", "_secret_", r.mixed(31, URL_SAFE)),
  Neon: (r) => join("na", "pi_", r.text(64, lower)),
  Render: (r) => join("rn", "d_", r.mixed(28)),
  Databricks: (r) => join("da", "pi", r.hex(32)),
  Vault: (r) => join("hv", "s.", r.mixed(95, URL_SAFE)),
  Doppler: (r) => join("dp", ".pt.", r.mixed(43)),
  Tailscale: (r) => join("ts", "key-auth-", r.mixed(12), "-", r.mixed(32)),
  Telegram: (r) => join(r.text(9, "123456789"), ":A", "A", r.mixed(33, URL_SAFE)),
  Discord: (r) => join("M", r.mixed(23), ".", r.mixed(6 + 4).slice(0, 6), ".", r.mixed(38, URL_SAFE)),
  Notion: (r) => join("nt", "n_", r.text(11, DIGITS), r.mixed(35)),
  Linear: (r) => join("lin", "_api_", r.mixed(40)),
  Airtable: (r) => join("pa", "t", r.mixed(14), ".", r.hex(64)),
  Figma: (r) => join("fi", "gd_", r.mixed(40, URL_SAFE)),
  Grafana: (r) => join("gl", "sa_", r.mixed(32), "_", r.hex(8)),
  Sentry: (r) => join("sn", "tryu_", r.hex(64)),
  PostHog: (r) => join("ph", "x_", r.mixed(43)),
  Shopify: (r) => join("shp", "at_", r.hex(32)),
  Docker: (r) => join("dckr", "_pat_", r.mixed(27, URL_SAFE)),
  Atlassian: (r) => join("ATA", "TT3", r.mixed(180, URL_SAFE)),
  Heroku: (r) => join("HR", "KU-AA", r.mixed(58, URL_SAFE)),
  Artifactory: (r) => join("AK", "Cp", r.mixed(69)),
  "1Password": (r) => join("op", "s_eyJ", r.mixed(260)),
  age: (r) => join("AGE-SECRET", "-KEY-1", r.text(58, UPPER + DIGITS)),
  JWT: (r) =>
    join(
      encoded({ alg: "HS256", typ: "JWT" }),
      ".",
      encoded({ sub: r.mixed(12), iat: 1_700_000_000 }),
      ".",
      r.mixed(43, URL_SAFE),
    ),
  Fireworks: (r) => join("f", "w_", r.mixed(24)),
  Firecrawl: (r) => join("f", "c-", r.hex(32)),
  Jina: (r) => join("ji", "na_", r.hex(32), r.mixed(28, URL_SAFE)),
  Voyage: (r) => join("p", "a-", r.mixed(43, URL_SAFE)),
  Modal: (r) => join(r.one(["ak", "as"]), "-", r.mixed(22)),
  Browserbase: (r) => join("bb", "_live_", r.mixed(27, URL_SAFE)),
  Svix: (r) => join(r.one(["s", "tests"]), "k_", r.mixed(32, URL_SAFE), r.one(["", ".eu", ".us"])),
  Lob: (r) => join(r.one(["live", "test"]), "_", r.hex(35)),
  Tencent: (r) => join("AK", "ID", r.mixed(32)),
  Instagram: (r) => join("IG", r.one(["QV", "AA"]), r.mixed(150, URL_SAFE)),
  NuGet: (r) => join("oy", "2", r.text(43, "abcdefghijklmnopqrstuvwxyz234567")),
  "Azure DevOps": (r) => join(r.mixed(52), "JQQJ", "99", r.mixed(18), "AZDO", r.mixed(8).slice(0, 4)),
  "Azure OpenAI": (r) => join(r.mixed(52), "JQQJ", "99", r.mixed(26)),
  Intercom: (r) =>
    Buffer.from(`tok:${r.hex(8)}_${r.hex(4)}_${r.hex(4)}_${r.hex(4)}_${r.hex(12)}:1:0`).toString("base64"),
  Asana: (r) =>
    join(r.one(["1", "2"]), "/12", r.text(14, DIGITS), r.one(["", "/12"]), ":", r.hex(32)).replace(
      "/12:",
      `/12${r.text(14, DIGITS)}:`,
    ),
  Trello: (r) => join("AT", "TA", r.hex(64), r.text(8, `${DIGITS}ABCDEF`)),
  Twitter: (r) =>
    join("A".repeat(21), "N", r.mixed(8), "g", "AAAAAA", r.mixed(27), r.one(["%3D", "%2B", "="]), r.mixed(50)),
  Fly: (r) => join("FlyV1 f", "m2_", r.mixed(160, BASE64), ",f", "m2_", r.mixed(90, BASE64)),
  Mollie: (r) => join("li", "ve_", r.mixed(30)),
  "Kerberos hash": (r) => join("$krb5", "asrep$23$", r.hex(32), "$", r.hex(300)),
  bcrypt: (r) => join("$2", "b$12$", r.mixed(53, `${BASE64.replace("+", "")}.`)),
  "SHA-512 crypt": (r) => join("$", "6$", r.mixed(16), "$", r.mixed(86)),
  yescrypt: (r) => join("$", "y$j9T$", r.mixed(22), "$", r.mixed(43)),
  argon2: (r) => join("$arg", "on2id$v=19$m=65536,t=3,p=4$", r.mixed(22), "$", r.mixed(43)),
};

/** A token alone, without a name. */
const TOKEN_PLACES: readonly Put[] = [
  (s) => `use ${s} for now, and tell nobody`,
  (s) => `{"value": "${s}", "n": 1}`,
  (s) => JSON.stringify({ stdout: `ok\n${s}\tdone\n`, code: 0 }),
  (s) => JSON.stringify(JSON.stringify({ stdout: `ok\n${s}\n` })),
  (s) => `items:\n  - ${s}\n  - other`,
  (s) => `$ echo '${s}' | pbcopy\nok`,
  (s) => `2026-01-02T03:04:05Z DEBUG sent \u001B[32m${s}\u001B[0m in 3 ms`,
  (s) => `GET https://example.org/x?v=${s}&n=1 200`,
  (s) => `GET https://example.org/redirect?to=%2Fx%3Fv%3D${s}%26n%3D1`,
  (s) => `GET https://example.org/redirect?to=%2Fx%2F${s}`,
  (s) => `Here it is: \`${s}\`, in **bold**: **${s}**`,
  (s) => `| service | value |\n|---|---|\n| it | ${s} |`,
  (s) => `"\\u001b[33m${s}\\u001b[0m"`,
  (s) => `(see ${s}).`,
];

const NAMES = {
  password:
    "DB_PASSWORD ADMIN_PASSWORD ACCOUNT_PASSWORD REDIS_CACHE_PASSWORD PGPASSWORD SMTP_PASS MYSQL_ROOT_PASSWORD LDAP_BIND_PASSWORD MAX_PASSWORD",
  token: "NPM_PUBLISH_TOKEN GITHUB_TOKEN SLACK_BOT_TOKEN DEPLOY_TOKEN SESSION_TOKEN ACCESS_TOKEN",
  key: "SERPER_API_KEY MINIMAX_API_KEY OPENAI_API_KEY AZURE_STORAGE_KEY PAPER_ACCESS_KEY ENCRYPTION_KEY",
  secret: "PLAID_SECRET CLIENT_SECRET JWT_SECRET HMAC_SECRET AWS_SECRET_ACCESS_KEY ID_SECRET",
} as const;
type Kind = keyof typeof NAMES;

const PLAIN_NAMES: Readonly<Record<Kind, string>> = {
  password: "password db_password dbPassword adminPassword userPassword smtp.password",
  token: "token access_token refreshToken authToken bot_token",
  key: "api_key apiKey openaiApiKey private_key encryptionKey",
  secret: "secret client_secret clientSecret webhook_secret",
};

const name = (r: Random, kind: Kind) => r.one(NAMES[kind].split(" "));
const plainName = (r: Random, kind: Kind) => r.one(PLAIN_NAMES[kind].split(" "));
const anyKind = (r: Random): Kind => r.one(["password", "token", "key", "secret"]);
/** Typical lengths: passwords are shorter than keys. */
const valueOf = (r: Random, kind: Kind) => (kind === "password" ? r.mixed(10 + r.below(8)) : r.mixed(24 + r.below(24)));

const assigned =
  (put: (name: string, secret: string) => string) =>
  (r: Random): [text: string, secret: string] => {
    const kind = anyKind(r);
    const secret = valueOf(r, kind);
    return [put(name(r, kind), secret), secret];
  };
const member =
  (put: (name: string, secret: string) => string) =>
  (r: Random): [text: string, secret: string] => {
    const kind = anyKind(r);
    const secret = valueOf(r, kind);
    return [put(plainName(r, kind), secret), secret];
  };
const given =
  (make: Make, put: (secret: string, random: Random) => string) =>
  (r: Random): [text: string, secret: string] => {
    const secret = make(r);
    return [put(secret, r), secret];
  };

const password: Make = (r) => r.mixed(12);
const word: Make = (r) => r.letters(11);
const strong: Make = (r) => `${r.mixed(6)}${r.one([")", ",", "&", "!", "#", "%", "*", "="])}${r.mixed(6)}`;
const awsSecret: Make = (r) => r.mixed(40, BASE64);
const awsId: Make = (r) => join("AK", "IA", r.text(16, UPPER + DIGITS));
const base64Of: Make = (r) => Buffer.from(`user:${r.mixed(14)}`).toString("base64");
const keyBody: Make = (r) => r.mixed(320, BASE64);
const lines = (body: string) => body.match(/.{1,64}/g)!;
const armour = (kind: string, body: string, prefix: (i: number) => string = () => "") =>
  [`-----BEGIN ${kind}-----`, ...lines(body), `-----END ${kind}-----`].map((line, i) => prefix(i) + line).join("\n");

/** As people choose passwords: a sign among letters and digits. No percent sign, which could begin an escape. */
const chosen: Make = (r) => `${r.mixed(6)}${r.one(["!", "#", "%Z"])}${r.mixed(6)}`;
const long: Make = (r) => r.mixed(20 + r.below(12));
/** `§` stands for the secret. */
const sentences =
  (make: Make, ...texts: string[]) =>
  (r: Random): [text: string, secret: string] => {
    const secret = make(r);
    return [r.one(texts).replaceAll("§", () => secret), secret];
  };

/** Secrets that a sentence, a message or a call announces. */
const ANNOUNCED: Readonly<Record<string, (random: Random) => [text: string, secret: string]>> = {
  "message of a program": sentences(
    long,
    "[Warning] temporary password is generated for root@localhost: §",
    "Please use the following password to proceed to installation:\n\n§\n\nThis may also be found at: /var/x",
    "Password for the elastic user (reset with `bin/reset-password -u elastic`):\n  §",
    "Password for the [elastic] user successfully reset.\nNew value: §",
    'Grafana: admin password reset to "§" successfully',
    "Incorrect API key provided: §. You can find your API key at https://example.org/account",
    "Unseal Key 1: §",
  ),
  "YAML, other scalars": sentences(
    long,
    "password: >-\n  §\nuser: x",
    "password: |\n  §\n",
    "password: !!str §\n",
    "? password\n: §\n",
    "**password**\n> §",
  ),
  list: sentences(long, "passwords:\n  - §\n  - other", "tokens: [§, other]", '{"secrets":["§","other"]}'),
  "pair without a name": sentences(
    long,
    '{"type":"password","value":"§"}',
    '{"selector":"#password","value":"§"}',
    '{"element":"Password field","ref":"e12","text":"§"}',
    "- value: §\n  name: DB_PASSWORD\n",
  ),
  "wrapped value": sentences(
    long,
    'Config { host: "x", password: Some("§"), port: 1 }',
    'Settings(db_password=SecretStr("§"), debug=True)',
    "CREATE LOGIN bob WITH PASSWORD = N'§'",
    "SET PASSWORD FOR 'bob'@'%' = PASSWORD('§');",
    "DRIVER=x;SERVER=h;UID=u;PWD={§};",
    "password = os.getenv('PW', '§')",
    'const password = process.env.PW || "§";',
    "process.env.TOKEN ??= '§'",
    'if (password === "§") {',
    "var token string = `§`",
    '  ~ master_password = "old" -> "§"',
    'array(1) {\n  ["password"]=>\n  string(20) "§"\n}',
  ),
  "string in pieces": (r) => {
    const secret = r.mixed(12);
    return [`password = "${r.mixed(12)}" + "${secret}"`, secret];
  },
  call: sentences(
    long,
    'account.setPassword("§")',
    '.password("§")',
    'requests.get(url, auth=("bob", "§"))',
    "auth = HTTPBasicAuth('bob', '§')",
    '.withCredentials("bob", "§")',
    'db.auth("bob", "§")',
    'jwt.sign(payload, "§", { expiresIn: "1h" })',
    "crypto.createHmac('sha256', '§')",
    "cy.get('input[name=password]').type('§')",
    'genai.configure("§")  # api key',
  ),
  "variable without a word": (r) => {
    const secret = r.mixed(32);
    const variable = r.one(
      "SESSION_KEY REDISCLI_AUTH SSHPASS MASTERPASS WALLET_PRIVKEY SUPABASE_SERVICE_ROLE WEBHOOK_HMAC PEPPER STRIPE_WH_SIGNING SONAR_LOGIN CLIENT_SEC SAS PHPSESSID JSESSIONID".split(
        " ",
      ),
    );
    return [`PORT=3000\n${variable}=${secret}\nDEBUG=false`, secret];
  },
  "command of a server": sentences(
    password,
    "rabbitmqctl add_user bob §",
    "snowsql -a x -u bob -p §",
    "cypher-shell -u neo4j -p §",
    "psexec \\\\srv -u admin -p § cmd",
    "schtasks /create /tn x /ru bob /rp §",
    "keytool -list -keystore x.jks -storepass §",
    "rocommunity § 10.0.0.0/8",
    "username bob privilege 15 password 0 §",
    "rootpw §",
    'CREATE USER app IDENTIFIED BY "§";',
    "SET PASSWORD FOR 'bob'@'%' = '§';",
    "credentials {\n  username 'bob'\n  password '§'\n}",
    '(setq smtp-password "§")',
    "<AutoLogon><Password><Value>§</Value></Password></AutoLogon>",
    "NEO4J_AUTH=neo4j/§",
  ),
  "key that a program announces": sentences(
    (r) => r.mixed(40),
    "vault operator unseal §",
    "set -gx OPENAI_KEY §",
    "here's my key: §",
    'co = cohere.Client("§")',
    '"Jwt": {"Key": "§", "Issuer": "x"}',
    "mc alias set s3 https://x ACCESSKEY123 §",
    "https://maker.ifttt.com/trigger/x/with/key/§",
  ),
  "key that a sentence names": sentences(
    (r) => r.one([r.mixed(r.one([32, 40, 48])), r.mixed(43, URL_SAFE), r.hex(64)]),
    "here is our Voyage key:\n\n```\n§\n```",
    "**Pinecone key:** §",
    "**Replicate key**: `§`",
    "| Anthropic key | § |",
    "Mein Jina-Key ist §",
    "unser Algolia-Schlüssel: §",
    "ma clé Jina est §",
    "mi clave de Algolia es §",
    "our keys: Fireworks is §",
    "here you go, Serper key:§",
    "Key (Deepgram): §",
    "the production AssemblyAI key is §",
    "I got a new Example key, it is §",
    "I rotated the Example key. The new one is §",
    "I use § as my Fireworks key",
    "§ (my Replicate key)",
    "Mixpanel key below\n§",
    "here is our Voyage key, don't share it: §",
    "the Datadog API key we use: §",
    "- Pinecone API key\n  - §",
    "AssemblyAI key\n\n    §",
    "<b>OpenRouter key</b>: §",
    "our Mistral key's value is §",
    "the key Serper gave me is §",
    "I have a key for Jina (§)",
    "here is our Cohere key: §",
    "my Mistral key is §",
    "The Deepgram key = §",
    "our Together AI key is: `§`",
    "Use my Groq API key: §",
    "the Tavily production key is §",
    "this is the key for Cohere: §",
    "Here's the Mistral key → §",
    "your cohere key: §",
    "use this Cohere key § for tests",
    "the key we use for Mistral is §",
    "Set the Mistral key to §",
    'My mistral.ai key is "§".',
    "key for cohere: §",
  ),
  "output of a command that prints a secret": sentences(
    (r) => r.mixed(r.one([20, 32, 40])),
    "$ echo $COHERE_API_KEY\n§",
    '$ echo "${MISTRAL_API_KEY}"\n§\n$',
    "PS> echo $env:COHERE_API_KEY\n§",
    "$ printenv MISTRAL_API_KEY\n§",
    "$ terraform output -raw cohere_key\n§",
    "$ terraform output -raw db\n§\n$ ls",
    "$ op read op://Private/Cohere/credential\n§",
    '❯ op read "op://vault/item/field" --no-newline\n§',
    "$ pass show web/cohere\n§\nuser: bob",
    "$ gcloud secrets versions access latest --secret=cohere --project x\n§",
    "~/app % gcloud secrets versions access 3 --secret cohere\n\n§",
    '{"command":"pass show web/cohere","stdout":"§\\n","code":0}',
    "$ vault kv get -field=key secret/app\n§",
    "$ security find-generic-password -s cohere -w\n§",
    "$ gh auth token\n§",
    "$ az keyvault secret show --name x --vault-name y --query value -o tsv\n§",
    "`op read op://a/b/c` gives\n\n```\n§\n```",
    "Bash(echo $COHERE_API_KEY)\n  ⎿  §",
    "<bash-input>pass show web/cohere</bash-input>\n<bash-stdout>§</bash-stdout>",
    '{"input":{"command":"echo $COHERE_API_KEY"},"output":"§"}',
    "The output of `op read op://a/b/c` is §",
    "Running: terraform output -raw cohere_key\nResult: §",
    "$ pass web/cohere\n§",
    "```sh\necho ${COHERE_API_KEY}\n```\n\n```\n§\n```",
    "<bash-input>echo $GH_TOKEN</bash-input>\n<bash-stdout>§\n</bash-stdout>",
    "terraform output -raw cohere_key  # §",
    "Command: op read op://a/b/c\nOutput:\n§\nExit code: 0",
    "**Command**\n```\npass show web/cohere\n```\n**Output**\n```\n§\n```",
    '$ echo "$COHERE_API_KEY" 2>/dev/null\n§',
    "+ op read op://a/b/c\n+ tee key\n§",
    "$ gcloud secrets versions access latest \\\n    --secret=cohere\n§",
    "I ran `pass web/mail` and got §",
    "2026-01-02T10:00:00Z run: pass show cohere\n2026-01-02T10:00:01Z §",
    "§ is what `op read op://a/b/c` printed",
  ),
  "configuration of Docker": sentences(
    (r) => r.one([base64Of(r), r.mixed(40), Buffer.from(`_json_key:${r.mixed(30)}`).toString("base64")]),
    '{"auths":{"registry.example":{"auth":"§"}}}',
    '{\n\t"auths": {\n\t\t"https://index.example/v1/": {\n\t\t\t"auth": "§"\n\t\t}\n\t}\n}',
    '{"auths":{"a.example":{"email":"bob@example.org","auth":"§"}}, "credsStore": ""}',
    "auths:\n  registry.example:\n    auth: §",
  ),
  "hexadecimal key that a program announces": sentences(
    (r) => r.hex(40),
    "wandb login §",
    "mvn sonar:sonar -Dsonar.login=§",
    "algoliasearch('APPID12345', '§')",
    "https://api.example.org/weather?q=x&appid=§",
    "$ cat config/master.key\n§",
  ),
  "storage key": sentences(
    (r) => `${r.mixed(86, BASE64)}==`,
    '{\n  "keyName": "key1",\n  "permissions": "FULL",\n  "value": "§"\n}',
    "KeyName    Permissions    Value\n---------  -------------  -----\nkey1       FULL           §",
  ),
  "Azure DevOps, old": sentences((r) => r.text(52, "abcdefghijklmnopqrstuvwxyz234567"), "the Azure DevOps PAT §"),
  "option of a tool": sentences(
    long,
    "setx OPENAI_KEY §",
    'echo "§" | gh secret set PROD_TOKEN',
    'printf "%s" "§" | wrangler secret put API_TOKEN',
    "vercel env add SECRET production <<< §",
    "useradd -m -p § bob",
    "keytool -genkey -keypass §",
    "unrar x -p§ a.rar",
    "snmpwalk -v2c -c § 10.0.0.1",
    "ipmitool -H h -U admin -P § chassis status",
    "xfreerdp /u:bob /p:§ /v:h",
    "cqlsh h -u cassandra -p §",
    "cargo login §",
    "poetry config pypi-token.pypi §",
    "composer config http-basic.repo.example.org bob §",
    "bundle config gems.example.org bob:§",
    "twine upload -u bob -p § dist/x",
    "vault kv put secret/app key=§",
    "security add-generic-password -a bob -s svc -w §",
    "curl -U bob:§ https://example.org",
    "curl -H 'Authorization: Api-Key §' https://example.org",
    "AUTH default §",
    "user default on >§ ~x +@all",
  ),
  "address, other places": sentences(
    long,
    "u:§@tcp(127.0.0.1:3306)/db?parseTime=true",
    "https://mainnet.infura.io/v3/§",
    "https://eth-mainnet.g.alchemy.com/v2/§",
    "https://example.org/reset-password?t=§",
    "https://example.org/reset/§",
  ),
  "URL password, several signs": (r) => {
    const secret = `${r.mixed(6)}@${r.mixed(6)}:${r.mixed(6)}/${r.mixed(6)}#${r.mixed(6)}`;
    return [`postgres://bob:${secret}@db.internal:5432/x`, secret];
  },
  "English sentence": sentences(
    chosen,
    "use § as the password for now",
    "I set the root pw to § on the new box",
    "user admin pass §",
    "Sure, the API key you gave me (§) works.",
    "The password was changed from § to something else.",
    "old pass §",
    "I'll log in with username bob and password § now",
    "password's §",
    "pw - §",
    "The access code is §",
    "§ is my api key",
    "temp password § expires soon",
  ),
  "sentence in another language": sentences(
    chosen,
    "mein API-Schlüssel ist §",
    "Zugangsdaten: admin / §",
    "le mot de passe est §",
    "mdp: §",
    "ma clé API est §",
    "la contraseña es §",
    "clave: §",
    "a senha é §",
    "la password è §",
    "chiave API: §",
    "lösenordet är §",
    "adgangskode: §",
    "passord: §",
    "salasana: §",
    "hasło to §",
    "heslo: §",
    "мой пароль §",
    "токен: §",
    "密码是§",
    "密码：§",
    "パスワード：§",
    "비밀번호는 § 입니다",
    "كلمة المرور: §",
    "סיסמה: §",
    "şifre: §",
    "κωδικός: §",
    "पासवर्ड: §",
    "mật khẩu: §",
    "kata sandi: §",
    "jelszó: §",
    "รหัสผ่าน: §",
  ),
  "other blanks and colons": sentences(
    long,
    "password\u00A0: §",
    "password\uFF1A§",
    "DB_PASS\u200B=\u200B§",
    "password …… §",
  ),
  "table, drawn": sentences(
    long,
    "+------+-----------------+\n| user | password        |\n+------+-----------------+\n| bob  | § |\n+------+-----------------+",
    "┌──────┬──────────┐\n│ user │ password         │\n├──────┼──────────┤\n│ bob  │ § │\n└──────┴──────────┘",
    "<tr><th>User</th><th>Password</th></tr><tr><td>bob</td><td>§</td></tr>",
  ),
  "recovery phrase": (r) => {
    const secret = Array.from({ length: 12 }, () => r.letters(4 + r.below(4))).join(" ");
    return [`Recovery phrase: ${secret}`, secret];
  },
  "private key, SSH2": given(
    (r) => r.mixed(320, BASE64),
    (s) =>
      `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${s.match(/.{1,64}/g)!.join("\n")}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  ),
};

/** Secrets that are recognised by their context. */
const FORMS: Readonly<Record<string, (random: Random) => [text: string, secret: string]>> = {
  ".env": assigned((n, s) => `A=1\n${n}=${s}\nB=2`),
  ".env, quoted": assigned((n, s) => `${n}="${s}"`),
  ".env, spaced": assigned((n, s) => `${n} = '${s}'`),
  ".env, any character": given(strong, (s, r) => `${name(r, "password")}=${s}\nB=2`),
  ".env, closed by a bracket": given(
    (r) => `${r.mixed(10)})`,
    (s, r) => `A=1\n${name(r, "password")}=${s}\nB=2`,
  ),
  ".env, letters": given(word, (s, r) => `${name(r, "password")}=${s}`),
  "value continued in the next line": (r) => {
    const pieces = [r.mixed(10), r.mixed(10)];
    const text = r.one([
      (value: string) => `A=1\nexport DB_PASSWORD=${value}\nB=2`,
      (value: string) => `API_TOKEN="${value}"`,
      (value: string) => `deploy --password ${value} --verbose`,
    ]);
    return [text(pieces.join("\\\n")), pieces[1]!];
  },
  "secret, letters only": given(
    // Without the letters of "key", "var" and "str": a variable may be named like that.
    (r) => r.text(20, "abcdefghijlmnoqu"),
    (s, r) =>
      r.one([`A=1\nclient_secret=${s}\nB=2`, `app:\n  secret: ${s}\n  port: 1`, `{"client_secret": "${s}", "n": 1}`]),
  ),
  "secret, letters and a sign": given(
    (r) => `${r.letters(8)}${r.one(["#", "!", "*"])}${r.letters(8)}`,
    (s) => `jwt:\n  secret: ${s}\n  expires: 1h`,
  ),
  "passphrase with hyphens": given(
    (r) => Array.from({ length: 4 }, () => r.letters(6)).join("-"),
    (s, r) => r.one([`db:\n  password: ${s}\n  port: 5432`, `user=app\npassword=${s}\nhost=db`]),
  ),
  "code, a word with a capital": given(
    (r) => `S${r.letters(10)}`,
    (s) => `password = "${s}"`,
  ),
  ".env, with a suffix": given(password, (s) => `DB_PASSWORD_PROD=${s}`),
  export: assigned((n, s) => `export ${n}=${s}`),
  "export and run": assigned((n, s) => `${n}=${s} npm run deploy`),
  "Windows set": assigned((n, s) => `C:\\> set ${n}=${s}`),
  PowerShell: assigned((n, s) => `$env:${n} = "${s}"`),
  "Docker ENV": given(password, (s) => `FROM x\nENV POSTGRES_PASSWORD ${s}\nRUN y`),
  "docker run": assigned((n, s) => `docker run -e ${n}=${s} -p 80:80 image`),
  "log line": assigned((n, s) => `2026-01-02 03:04:05 INFO config loaded ${n}=${s}, retries=3`),
  "log line, coloured": assigned((n, s) => `\u001B[90m03:04\u001B[0m ${n}=\u001B[32m${s}\u001B[0m`),
  JSON: member((n, s) => `{"user": "anna", "${n}": "${s}", "n": 1}`),
  "JSON in JSON": member((n, s) => JSON.stringify({ body: JSON.stringify({ [n]: s, n: 1 }) })),
  "JSON in JSON in JSON": member((n, s) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ [n]: s }) }) })),
  "JSON, letters": given(word, (s) => `{"password": "${s}"}`),
  "JSON, spread": member((n, s) => `{\n  "${n}" :\n    "${s}"\n}`.replace(":\n    ", ": ")),
  YAML: member((n, s) => `db:\n  ${n}: ${s}\n  port: 5432`),
  "YAML, quoted": member((n, s) => `- ${n}: "${s}"`),
  "YAML, letters": given(word, (s) => `db:\n  host: localhost\n  password: ${s}\n  port: 5432`),
  "YAML environment": given(password, (s) => `environment:\n  - POSTGRES_PASSWORD=${s}\n  - A=1`),
  "YAML pair": assigned((n, s) => `env:\n  - name: ${n}\n    value: ${s}\n  - name: PORT\n    value: "80"`),
  "YAML pair, quoted": assigned((n, s) => `- name: "${n}"\n  value: "${s}"`),
  "JSON pair": assigned((n, s) => `[{"name": "${n}", "value": "${s}"}, {"name": "PORT", "value": "80"}]`),
  "JSON pair, turned": assigned((n, s) => `[{"value": "${s}", "name": "${n}"}]`),
  "JSON pair of keys": assigned((n, s) => `{"Key":"${n}","Value":"${s}"}`),
  "XML pair": assigned((n, s) => `<add key="${n}" value="${s}"/>`),
  "XML element": given(password, (s) => `<user>anna</user><password>${s}</password>`),
  TOML: member((n, s) => `[db]\n${n} = "${s}"`),
  properties: given(password, (s) => `spring.datasource.username=app\nspring.datasource.password=${s}`),
  "properties, letters": given(word, (s) => `spring.datasource.password=${s}`),
  Terraform: member((n, s) => `resource "x" "y" {\n  ${n}    = "${s}"\n}`),
  "Terraform variable": given(password, (s) => `variable "db_password" {\n  type    = string\n  default = "${s}"\n}`),
  code: member((n, s) => `const ${n.replaceAll(".", "_")} = "${s}";`),
  "code, call": assigned((n, s) => `define('${n}', '${s}');`),
  "code, environment": assigned((n, s) => `os.environ["${n}"] = "${s}"`),
  "code, typed": given(
    (r) => r.mixed(32),
    (s, r) => r.one([`const apiKey: string = "${s}";`, `val apiKey: String = "${s}"`, `let token: &str = "${s}";`]),
  ),
  "code, property": given(password, (s) => `public string Password { get; set; } = "${s}";`),
  "SQL, inserted": given(password, (s) => `INSERT INTO users (name, password) VALUES ('anna', '${s}');`),
  "part of a form": given(password, (s) => `Content-Disposition: form-data; name="password"\n\n${s}\n--x`),
  "HTML, input": given(password, (s) => `<input type="password" name="pw" value="${s}">`),
  plist: given(password, (s) => `<key>Password</key>\n<string>${s}</string>`),
  "ssh-keygen": given(password, (s) => `ssh-keygen -t ed25519 -N "${s}" -f key`),
  pulumi: given(password, (s) => `pulumi config set --secret dbPassword ${s}`),
  prompt: given(password, (s) => `Password for anna: ${s}\nWelcome`),
  arrow: given(
    (r) => r.mixed(32),
    (s, r) => `token ${r.one(["->", "→", "—", "-"])} ${s}`,
  ),
  "other languages": given(password, (s, r) => `${r.one(["contraseña", "mot de passe ", "Passwort", "senha"])}: ${s}`),
  "list of cookies": given(
    (r) => r.mixed(32),
    (s) => `'set-cookie': [ 'sid=${s}; Path=/' ]`,
  ),
  "YAML anchor": given(password, (s) => `db:\n  password: &pw ${s}\n  port: 1`),
  flag: given(password, (s, r) => `deploy --${r.one(["password", "db-password", "admin-password"])} ${s} --verbose`),
  "flag, joined": given(
    (r) => r.mixed(32),
    (s, r) => `deploy --${r.one(["token", "api-key", "client-secret"])}=${s}`,
  ),
  "flag in a list": given(
    (r) => r.mixed(32),
    (s) => `["--token", "${s}"]`,
  ),
  "flag of Java": given(password, (s) => `java -Djavax.net.ssl.keyStorePassword=${s} -jar a.jar`),
  curl: given(password, (s) => `curl -u anna:${s} https://example.org`),
  "curl, several options": given(password, (s) => `curl -su anna:${s} https://example.org`),
  "curl, no blank": given(password, (s) => `curl -uanna:${s} https://example.org`),
  "curl, continued": given(password, (s) => `curl -X POST \\\n  -u "anna:${s}" \\\n  https://example.org`),
  "curl, long option": given(password, (s) => `curl --user anna:${s} https://example.org`),
  "curl cookie": given(
    (r) => r.mixed(32),
    (s) => `curl --cookie "sessionid=${s}" https://example.org`,
  ),
  "curl cookie, short": given(
    (r) => r.mixed(32),
    (s) => `curl -b 'sid=${s}; lang=en' https://example.org`,
  ),
  mysql: given(password, (s) => `mysql -u root -p${s} shop`),
  sshpass: given(password, (s) => `sshpass -p '${s}' ssh anna@host`),
  "docker login": given(password, (s) => `docker login -u anna -p ${s} registry.example.org`),
  "piped login": given(password, (s) => `echo "${s}" | docker login -u anna --password-stdin`),
  "redis-cli": given(password, (s) => `redis-cli -h cache -a ${s} ping`),
  SQL: given(password, (s, r) => r.one([`CREATE USER a IDENTIFIED BY '${s}';`, `ALTER ROLE a WITH PASSWORD '${s}'`])),
  "kubectl literal": given(password, (s) => `kubectl create secret generic db --from-literal=dsn=${s}`),
  "Authorization bearer": given(
    (r) => r.mixed(40),
    (s) => `Authorization: Bearer ${s}`,
  ),
  "Authorization basic": given(base64Of, (s) => `curl -H "Authorization: Basic ${s}" https://x.example.org`),
  "Authorization in JSON": given(
    (r) => r.mixed(40),
    (s) => `{"headers": {"Authorization": "Bearer ${s}"}}`,
  ),
  "Authorization escaped": given(
    (r) => r.mixed(40),
    (s) => JSON.stringify({ r: `{"authorization":"token ${s}"}` }),
  ),
  "header of a key": given(
    (r) => r.mixed(32),
    (s, r) => `${r.one(["X-Api-Key", "x-auth-token", "PRIVATE-TOKEN", "apikey"])}: ${s}`,
  ),
  "bearer in prose": given(
    (r) => r.mixed(40),
    (s) => `I sent Bearer ${s} with it`,
  ),
  "cookie header": given(
    (r) => r.mixed(32),
    (s) => `Cookie: theme=dark; sessionid=${s}; lang=en`,
  ),
  "set-cookie header": given(
    (r) => r.mixed(40),
    (s) => `Set-Cookie: connect.sid=s%3A${s}; Path=/; HttpOnly`,
  ),
  "cookies of a browser": given(
    (r) => r.mixed(32),
    (s, r) =>
      `[{"name": "${r.one(["connect.sid", "JSESSIONID", "auth"])}", "value": "${s}", "path": "/"}, {"name": "a"}]`,
  ),
  "cookie file": given(
    (r) => r.mixed(32),
    (s) => `.example.org\tTRUE\t/\tTRUE\t1893456000\tsession\t${s}`,
  ),
  "URL password": given(password, (s) => `postgres://app:${s}@db.internal:5432/main`),
  "URL password, any character": given(
    (r) => `${r.mixed(6)}${r.one(["/", "@", "#", "?", "%21", ":"])}${r.mixed(6)}`,
    (s) => `DATABASE_URL=postgres://app:${s}@db.internal:5432/main?ssl=true`,
  ),
  "URL password, escaped": given(password, (s) => `{"url":"mongodb:\\/\\/svc:${s}@cluster0.example.net\\/x"}`),
  "URL password, encoded": given(password, (s) => `?next=https%3A%2F%2Fbuild%3A${s}%40git.example.org%2Fa`),
  "URL password, letters": given(word, (s) => `amqps://worker:${s}@mq/vhost`),
  "URL token": given(
    (r) => r.mixed(36),
    (s) => `git clone https://${s}@git.example.org/a/b.git`,
  ),
  "URL token as user": given(
    (r) => r.mixed(36),
    (s) => `https://${s}:x-oauth-basic@github.com/a/b.git`,
  ),
  query: given(
    (r) => r.mixed(32),
    (s, r) => `https://example.org/a?b=1&${r.one(["access_token", "api_key", "token"])}=${s}&c=2`,
  ),
  "query, encoded": given(
    (r) => r.mixed(32),
    (s) => `https://example.org/?next=%2Fa%3Faccess_token%3D${s}`,
  ),
  "query signature": given(
    (r) => r.hex(64),
    (s) => `https://b.s3.example.com/k?X-Amz-Signature=${s}`,
  ),
  "ADO connection": given(password, (s) => `Server=db;Database=x;User Id=sa;Password=${s};Encrypt=true`),
  "storage connection": given(
    (r) => `${r.mixed(86, BASE64)}==`,
    (s) => `AccountName=a;AccountKey=${s};EndpointSuffix=x`,
  ),
  "JDBC connection": given(password, (s) => `jdbc:mysql://db/x?user=app&password=${s}`),
  "libpq connection": given(password, (s) => `host=db user=app password=${s} dbname=x`),
  "docker auth": given(base64Of, (s) => `{"auths": {"https://index.example.org/v1/": {"auth": "${s}"}}}`),
  dockerconfigjson: given(
    (r) => r.mixed(120, BASE64),
    (s) => `data:\n  .dockerconfigjson: ${s}\ntype: x`,
  ),
  kubeconfig: given(
    (r) => join("LS0tLS1CRUdJTi", "BSU0EgUFJJVkFURSBLRVkt", r.mixed(300, BASE64)),
    (s) => `users:\n- name: a\n  user:\n    client-key-data: ${s}`,
  ),
  "tls.key": given(
    (r) => join("LS0tLS1CRUdJTi", "BQUklWQVRFIEtFWS", r.mixed(300, BASE64)),
    (s) => `  tls.key: ${s}`,
  ),
  "Kubernetes secret": given(
    (r) => r.mixed(24),
    (s) => `apiVersion: v1\ndata:\n  dsn: ${s}\n  user: YW5uYQ==\nkind: Secret\nmetadata:\n  name: db`,
  ),
  "Kubernetes secret, plain": given(word, (s) => `kind: Secret\nstringData:\n  motto: ${s}\n---\nkind: ConfigMap`),
  "Kubernetes secret in JSON": given(
    (r) => r.mixed(24),
    (s) => `{"kind": "Secret", "data": {"dsn": "${s}", "b": "YW5uYQ=="}}`,
  ),
  "aws configure": given(
    awsSecret,
    (s, r) => `AWS Access Key ID [None]: ${awsId(r)}\nAWS Secret Access Key [None]: ${s}\nDefault region name [None]:`,
  ),
  "aws configure set": given(awsSecret, (s) => `aws configure set aws_secret_access_key ${s}`),
  "AWS CSV": given(awsSecret, (s, r) => `Access key ID,Secret access key\n${awsId(r)},${s}\n`),
  "AWS table": given(awsSecret, (s, r) => `|  AccessKeyId      |  ${awsId(r)}  |\n|  SecretAccessKey  |  ${s}  |`),
  "AWS prose": given(awsSecret, (s, r) => `The id is ${awsId(r)} and it goes with ${s}, as before.`),
  "AWS JSON": given(awsSecret, (s) => `{"Credentials": {"SecretAccessKey": "${s}"}}`),
  ".pgpass": given(password, (s) => `db.internal:5432:main:app:${s}`),
  ".netrc": given(password, (s) => `machine example.org\n  login anna\n  password ${s}`),
  ".npmrc": given(uuid, (s) => `//packages.example.org/:_authToken=${s}`),
  "redis.conf": given(password, (s) => `requirepass ${s}`),
  "Markdown, bold": given(password, (s) => `- **User:** anna\n- **Password:** ${s}`),
  "Markdown, bold name": given(
    (r) => r.mixed(32),
    (s) => `**API key**: \`${s}\``,
  ),
  "Markdown, row": given(password, (s) => `| User | anna |\n| Password | ${s} |`),
  "Markdown, column": given(password, (s) => `| User | Password |\n|---|---|\n| anna | ${s} |\n`),
  "table of a database": given(password, (s) => ` name | password \n------+----------\n anna | ${s}\n`),
  CSV: given(password, (s) => `user,password,role\nanna,${s},admin\n`),
  "HTML, row": given(password, (s) => `<tr><td>Password</td><td>${s}</td></tr>`),
  prose: given(
    (r) => r.mixed(32),
    (s, r) => `my ${r.one(["api key", "access token", "client secret", "API key for staging"])} is ${s}, thanks`,
  ),
  "prose, password": given(password, (s) => `The new password is ${s}. Use it.`),
  "line below": given(
    (r) => r.mixed(32),
    (s, r) => `Here is the ${r.one(["API key", "token", "secret"])}:\n${s}\nUse it.`,
  ),
  "line below, in a fence": given(
    (r) => r.mixed(32),
    (s) => `API key:\n\`\`\`\n${s}\n\`\`\``,
  ),
  "line below, no colon": given(
    (r) => r.mixed(32),
    (s) => `API_KEY\n${s}\n`,
  ),
  "private key": given(keyBody, (s, r) =>
    armour(r.one(["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"]), s),
  ),
  "private key, listed": given(keyBody, (s) => armour("PRIVATE KEY", s, (i) => `${String(i + 1).padStart(6)}→`)),
  "private key, quoted": given(keyBody, (s) => armour("RSA PRIVATE KEY", s, () => "> ")),
  "private key, added": given(keyBody, (s) => armour("RSA PRIVATE KEY", s, () => "+")),
  "private key, removed": given(keyBody, (s) => armour("RSA PRIVATE KEY", s, () => "-")),
  "private key, indented": given(keyBody, (s) => `key: |\n${armour("PRIVATE KEY", s, () => "    ")}`),
  "private key, cut": given(keyBody, (s) => armour("PRIVATE KEY", s).replace(/\n-----END.*/, "")),
  "private key, listed and cut": given(keyBody, (s) =>
    armour("PRIVATE KEY", s, (i) => `${String(i + 1).padStart(6)}→`).replace(/\n.*-----END.*/, ""),
  ),
  "private key, without beginning": given(keyBody, (s) => armour("PRIVATE KEY", s).replace(/^.*\n/, "")),
  "private key in one line": given(keyBody, (s) => `KEY="${armour("PRIVATE KEY", s).replaceAll("\n", "\\n")}"`),
  "webhook of Teams": given(
    (r) => `${uuid(r)}@${uuid(r)}/IncomingWebhook/${r.hex(32)}/${uuid(r)}`,
    (s) => `curl -d '{"text":"x"}' https://outlook.office.com/webhook/${s}`,
  ),
  "web key": given(
    (r) => r.mixed(43, URL_SAFE),
    (s) => `{"kty":"OKP","crv":"Ed25519","x":"abc","d":"${s}"}`,
  ),
};

/** Wraps a sample as output inside other output. */
const WRAPPERS: Readonly<Record<string, Put>> = {
  plain: (text) => text,
  prose: (text) => `Look at this:\n\n${text}\n\nIt does not work.`,
  "Markdown fence": (text) => `\`\`\`\n${text}\n\`\`\``,
  "JSON string": (text) => JSON.stringify({ type: "tool_result", content: text }),
  "JSON string in JSON": (text) => JSON.stringify({ line: JSON.stringify({ stdout: text }) }),
  "log line": (text) =>
    `2026-01-02T03:04:05Z INFO worker[12]: begin\n${text}\n2026-01-02T03:04:06Z INFO worker[12]: end`,
  listing: (text) =>
    text
      .split("\n")
      .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
      .join("\n"),
};

/** Every form in every context, once each, with fresh values. */
export function freshSecrets(seed: number): Sample[] {
  const random = randomFrom(seed);
  const tokens = Object.entries(TOKENS).flatMap(([form, make]) =>
    TOKEN_PLACES.map((place) => {
      const secret = make(random);
      return { form, text: place(secret), secret };
    }),
  );
  const others = Object.entries({ ...FORMS, ...ANNOUNCED }).flatMap(([form, make]) =>
    Object.entries(WRAPPERS).map(([wrapper, wrap]) => {
      const [text, secret] = make(random);
      return { form: `${form}, ${wrapper}`, text: wrap(text), secret };
    }),
  );
  return [...tokens, ...others];
}

/** Fewer characters of a secret reveal nothing. */
const PART = 6;

/** The first part of a secret that is still in a text. */
export function leftOf({ text, secret }: Sample, redacted: string): string | undefined {
  const around = text.split(secret).join(" ");
  for (let at = 0; at + PART <= secret.length; at++) {
    const part = secret.slice(at, at + PART);
    if (redacted.includes(part) && !around.includes(part)) return part;
  }
  return undefined;
}
