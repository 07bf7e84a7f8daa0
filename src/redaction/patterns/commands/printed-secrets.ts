// Secrets that a command prints, on the line below it or in the field of its output,
// and keys of providers that a sentence names ("my Mistral key is …"): data, used by
// command-patterns.ts.
import { command, mixed, strong, type Command } from "../command-pattern.ts";

const PRINTED = "([^\\s'\"`<>]{6,400})(?=[\\s'\"`<]|$)";
/** From the command to what it printed, blanks in one place only: below it, after the rest of the command, empty lines, fences and labels, or in a field of its output. */
const BELOW = [
  "[^\\n]{0,300}?(?:",
  "\\n(?:[ \\t>]{0,20}(?:`{3}\\w{0,12}[ \\t]{0,4}|[*#]{0,3} ?[A-Z][A-Za-z ]{0,16}(?::|\\*\\*|(?<=# ?\\w+))[:*]{0,3}[ \\t]{0,4}|[+-][ \\w-][^\\n]{0,200})?\\n){0,5}",
  "[ \\t>⎿│]{0,16}(?:\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]{8,15}Z? )?(?:[A-Za-z][A-Za-z ]{0,16}[:=][ \\t]{1,2})?",
  "|[\"'][ \\t})\\]]{0,8}[,;][^\\n]{0,80}?(?:stdout|output|result|content|text|response)[\"' \\t]{1,6}[:=][ \\t]{0,4}[\"'][ \\t]{0,4}",
  "|</[\\w-]{1,30}>\\s{0,16}<[\\w-]{1,30}>\\s{0,8}",
  ")[\"'`]?",
].join("");
/** The output, as a sentence or a comment introduces it. */
const PRINTS =
  "[^\\n]{0,200}?(?:[ \\t](?:prints?|printed|gives?|gave|gets?|got|returns?|returned|outputs?|shows?|showed|says|said|is|was|->|→|=>|#)|:)[ \\t]{1,4}[\"'`*(]{0,3}";
/** The whole name, which a lookahead judges: what comes behind it is tried once, not for every way to split the name. */
const SECRET_NAME =
  "(?=\\w{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|PAT|CREDENTIALS?|AUTH|key|token|secret|password))\\w{1,90}(?!\\w)";
/** Words that a name of a provider begins with a capital. */
const PROVIDER = "[A-Z][A-Za-z\\d.+-]{1,24}(?: [A-Z][A-Za-z\\d.]{1,24}){0,2}";
const STAGE = "(?:production|prod|test|staging|live|dev|personal|secret|private|admin|service)";
/** A value that a sentence calls a key. An id is none. */
const NAMED = "((?![\\da-f]{8}-[\\da-f]{4}-|\\d\\d-[\\da-f]{32}-)[^\\s'\"`]{16,400})";
const WHOSE = "(?:[Oo]ur|[Mm]y|[Yy]our|[Tt]heir|his|her|[Tt]he|[Tt]his|[Mm]ein|[Uu]nser|a|new|current|old)";
/** Keys of these are no secrets. */
const HARMLESS =
  "(?!(?:The|Primary|Foreign|Public|Cache|Sort|Partition|Row|Redis|Map|Object|Dictionary|Host|Idempotency|Session|Registry|Translation|Lookup|Index|Unique|Composite|Issue|Project|Jira|React|Query|Node|Etag|Storage Path|S3) )";
const NO_KEY =
  "(?!(?:primary|foreign|public|cache|sort|session|partition|row|map|object|idempotency|lookup|document|request|record|item|node|message|file|bucket|dedupe?|correlation|trace|event|job|queue|topic|user|tenant|customer|order|product|issue|ticket|translation|registry|hash|content|asset|component|list|dict|dictionary|search|index|group|shard|routing|redis|react|query) )";
/** Between a key and its value: a verb, a sign, the next cell of a table, or the fence of a block below. */
const SAID = [
  "[\"'`*_)\\]]{0,3}[ \\t]{0,2}",
  "(?:(?:is|was|are|to|ist|lautet|est|es|è|é|[-–—]|->|→|,? (?:it|which|that)(?: is|['’]s)|[.;,] (?:[Ii]t|[Tt]his|[Tt]he new one)(?: is|['’]s))[ \\t]{0,2}(?::|now|this)?\\s{1,4}|[:=|][*_]{0,2}(?:[ \\t]{0,4}\\n){0,2}[ \\t]{0,4})",
  "(?:`{3}\\w{0,12}[ \\t]{0,4}\\n)?[\"'`*(]{0,3}",
].join("");
/** What a sentence calls a key, in the languages whose word is not "key", too. */
const KEY = "(?:(?: API| api)? [Kk]ey|-[Kk]ey|(?:[ -]API)?[ -][Ss]chlüssel)(?: (?:here|now|again|for [\\w ]{1,30}))?";

