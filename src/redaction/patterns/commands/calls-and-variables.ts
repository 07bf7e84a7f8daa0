// Secrets in function calls, and behind names that do not say "secret" or
// "password" (AUTH, PIN, session cookies): data, used by command-patterns.ts.
import { command, strong, VALUE, type Command } from "../command-pattern.ts";

/** Calls that take a user and a password, or a key that signs. */
export const CALLS: readonly Command[] = [
  strong(
    "auth(|auth=(|auth = (|auth: (|credentials(|authenticate(|login(|credential(",
    `(?:auth\\s?[=:]\\s?\\(|(?:auth|credentials?|authenticate|login)\\()\\s{0,16}["'][^"'\\n]{1,80}["']\\s{0,16},\\s{0,16}["']${VALUE}(?=["'])`,
    "gi",
  ),
  strong(
    "createhmac(|jwt.sign(|jwt.verify(|hmac.new(|jwt.encode(|jwt.decode(",
    `(?:createHmac\\(\\s{0,16}["'][\\w-]{2,12}["']\\s{0,16},|jwt\\.(?:sign|verify|encode|decode)\\([^\\n"']{1,80},|hmac\\.new\\()\\s{0,16}[bu]?["'\`]${VALUE}(?=["'\`])`,
  ),
];

/** Environment variables without a word for a secret in their names, and session cookies. */
export const VARIABLES: readonly Command[] = [
  strong(
    "signing|_sign|service_role|_auth|hmac|pepper|privkey|community|_login|sas=|_sec=|_sec:|totp",
    `(?<![A-Za-z\\d_])(?:[A-Z][A-Z\\d_]{0,40}_)?(?:SIGNING|SIGN|SERVICE_ROLE|AUTH|HMAC|PEPPER|PRIVKEY|COMMUNITY|LOGIN|SAS|SEC|TOTP)["']?\\s{0,2}[=:]\\s{0,2}["']?${VALUE}`,
  ),
  strong(
    "phpsessid|jsessionid|aspsessionid|sessid=|sessionid=|session_id=",
    `(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,8}|(?<![A-Za-z\\d])sess(?:ion)?_?id)=${VALUE}`,
    "gi",
  ),
  strong("wif:|wif=", `(?<!\\w)WIF\\s?[:=]\\s{0,2}["']?${VALUE}`),
  command("totp", `["']totp(?:_?secret|_?seed)?["']\\s{0,4}:\\s{0,4}["']([A-Z2-7]{16,64})(?=["'])`, "gi"),
  command("plaintext", `"Plaintext"\\s{0,4}:\\s{0,4}"([A-Za-z\\d+/]{16,2000}={0,2})(?=")`),
  strong("secretstring", `"SecretString"\\s{0,4}:\\s{0,4}"\\s{0,4}\\{[^\\n]{0,400}?:\\s{0,8}"${VALUE}(?=\\s{0,8}")`),
  strong("credentials", `"credentials"\\s{0,4}:\\s{0,4}\\{[^{}\\n]{0,200}?:\\s{0,4}"${VALUE}(?=")`),
  strong(
    "zugangsdaten|credentials:|login:",
    `(?:zugangsdaten|credentials|login):\\s{1,2}[\\w.@-]{2,60}\\s{0,2}[/|]\\s{0,2}${VALUE}`,
    "gi",
  ),
  strong("pin for|pin is|pin:", `(?<!\\w)pin(?: for [\\w ]{1,30}?)?\\s?(?:[:=]|is)\\s{1,2}["'\`]?${VALUE}`, "gi"),
  strong("evaluating: secrets", `Evaluating: secrets\\.\\w{1,60}\\s{0,8}\\n[^\\n]{0,40}?Result: '${VALUE}`),
  strong("p a s s w o r d", `p a s s w o r d\\s{0,2}[:=]\\s{0,2}${VALUE}`, "gi"),
];
