// The tokens that are known by their form alone, wherever they stand, as data:
// a new provider is one row. Used by known-tokens.ts. Each form has a prefix or
// a structure that ordinary text, code and hashes do not have, and each was
// looked up in the public source that its row names, or is known from public
// code, where the row names the provider's page on its tokens.

export interface TokenFormat {
  /** What a reader sees in its place: "[redacted: GitHub token]". */
  readonly name: string;
  /**
   * The literal beginnings (separated by `|`), a space, and the expression for
   * what follows them, bounded in every part so that no text makes it slow or
   * deep. `^` in front: it must not begin in the middle of a word, because the
   * beginning is too short to be distinctive. `*` in front: the literal stands
   * somewhere in the token, and the expression is for the whole of it.
   */
  readonly pattern: string;
  /** `<36>` stands for 36 letters and digits, `<hex 40>`, `<upper 16>`, `<digit 12>` and `<url 43>` for others: no scanner takes this file for a leak. */
  readonly example: string;
  /** Where the form is documented. */
  readonly source: string;
}

const GITLEAKS = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
const BETTERLEAKS = "https://github.com/betterleaks/betterleaks/blob/main/config/betterleaks.toml";
const KINGFISHER = "https://github.com/mongodb/kingfisher/tree/main/data/rules";
const NOSEYPARKER =
  "https://github.com/praetorian-inc/noseyparker/tree/main/crates/noseyparker/data/default/builtin/rules";
const HERMES = "https://github.com/NousResearch/hermes-agent/blob/main/agent/redact.py";
const trufflehog = (detector: string) =>
  `https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/${detector}`;
const SVIX = "https://github.com/vercel/next-forge/blob/main/packages/webhooks/keys.ts";
const TRELLO = "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/";
/** A list of kinds of tokens, which does not give their forms. */
const GITHUB_PATTERNS =
  "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns";

type Row = readonly [name: string, pattern: string, example: string, source: string];

const MODELS: readonly Row[] = [
  ["Anthropic key", "sk-ant- [\\w-]{20,400}", "sk-ant-api03-<url 93>AA", GITLEAKS],
  ["OpenRouter key", "sk-or-v1- [\\da-f]{32,400}", "sk-or-v1-<hex 64>", trufflehog("openrouter")],
  ["OpenAI key", "sk-proj-|sk-svcacct-|sk-service-|sk-admin-|sk-None- [\\w-]{20,400}", "sk-proj-<url 74>", GITLEAKS],
  ["MiniMax key", "sk-api- [\\w-]{60,400}", "sk-api-<url 119>", BETTERLEAKS],
  ["Langfuse key", "sk-lf- [\\da-f-]{32,40}", "sk-lf-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>", trufflehog("langfuse")],
  ["OpenAI key", "^sk- [A-Za-z\\d]{32,400}(?![\\w-])", "sk-<48>", trufflehog("deepseek")],
  ["Groq key", "gsk_ [A-Za-z\\d]{32,400}", "gsk_<52>", trufflehog("groq")],
  ["xAI key", "xai- \\w{40,400}", "xai-<80>", trufflehog("xai")],
  ["Perplexity key", "pplx- [A-Za-z\\d]{32,400}", "pplx-<48>", GITLEAKS],
  ["Cerebras key", "^csk- [A-Za-z\\d]{40,400}", "csk-<48>", BETTERLEAKS],
  ["Together key", "tgp_v1_ [\\w-]{32,400}", "tgp_v1_<url 43>", BETTERLEAKS],
  ["Replicate token", "^r8_ [A-Za-z\\d]{37}(?!\\w)", "r8_<37>", BETTERLEAKS],
  ["Hugging Face token", "^hf_ [A-Za-z\\d]{30,400}", "hf_<34>", GITLEAKS],
  ["Hugging Face token", "api_org_ [A-Za-z\\d]{30,400}", "api_org_<34>", GITLEAKS],
  ["LangSmith key", "lsv2_pt_|lsv2_sk_ [\\da-f]{32}_[\\da-f]{8,400}", "lsv2_pt_<hex 32>_<hex 10>", BETTERLEAKS],
  ["Pinecone key", "pcsk_ \\w{40,400}", "pcsk_<5>_<63>", trufflehog("pinecone")],
  ["NVIDIA key", "nvapi- [\\w-]{50,400}", "nvapi-<url 64>", trufflehog("nvapi")],
  ["Tavily key", "tvly- [\\w-]{24,400}", "tvly-dev-<32>", GITHUB_PATTERNS],
  ["Brave key", "^BSA [\\w-]{24,40}(?![\\w-])", "BSA<28>", BETTERLEAKS],
  ["Cursor key", "crsr_ [\\da-f]{64}(?!\\w)", "crsr_<hex 64>", GITHUB_PATTERNS],
  ["Cursor key", "^key_ [\\da-f]{64}(?!\\w)", "key_<hex 64>", GITHUB_PATTERNS],
  ["Context7 key", "ctx7sk- [\\w-]{24,400}", "ctx7sk-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>", GITHUB_PATTERNS],
  ["Weights and Biases key", "wandb_v1_ \\w{60,400}", "wandb_v1_<77>", BETTERLEAKS],
  ["ElevenLabs key", "^sk_ [\\da-f]{48}(?!\\w)", "sk_<hex 48>", trufflehog("elevenlabs")],
  ["RunPod key", "^rpa_ [A-Z\\d]{40}[A-Za-z\\d]{6}(?!\\w)", "rpa_<upper 40><6>", BETTERLEAKS],
  ["E2B key", "^e2b_ [\\da-f]{40}(?!\\w)", "e2b_<hex 40>", "https://github.com/e2b-dev/E2B"],
  ["Apify token", "apify_api_ [A-Za-z\\d]{30,400}", "apify_api_<36>", trufflehog("apify")],
  ["Devin key", "apk_user_ [A-Za-z\\d+/]{80,400}={0,2}", "apk_user_<140>", BETTERLEAKS],
  ["Devin key", "^apk_ [A-Za-z\\d+/]{80,400}={0,2}", "apk_<90>", BETTERLEAKS],
  ["Devin key", "^cog_ [a-z2-7]{52}(?!\\w)", "cog_<b32 52>", BETTERLEAKS],

  ["Fireworks key", "^fw_|fpk_ (?=[A-Za-z]{0,40}\\d)[A-Za-z\\d]{20,60}(?!\\w)", "fw_<24>", HERMES],
  [
    "Firecrawl key",
    "^fc- [\\da-f]{32}(?![\\w-])",
    "fc-<hex 32>",
    "https://docs.firecrawl.dev/api-reference/v2-introduction",
  ],
  ["Jina key", "^jina_ [A-Za-z\\d]{32}[\\w-]{16,48}(?![\\w-])", "jina_<hex 32><url 28>", "https://jina.ai/reader"],
  [
    "Voyage key",
    "^pa-|al- (?=[\\w-]{0,42}\\d)(?=[\\w-]{0,42}[A-Z])[\\w-]{43}(?![\\w-])",
    "pa-<url 43>",
    "https://docs.voyageai.com/docs/api-key-and-installation",
  ],
  [
    "Modal token",
    "^ak-|as-|wk-|ws- (?=[A-Za-z]{0,21}\\d)(?=[a-z\\d]{0,21}[A-Z])(?=[A-Z\\d]{0,21}[a-z])[A-Za-z\\d]{22}(?![\\w-])",
    "ak-<22>",
    "https://alchemy.run/modal/setup",
  ],
  [
    "Browserbase key",
    "^bb_live_|bb_test_ (?=[\\w-]{0,24}[A-Z])(?=[\\w-]{0,24}[a-z])[\\w-]{24,60}(?![\\w-])",
    "bb_live_<url 27>",
    HERMES,
  ],
  ["AgentMail key", "^am_org_|am_ (?=[A-Za-z]{0,60}\\d)[A-Za-z\\d]{32,80}(?!\\w)", "am_<64>", HERMES],
  [
    "Mem0 key",
    "^m0- (?=[A-Za-z]{0,40}\\d)[A-Za-z\\d]{40}(?!\\w)",
    "m0-<40>",
    "https://docs.mem0.ai/platform/quickstart",
  ],
  ["LlamaCloud key", "^llx- [A-Za-z\\d]{40,60}(?!\\w)", "llx-<48>", "https://docs.cloud.llamaindex.ai/api_key"],
  [
    "Matrix token",
    "^syt_ [\\w+/=]{4,60}_[A-Za-z]{20}_[A-Za-z\\d]{6}(?!\\w)",
    "syt_<12>_ABcdEFghIJklMNopQRst_<6>",
    HERMES,
  ],
  ["Codex token", "^gAAAA [\\w-]{96,2000}={0,2}(?![\\w-])", "gAAAABo<url 160>==", HERMES],
];