/** Commands that print nothing but a secret. */
const PRINTING = [
  "op[ \\t]{1,4}read(?=[ \\t])",
  "op[ \\t]{1,4}item[ \\t]{1,4}get(?=[^\\n]{0,200}--(?:reveal|fields))",
  "(?:pass|gopass)[ \\t]{1,4}(?:show(?=[ \\t])|-c(?=[ \\t]))",
  "gcloud[ \\t]{1,4}(?:beta[ \\t]{1,4})?secrets[ \\t]{1,4}versions[ \\t]{1,4}access(?=[ \\t])",
  "gcloud[ \\t]{1,4}auth[ \\t]{1,4}(?:application-default[ \\t]{1,4})?print-(?:access|identity)-token",
  "vault[ \\t]{1,4}(?:kv[ \\t]{1,4}get|read)(?=[^\\n]{0,200}-field)",
  "aws[ \\t]{1,4}secretsmanager[ \\t]{1,4}get-secret-value(?=[^\\n]{0,240}--output[= ]text)",
  "aws[ \\t]{1,4}ssm[ \\t]{1,4}get-parameter(?=[^\\n]{0,240}--with-decryption)",
  "az[ \\t]{1,4}keyvault[ \\t]{1,4}secret[ \\t]{1,4}show(?=[ \\t])",
  "security[ \\t]{1,4}find-(?:generic|internet)-password(?=[^\\n]{0,200}-\\w{0,4}w)",
  "secret-tool[ \\t]{1,4}lookup",
  "(?:gh|glab)[ \\t]{1,4}auth[ \\t]{1,4}token",
  "bw[ \\t]{1,4}get[ \\t]{1,4}(?:password|totp)",
  "lpass[ \\t]{1,4}show(?=[^\\n]{0,100}--password)",
  "doppler[ \\t]{1,4}secrets[ \\t]{1,4}get(?=[^\\n]{0,100}--plain)",
  "kubectl[ \\t][^\\n]{0,200}get[ \\t]{1,4}secret[^\\n]{0,200}base64[ \\t]{1,4}(?:-d|-D|--decode)",
].join("|");

/** "pass" is a word, too. */
const PASS = "(?<![\\w-])pass[ \\t]{1,4}[\\w.-]{1,40}/[\\w./-]{1,80}";
const LITERALS =
  "op read|op item|pass show|pass -c|versions access|-token|-field|get-secret-value|with-decryption|keyvault secret|find-generic|find-internet|secret-tool|auth token|bw get|lpass show|secrets get|get secret";

export const PRINTED_SECRETS: readonly Command[] = [
  mixed(LITERALS, `(?<![\\w-])(?:${PRINTING})${BELOW}${PRINTED}`),
  strong(LITERALS, `(?<![\\w-])(?:${PRINTING})${PRINTS}${PRINTED}`),
  strong("pass ", `${PASS}${BELOW}${PRINTED}`),
  strong("pass ", `${PASS}${PRINTS}${PRINTED}`),
  strong(
    "output -raw|output --raw",
    `(?<![\\w-])(?:terraform|tofu|terragrunt)[ \\t][^\\n]{0,80}?output[ \\t]{1,4}--?raw${PRINTS}${PRINTED}`,
  ),
  strong(
    "echo |printenv",
    `(?<![\\w-])(?:echo[ \\t]["']?[$%]\\{?|printenv[ \\t]{1,4})${SECRET_NAME}${PRINTS}${PRINTED}`,
  ),
  strong(
    "output -raw|output --raw",
    `(?<![\\w-])(?:terraform|tofu|terragrunt)[ \\t][^\\n]{0,80}?output[ \\t]{1,4}--?raw${BELOW}${PRINTED}`,
  ),
  mixed(
    "output -raw|output --raw",
    `(?<![\\w-])(?:terraform|tofu|terragrunt)[ \\t][^\\n]{0,80}?output[ \\t]{1,4}--?raw[ \\t]{1,4}["']?${SECRET_NAME}${BELOW}${PRINTED}`,
  ),
  mixed(
    "echo |printenv|write-host|write-output|heroku config:get|config:get",
    `(?<![\\w-])(?:(?:echo|printf|write-host|write-output)[ \\t](?:[^\\n|;&$%]{0,40})[$%]\\{?(?:env:)?|printenv[ \\t]{1,4}|config:get[ \\t]{1,4})${SECRET_NAME}(?![^\\n<]{0,80}(?:\\||(?<![2<])>))${BELOW}${PRINTED}`,
    "gi",
  ),
  // The configuration of Docker: whatever its form, the value is a login.
  command(
    '"auths|\'auths|auths"|auths:',
    "(?<![\\w-])auth[\\s\"'\\\\]{0,8}:[\\s\"'\\\\]{1,8}([A-Za-z\\d+/=_-]{8,4000})",
  ),
  strong(
    " key|-key|schlüssel",
    `(?<![\\w-])(?:(?:${WHOSE}[ \\t])?(?:${STAGE} )?${HARMLESS}${PROVIDER}(?:['’]s)?|${WHOSE} (?:${STAGE} )?${NO_KEY}[a-z\\d.-]{2,24})(?: ${STAGE}){0,2}${KEY}(?:${SAID}|[ \\t]{1,2}[\`"'(]{0,2})${NAMED}`,
  ),
  strong(
    "key for|key of|key from|key to|key with|key we|key (|clé|clave|chiave|chave",
    `(?<![\\w-])(?<!hash of (?:the )?)(?:[Kk]ey (?:[a-z]{1,8} ){0,3}(?:for|of|from|to|with) (?:the |our |my )?|[Kk]ey \\(|(?:[Cc]lé|[Cc]lave|[Cc]hiave|[Cc]have)(?: API)?(?: d[eio])? )${HARMLESS}(?:${PROVIDER}|[a-z][\\w.-]{2,24})(?: API| account)?${SAID}${NAMED}`,
  ),
  strong(
    "keys:|keys are|keys =",
    `(?<![\\w-])(?:API |api )?[Kk]eys(?::| are| =)[^\\n]{0,80}?(?<=[:,;(] )${PROVIDER}${SAID}${NAMED}`,
  ),
  // In the other order: "§ is what op read printed".
  strong(
    LITERALS,
    `(?<![^\\s"'\`(])${NAMED}["'\`)]{0,2}[ ,]{1,2}(?:is (?:what|the output of)|from|by|<-|←)[ \\t][^\\n]{0,24}?(?:${PRINTING})`,
  ),
];
