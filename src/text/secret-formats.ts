// The tokens that can be told by their form alone, wherever they stand: those
// of the known providers, JSON Web Tokens, webhook addresses. Used by
// redaction.ts. Each form has a prefix or a structure that ordinary text, code
// and hashes do not have.

export interface SecretFormat {
  /** What a reader is told in its place. */
  readonly name: string;
  /**
   * Bounded in every part: so no text makes it slow, or deep. It begins where
   * no letter, digit or underscore stands before it; a token that is longer
   * than any that are known is followed to its end by redaction.ts.
   */
  readonly pattern: string;
}

const format = (name: string, ...patterns: string[]): SecretFormat => ({
  name,
  pattern: patterns.length === 1 ? patterns[0]! : `(?:${patterns.join("|")})`,
});

/** In the order in which they are tried: the special before the general. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  // Models
  format("Anthropic key", "sk-ant-[\\w-]{20,400}"),
  format("OpenRouter key", "sk-or-v1-[\\da-f]{32,400}"),
  format("OpenAI key", "sk-(?:proj|svcacct|service|admin|None)-[\\w-]{20,400}", "sk-[A-Za-z\\d]{32,400}(?![\\w-])"),
  format("Groq key", "gsk_[A-Za-z\\d]{32,400}"),
  format("xAI key", "xai-[A-Za-z\\d]{40,400}"),
  format("Perplexity key", "pplx-[A-Za-z\\d]{32,400}"),
  format("Replicate token", "r8_[A-Za-z\\d]{37}(?!\\w)"),
  format("Hugging Face token", "hf_[A-Za-z\\d]{30,400}", "api_org_[A-Za-z\\d]{30,400}"),
  format("LangSmith key", "lsv2_(?:pt|sk)_[\\da-f]{32}_[\\da-f]{8,400}"),
  format("Pinecone key", "pcsk_\\w{40,400}"),
  format("NVIDIA key", "nvapi-[\\w-]{50,400}"),
  format("Tavily key", "tvly-[\\w-]{24,400}"),
  format("Cursor key", "(?:crsr|key)_[\\da-f]{64}(?!\\w)"),
  // Clouds
  format("AWS access key", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z\\d]{16}(?!\\w)", "ABSK[A-Za-z\\d+/]{80,400}={0,2}"),
  format("Google key", "AIza[\\w-]{35}(?![\\w-])", "GOCSPX-[\\w-]{24,400}"),
  format("Google token", "ya29\\.[\\w-]{20,400}", "1//0[\\w-]{30,400}"),
  format("Azure secret", "[\\w.~-]{3}\\dQ~[\\w.~-]{31,34}(?![\\w~-])"),
  format("DigitalOcean token", "do[opr]_v1_[\\da-f]{64}"),
  format("Databricks token", "dapi[\\da-f]{32}(?:-\\d)?(?!\\w)"),
  format("Supabase key", "sbp_(?:oauth_)?[\\da-f]{40}", "sb_secret_[\\w-]{20,400}"),
  format("Heroku key", "HRKU-[\\w-]{36,400}"),
  format("Fly.io token", "fm[12]\\w?_[A-Za-z\\d+/=_-]{60,400}"),
  format("Netlify token", "nfp_[A-Za-z\\d]{36,400}"),
  format("PlanetScale secret", "pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,400}"),
  format("Cloudflare key", "v1\\.0-[\\da-f]{24}-[\\da-f]{146}"),
  format("Alibaba access key", "LTAI[A-Za-z\\d]{20}(?!\\w)"),
  format("Pulumi token", "pul-[\\da-f]{40}(?!\\w)"),
  format("Terraform token", "[A-Za-z\\d]{14}\\.atlasv1\\.[\\w=-]{60,400}"),
  format("Vault token", "hv[sbr]\\.[\\w-]{24,400}"),
  format("Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{36,400}"),
  format("Tailscale key", "tskey-[a-z]{2,12}-[\\w-]{20,400}"),
  // Code and packages
  format("GitHub token", "gh[pousr]_[A-Za-z\\d]{36,400}", "github_pat_\\w{36,400}"),
  format(
    "GitLab token",
    "gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[\\w.-]{20,400}",
    "GR1348941[\\w-]{20}",
  ),
  format("Bitbucket password", "ATBB[A-Za-z\\d]{24,400}"),
  format("Atlassian token", "AT[AC]TT3[\\w=-]{50,400}"),
  format("npm token", "npm_[A-Za-z\\d]{36}(?!\\w)"),
  format("PyPI token", "pypi-[\\w-]{50,400}"),
  format("RubyGems key", "rubygems_[\\da-f]{48}"),
  format("crates.io token", "cio[A-Za-z\\d]{32}(?!\\w)"),
  format("Docker token", "dckr_(?:pat|oat)_[\\w-]{20,400}"),
  format("CircleCI token", "CCIPAT_\\w{40,400}"),
  format("Buildkite token", "bkua_[\\da-f]{40}"),
  format("Sourcegraph token", "sgp_(?:[\\da-f]{16}_)?[\\da-f]{40}(?!\\w)"),
  format("Postman key", "PMAK-[\\da-f]{24}-[\\da-f]{34}"),
  // Payment
  format("Stripe key", "[sr]k_(?:live|test)_[A-Za-z\\d]{16,400}", "whsec_[A-Za-z\\d+/]{24,400}={0,2}"),
  format("Square token", "sq0(?:atp|csp)-[\\w-]{22,400}"),
  format("Shopify token", "shp(?:at|ca|pa|ss)_[\\dA-Fa-f]{32}"),
  // Messages and mail
  format("Slack token", "xox[abeoprs](?:\\.xox[bp])?-[\\w-]{10,400}", "xapp-\\d-[\\w-]{20,400}"),
  format("Slack webhook", "hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/-]{20,400}"),
  format("Discord token", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w.-])", "mfa\\.[\\w-]{80,400}"),
  format("Discord webhook", "discord(?:app)?\\.com/api/webhooks/\\d{16,20}/[\\w-]{50,400}"),
  format("Teams webhook", "webhook\\.office\\.com/webhookb2/[\\w@/.-]{60,400}"),
  format("Telegram token", "\\d{8,10}:AA[\\w-]{33}(?![\\w-])"),
  format("Twilio key", "SK[\\da-f]{32}(?!\\w)"),
  format("SendGrid key", "SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}"),
  format("Mailgun key", "key-[\\da-f]{32}(?!\\w)"),
  format("Mailchimp key", "[\\da-f]{32}-us\\d{1,2}(?!\\w)"),
  format("Brevo key", "xkeysib-[\\da-f]{64}-\\w{16}"),
  format("Resend key", "re_[A-Za-z\\d]{8}_[A-Za-z\\d]{24}(?!\\w)"),
  // Work and watching
  format("Linear key", "lin_(?:api|oauth)_[A-Za-z\\d]{32,400}"),
  format("Notion token", "secret_[A-Za-z\\d]{43}(?!\\w)", "ntn_[A-Za-z\\d]{40,400}"),
  format("Airtable token", "pat[A-Za-z\\d]{14}\\.[\\da-f]{64}"),
  format("Figma token", "fig[do]r?_[\\w-]{30,400}"),
  format("Dropbox token", "sl\\.(?:u\\.)?[\\w-]{100,400}"),
  format("Contentful token", "CFPAT-[\\w-]{40,400}"),
  format("Grafana token", "glsa_[A-Za-z\\d]{32}_[\\dA-Fa-f]{8}", "glc_[A-Za-z\\d+/]{32,400}={0,2}"),
  format("Sentry token", "sntrys_[\\w+/=-]{40,400}", "sntryu_[\\da-f]{64}"),
  format("New Relic key", "NRAK-[A-Z\\d]{27}(?!\\w)"),
  format("Dynatrace token", "dt0[a-z]\\d{2}\\.[A-Z\\d]{24}\\.[A-Z\\d]{64}"),
  format("1Password token", "ops_eyJ[\\w+/=-]{60,400}"),
  format("age key", "AGE-SECRET-KEY-1[A-Z\\d]{50,400}"),
  format("Mapbox token", "sk\\.eyJ[\\w-]{20,400}\\.[\\w-]{16,400}"),
  format("Facebook token", "EAA[A-Za-z\\d]{100,400}"),
  // What any of them may issue: three parts, or the five of an encrypted one
  format(
    "JWT",
    "eyJ[\\w-]{8,2000}\\.eyJ[\\w-]{4,8000}\\.[\\w-]{0,2000}",
    "eyJ[\\w-]{16,2000}\\.[\\w-]{0,2000}\\.[\\w-]{16,200}\\.[\\w-]{16,8000}\\.[\\w-]{16,200}",
  ),
];