const CLOUDS: readonly Row[] = [
  ["AWS access key", "AKIA|ASIA|ABIA|ACCA [A-Z\\d]{16}(?!\\w)", "AKIA<upper 16>", GITLEAKS],
  [
    "AWS session token",
    "IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz [\\w+/=%-]{80,2000}",
    "IQoJb3JpZ2lu<300>",
    trufflehog("aws"),
  ],
  ["Bedrock key", "ABSK [A-Za-z\\d+/]{80,400}={0,2}", "ABSK<128>", GITLEAKS],
  [
    "Bedrock key",
    "bedrock-api-key- [A-Za-z\\d+/=]{40,2000}",
    "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t<200>",
    GITLEAKS,
  ],
  ["Google key", "AIza [\\w-]{35}(?![\\w-])", "AIza<url 35>", GITLEAKS],
  ["Google key", "^AQ. [\\w-]{40,400}", "AQ.Ab8RN6<url 44>", BETTERLEAKS],
  ["Google key", "GOCSPX- [\\w-]{24,400}", "GOCSPX-<url 28>", GITHUB_PATTERNS],
  ["Google token", "ya29. [\\w-]{20,400}", "ya29.<url 160>", GITHUB_PATTERNS],
  ["Google token", "^1//0 [\\w-]{30,400}", "1//0<url 90>", GITHUB_PATTERNS],
  ["Azure secret", "*Q~ (?<![\\w.~-])[\\w.~]{3}\\dQ~[\\w.~-]{31,34}(?![\\w~-])", "<3>8Q~<34>", GITLEAKS],
  ["DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_ [\\da-f]{64}", "dop_v1_<hex 64>", GITLEAKS],
  ["Databricks token", "dapi [\\da-f]{32}(?:-\\d)?(?!\\w)", "dapi<hex 32>", GITLEAKS],
  ["Supabase key", "sbp_oauth_|sbp_ [\\da-f]{40}", "sbp_<hex 40>", BETTERLEAKS],
  ["Supabase key", "sb_secret_ [\\w-]{20,400}", "sb_secret_<url 31>", BETTERLEAKS],
  ["Neon key", "napi_ [A-Za-z\\d]{40,400}(?!\\w)", "napi_<64>", BETTERLEAKS],
  ["Scalingo token", "^tk-us- [\\w-]{48}(?![\\w-])", "tk-us-<url 48>", BETTERLEAKS],
  ["Yandex key", "^AQVN [\\w-]{35,38}(?![\\w-])", "AQVN<url 36>", BETTERLEAKS],
  ["MongoDB Atlas secret", "mdb_sa_sk_ [\\w-]{32,400}", "mdb_sa_sk_<url 40>", BETTERLEAKS],
  ["CockroachDB key", "CCDB1_ [A-Za-z\\d]{22}_[A-Za-z\\d]{40}", "CCDB1_<22>_<40>", BETTERLEAKS],
  ["DataStax token", "AstraCS: [A-Za-z\\d:]{20,400}", "AstraCS:<24>:<hex 64>", BETTERLEAKS],
  ["Heroku key", "HRKU- [\\w-]{36,400}", "HRKU-AA<58>", GITLEAKS],
  ["Fly.io token", "fm1a_|fm1r_|fm2_ [A-Za-z\\d+/=_-]{60,400}", "fm2_<200>", GITLEAKS],
  ["Fly.io token", "^fo1_ [\\w-]{43}(?![\\w-])", "fo1_<url 43>", GITLEAKS],
  ["Render key", "^rnd_ [A-Za-z\\d]{28,40}(?!\\w)", "rnd_<28>", BETTERLEAKS],
  ["Vercel token", "vcp_|vci_|vca_|vcr_|vck_ [\\w-]{56}(?!\\w)", "vcp_<56>", BETTERLEAKS],
  ["Netlify token", "nfp_ \\w{36,400}", "nfp_<36>", trufflehog("netlify")],
  ["Deno token", "ddp_ [A-Za-z\\d]{36}(?!\\w)", "ddp_<36>", BETTERLEAKS],
  ["PlanetScale secret", "pscale_tkn_|pscale_pw_|pscale_oauth_ [\\w.=-]{32,400}", "pscale_tkn_<43>", GITLEAKS],
  ["Cloudflare key", "v1.0- [\\da-f]{24}-[\\da-f]{146}", "v1.0-<hex 24>-<hex 146>", GITLEAKS],
  [
    "Cloudflare token",
    "cfut_|cfat_|cfk_ [A-Za-z\\d]{40,400}",
    "cfut_<40><hex 8>",
    "https://developers.cloudflare.com/fundamentals/api/get-started/token-formats",
  ],
  ["Alibaba access key", "LTAI [A-Za-z\\d]{17,24}(?!\\w)", "LTAI<20>", trufflehog("alibaba")],
  ["Pulumi token", "pul- [\\da-f]{40}(?!\\w)", "pul-<hex 40>", GITLEAKS],
  [
    "Terraform token",
    "*.atlasv1. (?<![A-Za-z\\d])[A-Za-z\\d]{14}\\.atlasv1\\.[\\w=-]{60,400}",
    "<14>.atlasv1.<url 67>",
    GITLEAKS,
  ],
  ["Vault token", "hvs.|hvb.|hvr. [\\w-]{24,400}", "hvs.<url 95>", GITLEAKS],
  ["Doppler token", "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit. [\\w.-]{36,400}", "dp.pt.<43>", GITLEAKS],
  ["Tailscale key", "tskey- [a-z]{2,12}-[\\w-]{20,400}", "tskey-auth-<12>-<32>", trufflehog("tailscale")],
  ["OpenShift token", "sha256~ [\\w-]{43}(?![\\w-])", "sha256~<url 43>", GITLEAKS],
  ["Docker Swarm token", "SWMTKN-1- [a-z\\d]{40,60}-[a-z\\d]{20,30}", "SWMTKN-1-<lower 50>-<lower 25>", BETTERLEAKS],
  ["Docker Swarm key", "SWMKEY-1- [A-Za-z\\d+/]{40,50}", "SWMKEY-1-<43>", BETTERLEAKS],
  ["Exoscale key", "^EXO [a-f\\d]{24,30}(?!\\w)", "EXO<hex 26>", BETTERLEAKS],
  ["UpCloud token", "ucat_ [A-Z\\da-z]{24,32}", "ucat_<26>", BETTERLEAKS],

  [
    "Tencent key id",
    "^AKID (?=[A-Za-z]{0,30}\\d)[A-Za-z\\d]{28,40}(?!\\w)",
    "AKID<32>",
    "https://www.tencentcloud.com/document/product/1305/79743",
  ],
  ["Alibaba access key", "^STS. [A-Za-z\\d]{20,64}(?!\\w)", "STS.<25>", BETTERLEAKS],
  [
    "Azure DevOps token",
    "*AZDO (?<![\\w+/-])[A-Za-z\\d]{76}AZDO[A-Za-z\\d]{4}(?![\\w+/=-])",
    "<52>JQQJ99<18>AZDO<4>",
    "https://learn.microsoft.com/en-us/purview/sit-defn-azure-devops-personal-access-token",
  ],
  [
    "Azure key",
    "*JQQJ99 (?<![\\w+/-])[A-Za-z\\d]{52}JQQJ99[A-Za-z\\d]{22,28}(?![\\w+/=-])",
    "<52>JQQJ99<26>",
    "https://github.com/microsoft/security-utilities",
  ],
  [
    "Azure registry password",
    "*+ACR (?<![\\w+/-])[A-Za-z\\d+/]{42}\\+ACR[A-Za-z\\d]{6}(?![\\w+/=-])",
    "<42>+ACR<6>",
    trufflehog("azurecontainerregistry"),
  ],
  [
    "Fly.io token",
    "FlyV1 [ \\t](?:fm[12][ar]?_[A-Za-z\\d+/=_-]{20,1000},?){1,8}",
    "FlyV1 fm2_<200>,fm2_<120>",
    GITLEAKS,
  ],
  ["ClickHouse key", "^4b1d [A-Za-z\\d]{38}(?!\\w)", "4b1d<38>", BETTERLEAKS],
  ["Elastic key", "^essu_ [\\w-]{60,200}={0,2}", "essu_<url 80>", BETTERLEAKS],
];

const CODE: readonly Row[] = [
  ["GitHub token", "ghp_|gho_|ghu_|ghr_ \\w{36,400}", "ghp_<36>", GITLEAKS],
  ["GitHub token", "ghs_ [\\w.-]{36,2000}", "ghs_<36>", GITHUB_PATTERNS],
  ["GitHub token", "github_pat_ \\w{36,400}", "github_pat_<22>_<59>", GITLEAKS],
  [
    "GitLab token",
    "glpat-|gloas-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|glsoat-|glffct- [\\w.-]{20,400}",
    "glpat-<url 20>",
    GITLEAKS,
  ],
  ["GitLab token", "GR1348941 [\\w-]{20,400}", "GR1348941<url 20>", GITLEAKS],
  ["Bitbucket password", "ATBB [\\w=.-]{24,400}", "ATBB<28>", trufflehog("bitbucketapppassword")],
  ["Bitbucket token", "BBDC- [A-Za-z\\d+/@_-]{40,50}", "BBDC-<44>", trufflehog("bitbucketdatacenter")],
  ["Atlassian token", "ATATT3|ATCTT3 [\\w+/=-]{50,400}", "ATATT3<180>", trufflehog("atlassian")],
  ["npm token", "npm_ [A-Za-z\\d]{36}(?!\\w)", "npm_<36>", GITLEAKS],
  ["PyPI token", "pypi-AgE [\\w-]{50,400}", "pypi-AgEIcHlwaS5vcmc<url 150>", GITLEAKS],
  ["RubyGems key", "rubygems_ [\\da-f]{48}", "rubygems_<hex 48>", GITLEAKS],
  ["Clojars token", "CLOJARS_ [A-Za-z\\d]{60}", "CLOJARS_<60>", GITLEAKS],
  ["crates.io token", "^cio [A-Za-z\\d]{32}(?!\\w)", "cio<32>", GITHUB_PATTERNS],
  ["Artifactory key", "AKCp [A-Za-z\\d]{68,70}(?!\\w)", "AKCp<69>", GITLEAKS],
  ["Artifactory token", "^cmVmd [A-Za-z\\d]{59}(?!\\w)", "cmVmd<59>", GITLEAKS],
  ["Docker token", "dckr_pat_|dckr_oat_ [\\w-]{20,400}", "dckr_pat_<url 27>", trufflehog("dockerhub")],
  ["CircleCI token", "CCIPAT_|CCIPRJ_ \\w{40,400}", "CCIPAT_<22>_<hex 40>", trufflehog("circleci")],
  ["Buildkite token", "bkua_ [a-z\\d]{40,53}", "bkua_<hex 40>", BETTERLEAKS],
  ["Buildkite token", "bkaa_|bkaj_|bkar_|bkct_|bkpt_ [\\w-]{60,400}", "bkct_<url 73>", BETTERLEAKS],
  ["Sourcegraph token", "sgp_ (?:(?:[\\da-f]{16}|local)_)?[\\da-f]{40}(?!\\w)", "sgp_<hex 16>_<hex 40>", GITLEAKS],
  ["SonarQube token", "squ_|sqp_|sqa_ [a-z\\d]{40}(?!\\w)", "squ_<hex 40>", GITLEAKS],
  ["Postman key", "PMAK- [\\da-f]{24}-[\\da-f]{34}", "PMAK-<hex 24>-<hex 34>", GITLEAKS],
  ["Octopus key", "^API- [A-Z\\d]{26}(?!\\w)", "API-<upper 26>", GITLEAKS],
  ["Prefect key", "^pnu_ [A-Za-z\\d]{36}(?!\\w)", "pnu_<36>", GITLEAKS],
  ["Harness key", "^pat.|sat. [\\w-]{22}\\.[A-Za-z\\d]{24}\\.[A-Za-z\\d]{20}", "pat.<url 22>.<hex 24>.<20>", GITLEAKS],
  ["Infracost key", "^ico- [A-Za-z\\d]{32}(?!\\w)", "ico-<32>", GITLEAKS],
  ["Cloudsmith key", "^csa_ [a-f\\d]{30}[A-Za-z\\d]{6}(?!\\w)", "csa_<hex 30><6>", BETTERLEAKS],
  ["Mergify key", "mergify_application_key_ [\\w-]{40,200}", "mergify_application_key_<64>", BETTERLEAKS],
  ["Aikido secret", "AIK_SECRET_|AIK_CI_ [A-Za-z\\d]{20,64}", "AIK_SECRET_<64>", BETTERLEAKS],
  ["Val Town token", "vtwn_ [\\w-]{20,80}", "vtwn_<32>", BETTERLEAKS],
  ["ReadMe key", "rdme_ [A-Za-z\\d]{70}", "rdme_<lower 70>", GITLEAKS],

  ["NuGet key", "^oy2 [a-z\\d]{43}(?!\\w)", "oy2<lower 43>", NOSEYPARKER],
  ["Buildkite token", "bkpat_|bkps_ [\\w-]{50,80}", "bkpat_<url 54>", BETTERLEAKS],
  ["Dependency Track key", "^odt_ [A-Za-z\\d]{32,40}(?!\\w)", "odt_<32>", NOSEYPARKER],
  ["Sourcegraph token", "^slk_ [\\da-f]{64}(?!\\w)", "slk_<hex 64>", trufflehog("sourcegraphcody")],
  ["Ionic token", "^ion_ [A-Za-z\\d]{42}(?!\\w)", "ion_<42>", BETTERLEAKS],
  [
    "LaunchDarkly key",
    "^api-|sdk- [\\da-f]{8}-[\\da-f]{4}-4[\\da-f]{3}-[\\da-f]{4}-[\\da-f]{12}(?!\\w)",
    "sdk-<hex 8>-<hex 4>-4<hex 3>-<hex 4>-<hex 12>",
    trufflehog("launchdarkly"),
  ],
  ["DevCycle key", "dvc_server_ [A-Za-z\\d]{8,40}", "dvc_server_<24>", BETTERLEAKS],
  [
    "ConfigCat key",
    "configcat-sdk-1/ [\\w-]{22}/[\\w-]{22}(?![\\w-])",
    "configcat-sdk-1/<url 22>/<url 22>",
    BETTERLEAKS,
  ],
  ["Unkey key", "^unkey_ (?=[A-Za-z]{0,30}\\d)[A-Za-z\\d]{20,32}(?!\\w)", "unkey_<24>", BETTERLEAKS],
  ["Zuplo key", "^zpka_ [a-z\\d]{32}_[\\da-f]{8}(?!\\w)", "zpka_<lower 32>_<hex 8>", BETTERLEAKS],
];

const MONEY_AND_MESSAGES: readonly Row[] = [
  ["Stripe key", "sk_live_|sk_test_|sk_prod_|rk_live_|rk_test_|rk_prod_ [A-Za-z\\d]{16,400}", "sk_live_<24>", GITLEAKS],
  ["Stripe key", "whsec_ [A-Za-z\\d+/]{24,400}={0,2}", "whsec_<32>", GITHUB_PATTERNS],
  ["Square token", "sq0atp-|sq0csp-|sq0idp- [\\w-]{22,400}", "sq0atp-<url 22>", GITLEAKS],
  ["Square token", "^EAAA [\\w-]{60}(?![\\w-])", "EAAA<url 60>", GITLEAKS],
  ["Shopify token", "shpat_|shpca_|shppa_|shpss_ [\\dA-Fa-f]{32}", "shpat_<hex 32>", GITLEAKS],
  ["Razorpay key", "rzp_live_ [A-Za-z\\d]{14,400}", "rzp_live_<14>", trufflehog("razorpay")],
  ["Flutterwave key", "FLWSECK_TEST-|FLWSECK- [\\da-z]{12,32}(?:-X)?", "FLWSECK-<hex 32>-X", GITLEAKS],
  ["Paddle key", "pdl_live_apikey_ \\w{40,100}", "pdl_live_apikey_<lower 26>_<22>_<3>", BETTERLEAKS],
  ["Polar token", "polar_oat_|polar_pat_|polar_at_ [\\w-]{20,100}", "polar_oat_<43>", BETTERLEAKS],
  [
    "Mercury token",
    "mercury_production_ [a-z]{3,6}_[A-Za-z\\d]{40,50}_yrucrem",
    "mercury_production_wma_<44>_yrucrem",
    BETTERLEAKS,
  ],
  ["Ramp secret", "ramp_sec_ [A-Za-z\\d]{48}", "ramp_sec_<48>", trufflehog("ramp")],
  ["Shippo token", "shippo_live_|shippo_test_ [a-fA-F\\d]{40}", "shippo_live_<hex 40>", GITLEAKS],
  ["EasyPost key", "EZAK|EZTK [A-Za-z\\d]{54}(?!\\w)", "EZAK<54>", GITLEAKS],
  [
    "Plaid token",
    "access-sandbox-|access-development-|access-production- [\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}(?!\\w)",
    "access-sandbox-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
    BETTERLEAKS,
  ],
  ["Duffel token", "duffel_live_|duffel_test_ [\\w=-]{43}", "duffel_live_<url 43>", GITLEAKS],
  [
    "Slack token",
    "xoxa-|xoxb-|xoxc-|xoxd-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxe.xoxb-|xoxe.xoxp- [\\w%/+=-]{10,800}",
    "xoxb-<digit 12>-<digit 12>-<24>",
    BETTERLEAKS,
  ],
  ["Slack token", "xapp- \\d-[\\w-]{20,400}", "xapp-1-A<10>-<digit 13>-<hex 64>", GITLEAKS],
  [
    "Slack webhook",
    "hooks.slack.com/services/|hooks.slack.com/workflows/|hooks.slack.com/triggers/ [\\w/-]{20,400}",
    "hooks.slack.com/services/T<8>/B<8>/<24>",
    GITLEAKS,
  ],
  [
    "Discord token",
    "*. (?<![\\w.-])[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w.-])",
    "M<23>.<6>.<38>",
    GITHUB_PATTERNS,
  ],
  ["Discord token", "mfa. [\\w-]{80,400}", "mfa.<url 84>", GITHUB_PATTERNS],
  [
    "Discord webhook",
    "discord.com/api/webhooks/|discordapp.com/api/webhooks/ \\d{16,20}/[\\w-]{50,400}",
    "discord.com/api/webhooks/<digit 18>/<url 68>",
    trufflehog("discordwebhook"),
  ],
  [
    "Teams webhook",
    "webhook.office.com/webhookb2/ [\\w@/.-]{60,400}",
    "webhook.office.com/webhookb2/<hex 32>@<hex 32>/IncomingWebhook/<hex 32>",
    GITLEAKS,
  ],
  [
    "Telegram token",
    "*:AA (?<!\\d)\\d{8,10}:AA[\\w-]{33}(?![\\w-])",
    "<digit 9>:AA<url 33>",
    trufflehog("telegrambottoken"),
  ],
  ["Twilio key", "*SK (?<![A-Za-z\\d_])SK[\\da-f]{32}(?!\\w)", "SK<hex 32>", GITLEAKS],
  ["SendGrid key", "SG. [\\w-]{16,32}\\.[\\w-]{16,64}", "SG.<url 22>.<url 43>", GITLEAKS],
  ["Mailgun key", "^key- [\\da-z]{32}(?!\\w)", "key-<hex 32>", trufflehog("mailgun")],
  ["Mailchimp key", "*-us (?<![A-Za-z\\d])[\\da-f]{32}-us\\d{1,2}(?!\\w)", "<hex 32>-us12", trufflehog("mailchimp")],
  ["Brevo key", "xkeysib- [\\da-f]{64}-\\w{16}", "xkeysib-<hex 64>-<16>", GITLEAKS],
  ["Resend key", "^re_ [A-Za-z\\d]{8}_[A-Za-z\\d]{24}(?!\\w)", "re_<8>_<24>", GITHUB_PATTERNS],
  ["MailerSend token", "mlsn. [A-Za-z\\d]{30,100}", "mlsn.<64>", BETTERLEAKS],
  ["OneSignal key", "os_v2_app_|os_v2_org_ [a-z2-7]{80,120}", "os_v2_app_<b32 103>", BETTERLEAKS],

  ["Svix token", "^testsk_ [\\w-]{32}(?:\\.[a-z]{2})?(?![\\w-])", "testsk_<url 32>.eu", SVIX],
  [
    "Svix token",
    "^sk_ (?=[\\w-]{0,31}\\d)(?=[\\w-]{0,31}[A-Z])(?=[\\w-]{0,31}[a-z])[\\w-]{32}(?:\\.[a-z]{2})?(?![\\w-])",
    "sk_<url 32>.eu",
    SVIX,
  ],
  ["Lob key", "^live_|test_ [\\da-f]{35}(?!\\w)", "live_<hex 35>", trufflehog("lob")],
  [
    "Mollie key",
    "^live_|test_ (?=[A-Za-z]{0,29}\\d)(?=[a-z\\d]{0,29}[A-Z])(?=[A-Z\\d]{0,29}[a-z])[A-Za-z\\d]{30,36}(?!\\w)",
    "live_<30>",
    "https://docs.mollie.com/reference/authentication",
  ],
  [
    "GoCardless token",
    "^live_ (?=[\\w-]{0,39}\\d)(?=[\\w-]{0,39}[A-Z])[\\w-]{40}(?![\\w-])",
    "live_<url 40>",
    GITLEAKS,
  ],
  ["Twitch stream key", "^live_ \\d{6,12}_[A-Za-z\\d]{30}(?!\\w)", "live_<digit 9>_<30>", NOSEYPARKER],
  ["Pagarme key", "^ak_live_|ak_test_ [A-Za-z\\d]{30}(?!\\w)", "ak_live_<30>", trufflehog("pagarme")],
  ["Asaas token", "$aact_ [\\w:-]{20,200}", "$aact_prod_<60>", BETTERLEAKS],
  [
    "Braintree token",
    "access_token$production$|access_token$sandbox$ [\\da-z]{16}\\$[\\da-f]{32}(?!\\w)",
    "access_token$production$<lower 16>$<hex 32>",
    "https://github.com/edoardottt/secfiles/blob/main/regex/secrets.md",
  ],
  [
    "Instagram token",
    "^IGQV|IGQW|IGAA [\\w-]{60,400}",
    "IGQV<url 160>",
    "https://developers.facebook.com/docs/instagram-platform",
  ],
  [
    "Twitter token",
    "*AAAAAAAAAAAAAAAAAAAAA (?<![\\w+/-])A{20,24}(?=[A-Za-z\\d]{0,60}\\d)[A-Za-z\\d]{16,70}(?:(?:= {0,2}| {3})[A-Za-z\\d]{8,60}){0,3}(?![\\w+/])",
    "AAAAAAAAAAAAAAAAAAAAA<8>AAAAAA<28>%3D<50>",
    GITLEAKS,
  ],
  [
    "Teams webhook",
    "outlook.office.com/webhook/ [\\w@/.-]{60,400}",
    "outlook.office.com/webhook/<hex 32>@<hex 32>/IncomingWebhook/<hex 32>",
    NOSEYPARKER,
  ],
  [
    "Zapier webhook",
    "hooks.zapier.com/hooks/catch/ [A-Za-z\\d]{4,20}/[A-Za-z\\d]{6,20}",
    "hooks.zapier.com/hooks/catch/<digit 8>/<lower 7>",
    trufflehog("zapierwebhook"),
  ],
  [
    "Tines webhook",
    "tines.com/webhook/ [a-z\\d]{32}/[a-z\\d]{32}",
    "tines.com/webhook/<hex 32>/<hex 32>",
    trufflehog("tineswebhook"),
  ],
];

const WORK_AND_WATCHING: readonly Row[] = [
  ["Typeform token", "^tfp_ [\\w.=-]{59}(?![\\w-])", "tfp_<url 59>", BETTERLEAKS],
  ["Linear key", "lin_api_|lin_oauth_ [A-Za-z\\d]{32,400}", "lin_api_<40>", GITLEAKS],
  ["Notion token", "secret_ [A-Za-z\\d]{43}(?!\\w)", "secret_<43>", trufflehog("notion")],
  ["Notion token", "ntn_ [A-Za-z\\d]{40,400}", "ntn_<digit 11><35>", GITLEAKS],
  ["Airtable token", "^pat [A-Za-z\\d]{14}\\.[\\da-f]{64}", "pat<14>.<hex 64>", GITLEAKS],
  ["ClickUp token", "^pk_ \\d{7,9}_[A-Z\\d]{32}(?!\\w)", "pk_<digit 8>_<upper 32>", trufflehog("clickuppersonaltoken")],
  [
    "Figma token",
    "figd_|figo_|figor_|figu_|figuh_|figoh_|figur_|figp_ [\\w=-]{30,400}",
    "figd_<url 40>",
    trufflehog("figmapersonalaccesstoken"),
  ],
  ["Canva secret", "cnvca [\\w-]{51}(?![\\w-])", "cnvca<url 51>", BETTERLEAKS],
  ["Dropbox token", "^sl. (?:u\\.)?[\\w-]{100,400}", "sl.u.<url 140>", trufflehog("dropbox")],
  ["Contentful token", "CFPAT- [\\w-]{40,400}", "CFPAT-<url 43>", trufflehog("contentfulpersonalaccesstoken")],
  [
    "HubSpot token",
    "pat-na1-|pat-eu1- [\\dA-Za-z-]{36}(?!\\w)",
    "pat-na1-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
    trufflehog("hubspot_apikey"),
  ],
  ["Salesforce token", "^00D [A-Za-z\\d]{12}![\\w.-]{80,260}", "00D<12>!<100>", BETTERLEAKS],
  ["Frame.io token", "fio-u- [\\w=-]{64}", "fio-u-<url 64>", GITLEAKS],
  ["Grafana token", "glsa_ [A-Za-z\\d]{32}_[\\dA-Fa-f]{8}", "glsa_<32>_<hex 8>", GITLEAKS],
  ["Grafana token", "glc_ [A-Za-z\\d+/]{32,400}={0,2}", "glc_<100>", GITLEAKS],
  ["Grafana token", "eyJrIjoi [A-Za-z\\d+/]{40,400}={0,2}", "eyJrIjoi<80>", GITLEAKS],
  ["Sentry token", "sntrys_ [\\w+/=-]{40,400}", "sntrys_eyJpYXQiO<120>_<43>", GITLEAKS],
  ["Sentry token", "sntryu_ [\\da-f]{64}", "sntryu_<hex 64>", GITLEAKS],
  ["New Relic key", "NRAK- [A-Z\\d]{27}(?!\\w)", "NRAK-<upper 27>", trufflehog("newrelicpersonalapikey")],
  [
    "New Relic key",
    "*FFFFNRAL (?<![A-Za-z\\d])[\\da-f]{32}FFFFNRAL(?!\\w)",
    "<hex 32>FFFFNRAL",
    trufflehog("newreliclicensekey"),
  ],
  [
    "Dynatrace token",
    "dt0c01.|dt0s01.|dt0s02.|dt0s16. [A-Z\\d]{8,24}\\.[A-Z\\d]{64}",
    "dt0c01.<upper 24>.<upper 64>",
    GITLEAKS,
  ],
  ["PostHog key", "phx_ [\\w-]{40,400}", "phx_<43>", trufflehog("posthog")],
  ["Rootly key", "rootly_ [\\da-f]{64}", "rootly_<hex 64>", trufflehog("rootly")],
  ["1Password token", "ops_eyJ [\\w+/=-]{60,2000}", "ops_eyJ<260>", GITLEAKS],
  [
    "1Password key",
    "^A3- [A-Z\\d]{6}-(?:[A-Z\\d]{11}|[A-Z\\d]{6}-[A-Z\\d]{5})(?:-[A-Z\\d]{5}){3,4}(?!\\w)",
    "A3-<upper 6>-<upper 11>-<upper 5>-<upper 5>-<upper 5>",
    GITLEAKS,
  ],
  ["age key", "AGE-SECRET-KEY-1 [A-Z\\d]{50,400}", "AGE-SECRET-KEY-1<upper 58>", GITLEAKS],
  ["Mapbox token", "^sk.eyJ [\\w-]{20,400}\\.[\\w-]{16,400}", "sk.eyJ<60>.<22>", GITHUB_PATTERNS],
  ["Facebook token", "^EAA [A-Za-z\\d]{100,400}", "EAAC<160>", GITLEAKS],
  ["Pinterest token", "pina_ [\\w-]{40,200}", "pina_<80>", BETTERLEAKS],
  ["Adobe secret", "^p8e- [\\w-]{32}(?!\\w)", "p8e-<32>", GITLEAKS],
  ["WakaTime key", "waka_ [a-z\\d-]{36,64}", "waka_<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>", BETTERLEAKS],
  ["MaxMind key", "*_mmk (?<![A-Za-z\\d])[A-Za-z\\d]{6}_[A-Za-z\\d]{29}_mmk(?!\\w)", "<6>_<29>_mmk", GITLEAKS],

  [
    "Intercom token",
    "^dG9rO [A-Za-z\\d+/]{52,58}={0,2}(?![\\w+/=])",
    "dG9rO<54>=",
    "https://developers.intercom.com/docs/build-an-integration/learn-more/authentication",
  ],
  [
    "Asana token",
    "^0/1|1/1|1/2|1/3|1/4|1/5|1/6|1/7|1/8|1/9|2/1|2/2|2/3|2/4|2/5|2/6|2/7|2/8|2/9 \\d{11,19}(?:/\\d{12,20})?:[A-Za-z\\d]{32,40}(?!\\w)",
    "2/1<digit 15>/<digit 16>:<hex 32>",
    trufflehog("asanapersonalaccesstoken"),
  ],
  ["Trello token", "^ATTA (?=[A-Za-z]{0,20}\\d)[A-Za-z\\d]{56,80}(?!\\w)", "ATTA<hex 64><8>", TRELLO],
  ["Adafruit key", "^aio_ [A-Za-z\\d]{28}(?!\\w)", "aio_<28>", NOSEYPARKER],
  ["New Relic key", "NRAA-|NRIQ-|NRII-|NRSP-|NRRA- [\\w-]{25,42}(?![\\w-])", "NRIQ-<url 32>", NOSEYPARKER],
  ["New Relic key", "^eu01xx [\\da-f]{26,34}(?:FFFF)?NRAL(?!\\w)", "eu01xx<hex 30>NRAL", NOSEYPARKER],
  ["Segment token", "^sgp_ [A-Za-z\\d]{64}(?!\\w)", "sgp_<64>", BETTERLEAKS],
  ["Typeform token", "^tfp_ [A-Za-z\\d_]{40,58}(?![\\w-])", "tfp_<44>", trufflehog("typeform")],
  ["Teamwork token", "tkn.v1_ [\\w+/]{60,120}={0,2}", "tkn.v1_<80>=", KINGFISHER],
  [
    "Telnyx key",
    "^KEY [\\dA-F]{32}_[A-Za-z\\d]{22}(?!\\w)",
    "KEY0A1B2C3D4E5F67890A1B2C3D4E5F6789_<22>",
    "https://developers.telnyx.com/docs/development/authentication",
  ],
  [
    "Voiceflow key",
    "^VF. (?:(?:DM|WS)\\.)?[\\da-fA-F]{24}\\.[A-Za-z\\d]{16}(?!\\w)",
    "VF.DM.<hex 24>.<16>",
    trufflehog("voiceflow"),
  ],
  ["Zoho token", "^1000. [\\da-f]{32}\\.[\\da-f]{32}(?!\\w)", "1000.<hex 32>.<hex 32>", trufflehog("zohocrm")],
  [
    "PubNub key",
    "^sec-c- [\\w-]{36,60}(?![\\w-])",
    "sec-c-<48>",
    "https://www.pubnub.com/docs/general/setup/account-setup",
  ],
  ["Ubidots token", "BBFF-|BBUS- [A-Za-z\\d]{30}(?!\\w)", "BBFF-<30>", trufflehog("ubidots")],
  ["Samsara token", "samsara_api_ [A-Za-z\\d]{26,32}(?!\\w)", "samsara_api_<30>", BETTERLEAKS],
  [
    "Onfido token",
    "^api_live.|api_live_us.|api_live_ca. [\\w-]{20,80}(?=\\.|(?![\\w-]))",
    "api_live.<url 40>",
    BETTERLEAKS,
  ],
];

const JOSE = "https://www.rfc-editor.org/rfc/rfc7519";
const CRYPT = "https://man7.org/linux/man-pages/man5/crypt.5.html";

/** What any program may issue or store. */
const GENERAL: readonly Row[] = [
  // Three parts, or the five of an encrypted one
  ["JWT", "eyJ [\\w-]{8,2000}\\.eyJ[\\w-]{4,8000}(?:\\.[\\w-]{0,2000})?", "eyJ<30>.eyJ<60>.<url 43>", JOSE],
  [
    "JWT",
    "eyJ [\\w-]{16,2000}\\.[\\w-]{0,2000}\\.[\\w-]{16,200}\\.[\\w-]{16,8000}\\.[\\w-]{16,200}",
    "eyJ<40>.<80>.<16>.<60>.<22>",
    JOSE,
  ],
  // "-----BEGIN … PRIVATE KEY" in base64, as kubeconfigs and Kubernetes secrets have it
  [
    "private key",
    "LS0tLS1CRUdJTi (?:BQUklWQVRF|BSU0EgUFJJ|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ|BQR1AgUFJJ)[A-Za-z\\d+/=]{16,8000}",
    "LS0tLS1CRUdJTiBQUklWQVRF<400>",
    "https://www.rfc-editor.org/rfc/rfc7468",
  ],
  [
    "wallet key",
    "^xprv|yprv|zprv|tprv [A-Za-z\\d]{100,112}(?!\\w)",
    "xprv<107>",
    "https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki",
  ],
  [
    "password hash",
    "*::: (?<![\\da-fA-F])[\\da-fA-F]{32}:[\\da-fA-F]{32}(?=:::)",
    "<hex 32>:<hex 32>:::",
    "https://github.com/fortra/impacket/blob/master/impacket/examples/secretsdump.py",
  ],
  [
    "password hash",
    "** (?<![\\w*])\\*[\\dA-F]{40}(?!\\w)",
    "*0A1B2C3D4E5F67890A1B2C3D4E5F67890A1B2C3D",
    "https://dev.mysql.com/doc/refman/8.4/en/native-pluggable-authentication.html",
  ],
  ["password hash", "$2a$|$2b$|$2x$|$2y$ \\d\\d\\$[./A-Za-z\\d]{53}", "$2b$12$<53>", CRYPT],
  [
    "password hash",
    "$1$|$5$|$6$|$apr1$|$md5$|$sha1$ (?:rounds=\\d{1,9}\\$)?[^\\s$:\"']{0,64}\\$[./A-Za-z\\d]{22,86}",
    "$6$<16>$<86>",
    CRYPT,
  ],
  [
    "password hash",
    "$y$|$gy$|$7$ [./A-Za-z\\d]{1,86}\\$[./A-Za-z\\d]{1,86}(?:\\$[./A-Za-z\\d]{22,86})?",
    "$y$j9T$<22>$<43>",
    CRYPT,
  ],
  [
    "password hash",
    "$argon2id$|$argon2i$|$argon2d$|$scrypt$|$pbkdf2$|$pbkdf2-sha256$|$pbkdf2-sha512$ [\\w=,.+/$-]{20,400}",
    "$argon2id$v=19$m=65536,t=3,p=4$<22>$<43>",
    "https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md",
  ],
  [
    "password hash",
    "pbkdf2_sha256$|pbkdf2_sha1$|bcrypt_sha256$|scrypt$|argon2$ [\\w=,.+/$-]{20,400}",
    "pbkdf2_sha256$600000$<22>$<43>=",
    "https://docs.djangoproject.com/en/stable/topics/auth/passwords/",
  ],
  [
    "password hash",
    "scrypt:|pbkdf2:sha256:|pbkdf2:sha1:|pbkdf2:sha512: [\\d:]{1,24}\\$[\\w+/.-]{4,64}\\$[\\da-f]{40,128}",
    "scrypt:32768:8:1$<16>$<hex 128>",
    "https://werkzeug.palletsprojects.com/en/stable/utils/#module-werkzeug.security",
  ],
  [
    "password hash",
    "SCRAM-SHA-256$|SCRAM-SHA-1$ \\d{1,8}:[\\w+/=]{8,100}\\$[\\w+/=]{20,100}:[\\w+/=]{20,100}",
    "SCRAM-SHA-256$4096:<22>==$<43>=:<43>=",
    "https://www.postgresql.org/docs/current/catalog-pg-authid.html",
  ],
  [
    "password hash",
    "{SSHA}|{SHA}|{SMD5}|{SSHA256}|{SSHA512}|{CRYPT} [\\w+/=.$]{16,200}",
    "{SSHA}<36>",
    "https://www.openldap.org/doc/admin26/security.html",
  ],

  [
    "password hash",
    "$krb5asrep$|$krb5tgs$|$krb5pa$ [\\w@.:*$/-]{16,4000}",
    "$krb5asrep$23$user@mail.test:<hex 32>$<hex 400>",
    "https://hashcat.net/wiki/doku.php?id=example_hashes",
  ],
  [
    "password hash",
    "$8$|$9$ [./A-Za-z\\d]{14}\\$[./A-Za-z\\d]{43}(?!\\w)",
    "$8$<14>$<43>",
    "https://hashcat.net/wiki/doku.php?id=example_hashes",
  ],
];

/** In the order in which they are tried: the special before the general. */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  ...MODELS,
  ...CLOUDS,
  ...CODE,
  ...MONEY_AND_MESSAGES,
  ...WORK_AND_WATCHING,
  ...GENERAL,
].map(([name, pattern, example, source]) => ({ name, pattern, example, source }));
