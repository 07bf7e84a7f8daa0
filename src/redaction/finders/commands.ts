// Finds what is given to commands and in the files of tools as a password, where
// no name announces it: each expression's last group is the value.
import { isPlaceholder } from "../criteria/placeholders.ts";
import { lastGroups, type Span } from "../spans.ts";
import { isGenerated, isHexadecimal, isStrong } from "../criteria/values.ts";

/** The rest of a command: a backslash continues it in the next line. */
const WITHIN = "(?:[^\\n|;&]|\\\\[ \\t]{0,4}\\n|\\n[ \\t]{1,16}(?=-)){0,240}?";
const VALUE = "([^\\s'\"]{4,200})";
const QUOTED_OR_BARE = `(?:'([^'\\n]{3,200})(?=')|"([^"\\n]{3,200})(?=")|([^\\s'"]{3,200}))`;

interface Command {
  /** One of these stands in every text that the expression matches; in small letters. */
  readonly literals: readonly string[];
  readonly expression: RegExp;
  /** Other things may stand there too: only what has letters and digits counts, or only what is a secret by itself. */
  readonly judgement: "any" | "mixed" | "strong";
}

const command = (literals: string, expression: string, flags = "g"): Command => ({
  literals: literals.split("|"),
  expression: new RegExp(expression, flags),
  judgement: "any",
});
const judged = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "strong",
});
const mixed = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "mixed",
});

/** A tool, and the option before its password. */
const option = (literals: string, tools: string, flag: string): Command =>
  mixed(literals, `(?<![\\w-])(?:${tools})\\s${WITHIN}(?<=\\s)${flag}["']?${VALUE}`);

const OPTIONS: readonly Command[] = [
  option("unrar |rar ", "un(?:rar|ar)|rar", "-h?p"),
  option("snmp", "snmp\\w{2,12}", "-[cAX]\\s{1,4}"),
  option("snmp", "snmp\\w{2,12}(?=\\s[^\\n]{0,120}-A\\s)[^\\n]{0,160}?\\s-A\\s{1,4}\\S{4,200}", "-X\\s{1,4}"),
  option("ipmitool|mosquitto_|sqlcmd", "ipmitool|mosquitto_\\w{2,4}", "-P\\s{0,4}"),
  option("xfreerdp|wfreerdp|mstsc", "[xw]freerdp\\d?|mstsc", "/p:"),
  option("rdesktop|cqlsh|twine ", "rdesktop|cqlsh|twine", "-p\\s{1,4}"),
  option("useradd|usermod", "useradd|usermod", "-p\\s{1,4}"),
  option("nuget ", "nuget\\s{1,4}push|dotnet\\s{1,4}nuget\\s{1,4}push", "-k\\s{1,4}"),
  option("security add-", "security\\s{1,4}add-\\w{1,12}-password", "-w\\s{1,4}"),
  option("keytool|jarsigner", "keytool|jarsigner", "-(?:src|dest)?(?:store|key)pass\\s{1,4}"),
  option("keytool|jarsigner", "keytool|jarsigner", "-(?:src|dest)?keypass\\s{1,4}"),
  command("openssl", `(?<!\\w)openssl\\s{1,4}\\w{2,12}\\s${WITHIN}\\s-K\\s{1,4}([\\da-fA-F]{32,128})`),
  judged("cargo login", `(?<!\\w)cargo\\s{1,4}login\\s{1,4}(?:--\\w{1,12}\\s{1,4}\\S{1,40}\\s{1,4})?["']?${VALUE}`),
  judged("poetry config", `(?<!\\w)poetry\\s{1,4}config\\s{1,4}pypi-token\\.\\S{1,40}\\s{1,4}["']?${VALUE}`),
  judged(
    "http-basic.",
    `(?:composer|poetry)\\s{1,4}config\\s[^\\n]{0,40}?http-basic\\.\\S{1,80}\\s{1,4}\\S{1,60}\\s{1,4}["']?${VALUE}`,
  ),
  judged("bundle config", `(?<!\\w)bundle\\s{1,4}config\\s[^\\n]{0,120}?\\s[\\w.-]{1,60}:${VALUE}`),
  judged(
    "vault kv put|vault write",
    `(?<!\\w)vault\\s{1,4}(?:kv\\s{1,4}(?:put|patch)|write)\\s[^\\n]{0,200}?\\s[\\w-]{1,40}=["']?${VALUE}`,
  ),
  judged("setx ", `(?<!\\w)setx\\s{1,4}["']?\\w{0,40}KEY["']?\\s{1,4}["']?${VALUE}`, "gi"),
  judged(
    "secret set|secret put|env add|secrets create",
    `(?:echo|printf)\\s{1,16}(?:-\\w{1,3}\\s{1,16})?(?:["']%s(?:\\\\n)?["']\\s{1,16})?["']?${VALUE}["']?\\s{0,16}\\|\\s{0,4}[^\\n|]{0,60}?(?:secret (?:set|put)|env add|secrets create)(?!\\w)`,
  ),
  judged(
    "secret set|secret put|env add|secrets create",
    `(?:secret (?:set|put)|env add|secrets create)\\s[^\\n|<]{0,120}?<<<\\s{0,4}["']?${VALUE}`,
  ),
  judged("proxy-user|curl ", `(?<!\\w)curl\\s[^\\n|;]{0,400}?\\s-U[ =]{0,2}["']?[^\\s:"'$<{-]{1,80}:${VALUE}`),
  judged("auth ", `(?<![^\\n>"'])[ \\t]{0,8}AUTH(?:[ \\t]{1,4}[\\w.-]{1,40})?[ \\t]{1,4}["']?${VALUE}`),
  judged(" on >", `(?<!\\w)user\\s{1,4}[\\w.-]{1,60}\\s[^\\n>]{0,80}?>${VALUE}(?=\\s)`, "gi"),
];

/** Commands of servers and devices whose last word is the password; values that only a program's name announces. */
const LAST_WORDS: readonly Command[] = [
  mixed(
    "wandb login|vault operator unseal|service install|importprivkey|nexmo setup",
    `(?:wandb\\s{1,4}login|vault\\s{1,4}operator\\s{1,4}unseal|cloudflared\\s[^\\n]{0,40}?service\\s{1,4}install|importprivkey|nexmo\\s{1,4}setup\\s{1,4}\\w{8})\\s{1,4}["']?${VALUE}`,
  ),
  judged("hit enter:|and press enter:", `(?:hit|press) enter:\\s{1,4}${VALUE}`),
  mixed("rabbitmqctl", `rabbitmqctl\\s[^\\n]{0,60}?(?:add_user|change_password)\\s{1,4}\\S{1,60}\\s{1,4}["']?${VALUE}`),
  mixed(
    "alias set|api-key store",
    `(?:mc\\s{1,4}alias\\s{1,4}set\\s{1,4}\\S{1,60}\\s{1,4}\\S{1,200}|api-key\\s{1,4}store)\\s{1,4}\\S{1,100}\\s{1,4}["']?${VALUE}`,
  ),
  mixed("community ", `(?<!\\w)(?:r[ow]community|snmp-server\\s{1,4}community)\\s{1,4}${VALUE}`),
  mixed("rootpw", `(?<!\\w)rootpw\\s{1,4}["']?${VALUE}`),
  mixed("password 0 |password 7 |secret 0 |secret 5 ", `(?:password|secret)\\s{1,4}[057]\\s{1,4}${VALUE}`),
  judged("psk ", `(?<!\\w)PSK\\s{1,4}"${VALUE}`),
  mixed("schtasks", `(?<!\\w)schtasks\\s[^\\n]{0,200}?/rp\\s{1,4}["']?${VALUE}`, "gi"),
  option(
    "psexec|snowsql|cypher-shell",
    "(?:[\\w.\\\\%]{0,60}[\\\\%])?[Pp][Ss][Ee][Xx][Ee][Cc](?:64)?(?:\\.exe)?|snowsql|cypher-shell",
    "-p\\s{1,4}",
  ),
  option("codecov|--key", "codecov|smithery|@smithery/cli", "(?:-t|--key)\\s{1,4}"),
  mixed("_auth=", `_AUTH=["']?\\w{2,40}/${VALUE}`),
  judged("expect ", `(?:passw|passphrase)[^\\n]{0,60}?\\bsend\\s{1,4}(?:--\\s{1,4})?"${VALUE}(?=\\s|"|\\\\)`, "gi"),
  mixed("auth-user-pass", `auth-user-pass\\s{0,4}\\n\\S{1,60}[ \\t]{0,4}\\n[ \\t]{0,8}${VALUE}`),
  mixed("identified by", `IDENTIFIED\\s{1,4}BY\\s{1,4}"${VALUE}(?=")`, "gi"),
  mixed("set password for", `SET\\s{1,4}PASSWORD\\s{1,4}FOR\\s{1,4}[^\\n=]{1,80}=\\s{0,4}["']${VALUE}(?=["'])`, "gi"),
  mixed(
    "log in as|login as|logged in as",
    `log(?:ged)?\\s?in as [\\w.@-]{2,60}\\s{0,2}[/|:]\\s{0,2}["'\`]?${VALUE}`,
    "gi",
  ),
  judged(
    "my key|key generated|new key",
    `(?:my|new) key(?: generated)?(?: is)?\\s?(?:[:=→]|->)\\s{0,2}["'\`]?${VALUE}`,
    "gi",
  ),
  judged(
    "set -x |set -gx |set -ux ",
    `(?<!\\w)set\\s{1,4}-[gUx]{1,3}\\s{1,4}\\w{0,40}_(?:KEY|TOKEN|SECRET|PASS\\w{0,4})\\s{1,4}["']?${VALUE}`,
  ),
  mixed("<<<", `(?<!\\w)read\\s[^\\n]{0,40}?PASS\\w{0,6}\\s{0,4}<<<\\s{0,4}["']?${VALUE}`, "gi"),
  mixed("jenkins-crumb", `Jenkins-Crumb["']?\\s{0,2}:\\s{0,2}["']?${VALUE}`, "gi"),
  mixed("sonar.login|sonarlogin", `sonar\\.?login["']?\\s{0,2}[=:,]\\s{0,2}["']?${VALUE}`, "gi"),
  mixed("master.key|.vault-token", `(?:master\\.key|\\.vault-token)\\s{0,4}\\n[ \\t]{0,8}${VALUE}(?=\\s|$|["'\\\\])`),
  mixed("appid=", `[?&]appid=${VALUE}`),
  mixed(
    "with/key/|/hook/|build_hooks/|deploy/prj_|/deploy/srv-",
    `(?:/with/key/|/v2/hook/|/build_hooks/|/deploy/prj_\\w{8,40}/|/deploy/srv-\\w{8,40}\\?key=)([\\w-]{8,80})`,
  ),
  judged(
    "algoliasearch(|twilio",
    `(?:algoliasearch|twilio["']?\\)?)\\(\\s{0,8}["']\\w{6,40}["']\\s{0,4},\\s{0,8}["']${VALUE}(?=["'])`,
  ),
  judged("cohere.client", `cohere\\.Client(?:V2)?\\(\\s{0,8}["']${VALUE}(?=["'])`, "gi"),
  judged("secretid", `(?<!\\w)SecretID["']?\\s{0,4}[:=]\\s{1,8}["']?([\\da-f]{8}-[\\da-f-]{27})`),
  judged("private keys", `Private Keys\\s{1,4}=*\\s{1,4}\\(0\\)\\s{1,4}(0x[\\da-f]{64})`),
  command("accounts:", `(?<!\\w)accounts:\\s{0,4}\\[\\s{0,8}["'](0x[\\da-f]{64})(?=["'])`),
  command(
    "devops|vsts|azure pat",
    `(?:devops|vsts|azure pat)[^\\n]{0,60}?(?<![A-Za-z\\d])([a-z2-7]{52})(?![A-Za-z\\d])`,
    "gi",
  ),
  command(
    "key1|key2|account key|storage key",
    `(?:key[12]|(?:storage|account) key)[\\s\\S]{0,120}?(?<![A-Za-z\\d+/=-])([A-Za-z\\d+/]{86}==)`,
    "gi",
  ),
  command("mailgun", `mailgun[^\\n]{0,60}?(?<![\\w-])([\\da-f]{32}-[\\da-f]{8}-[\\da-f]{8})(?![\\w-])`, "gi"),
  judged('"jwt', `"Jwt\\w{0,16}"\\s{0,4}:\\s{0,4}\\{[^{}]{0,120}?"\\w{0,12}Key"\\s{0,4}:\\s{0,4}"${VALUE}(?=")`, "gi"),
  command("nkey seed", `(?<![A-Z\\d])(S[AUOCN][A-Z2-7]{56})(?![A-Z\\d])`),
  command("telegram.org/bot", `telegram\\.org/bot(\\d{8,10}:[\\w-]{35})`),
  command("<password>", `<Password>\\s{0,20}<Value>([^<\\s]{4,200})(?=<)`, "gi"),
];

/** Calls that take a user and a password, or a key that signs. */
const CALLS: readonly Command[] = [
  judged(
    "auth(|auth=(|auth = (|auth: (|credentials(|authenticate(|login(|credential(",
    `(?:auth\\s?[=:]\\s?\\(|(?:auth|credentials?|authenticate|login)\\()\\s{0,16}["'][^"'\\n]{1,80}["']\\s{0,16},\\s{0,16}["']${VALUE}(?=["'])`,
    "gi",
  ),
  judged(
    "createhmac(|jwt.sign(|jwt.verify(|hmac.new(|jwt.encode(|jwt.decode(",
    `(?:createHmac\\(\\s{0,16}["'][\\w-]{2,12}["']\\s{0,16},|jwt\\.(?:sign|verify|encode|decode)\\([^\\n"']{1,80},|hmac\\.new\\()\\s{0,16}[bu]?["'\`]${VALUE}(?=["'\`])`,
  ),
];

/** Names of the environment that have no word for a secret in them, and cookies of servers. */
const VARIABLES: readonly Command[] = [
  judged(
    "signing|_sign|service_role|_auth|hmac|pepper|privkey|community|_login|sas=|_sec=|_sec:|totp",
    `(?<![A-Za-z\\d_])(?:[A-Z][A-Z\\d_]{0,40}_)?(?:SIGNING|SIGN|SERVICE_ROLE|AUTH|HMAC|PEPPER|PRIVKEY|COMMUNITY|LOGIN|SAS|SEC|TOTP)["']?\\s{0,2}[=:]\\s{0,2}["']?${VALUE}`,
  ),
  judged(
    "phpsessid|jsessionid|aspsessionid|sessid=|sessionid=|session_id=",
    `(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,8}|(?<![A-Za-z\\d])sess(?:ion)?_?id)=${VALUE}`,
    "gi",
  ),
  judged("wif:|wif=", `(?<!\\w)WIF\\s?[:=]\\s{0,2}["']?${VALUE}`),
  command("totp", `["']totp(?:_?secret|_?seed)?["']\\s{0,4}:\\s{0,4}["']([A-Z2-7]{16,64})(?=["'])`, "gi"),
  command("plaintext", `"Plaintext"\\s{0,4}:\\s{0,4}"([A-Za-z\\d+/]{16,2000}={0,2})(?=")`),
  judged("secretstring", `"SecretString"\\s{0,4}:\\s{0,4}"\\s{0,4}\\{[^\\n]{0,400}?:\\s{0,8}"${VALUE}(?=\\s{0,8}")`),
  judged("credentials", `"credentials"\\s{0,4}:\\s{0,4}\\{[^{}\\n]{0,200}?:\\s{0,4}"${VALUE}(?=")`),
  judged(
    "zugangsdaten|credentials:|login:",
    `(?:zugangsdaten|credentials|login):\\s{1,2}[\\w.@-]{2,60}\\s{0,2}[/|]\\s{0,2}${VALUE}`,
    "gi",
  ),
  judged("pin for|pin is|pin:", `(?<!\\w)pin(?: for [\\w ]{1,30}?)?\\s?(?:[:=]|is)\\s{1,2}["'\`]?${VALUE}`, "gi"),
  judged("evaluating: secrets", `Evaluating: secrets\\.\\w{1,60}\\s{0,8}\\n[^\\n]{0,40}?Result: '${VALUE}`),
  judged("p a s s w o r d", `p a s s w o r d\\s{0,2}[:=]\\s{0,2}${VALUE}`, "gi"),
];

const COMMANDS: readonly Command[] = [
  ...OPTIONS,
  ...LAST_WORDS,
  ...CALLS,
  ...VARIABLES,
  command(
    "mysql|mariadb",
    `(?<!\\w)(?:mysql\\w{0,10}|mariadb(?:-\\w{1,10})?)(?=\\s)${WITHIN}\\s-p(?:'([^'\\n]{4,200})(?=')|([^\\s'"-][^\\s'"]{3,200}))`,
  ),
  command(
    " login",
    `(?<!\\w)(?:docker|podman|helm|nerdctl|az|cf|skopeo|buildah|oras|crane)\\s[^\\n|;&]{0,60}?login(?=\\s)${WITHIN}\\s-p[ =]{1,2}["']?${VALUE}`,
  ),
  command("mongo", `(?<!\\w)mongo\\w{0,8}\\s${WITHIN}\\s-p[ =]{1,2}["']?${VALUE}`),
  command("sqlcmd|bcp |isql ", `(?<!\\w)(?:sqlcmd|bcp|isql)\\s${WITHIN}\\s-P\\s{0,4}["']?${VALUE}`),
  command(
    "sqlplus|oracle:thin:",
    `(?:sqlplus\\s{1,4}(?:-\\w{1,8}\\s{1,4}){0,3}["']?|oracle:thin:)[\\w$#]{1,64}/["']?([^\\s@"'/]{3,100})(?=["']?@)`,
  ),
  command(
    "env |arg ",
    "(?<![^\\n])[ \\t]{0,20}(?:ENV|ARG)[ \\t]{1,4}\\w{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|PASS)\\w{0,10}[ \\t]{1,4}([^\\s=]{4,200})",
  ),
  command("sshpass", `(?<!\\w)sshpass\\s{1,4}-p\\s{0,4}${QUOTED_OR_BARE}`),
  command("redis-cli|valkey-cli", `(?<!\\w)(?:redis|valkey)-cli(?=\\s)${WITHIN}\\s-a\\s{1,4}["']?${VALUE}`),
  command("requirepass|masterauth", `(?<!\\w)(?:requirepass|masterauth)[ \\t]{1,8}["']?${VALUE}`),
  command(
    "curl |wget |http |https |xh ",
    `(?<!\\w)(?:curl|wget|http|https|xh)\\s(?:[^\\n|;]|\\\\[ \\t]{0,4}\\n|\\n[ \\t]{1,16}(?=-)){0,600}?(?<=\\s)(?:-[a-zA-Z]{0,8}[uUa]|--(?:proxy-)?user|--auth)[ =]{0,4}["']?[^\\s:"'$<{-][^\\s:"'$<{]{0,100}:([^\\s'"]{3,200})`,
  ),
  command("login", "(?<!\\w)login\\s{1,8}\\S{1,100}\\s{1,40}password\\s{1,8}(\\S{3,200})"),
  command(
    "identified",
    "(?<!\\w)IDENTIFIED\\s{1,4}(?:WITH\\s{1,4}\\S{1,40}\\s{1,4})?BY\\s{1,4}'([^'\\n]{4,200})(?=')",
    "gi",
  ),
  command("-pass", "-pass(?:in|out)?\\s{1,4}[\"']?pass:([^\\s'\"]{3,200})"),
  command("ldap", `(?<!\\w)ldap\\w{2,10}\\s${WITHIN}\\s-w\\s{1,4}["']?${VALUE}`),
  command(
    "smbclient|rpcclient|smbmap|smbget",
    "(?<!\\w)(?:smbclient|rpcclient|smbmap|smbget)\\s[^\\n|;&]{0,200}?-U\\s{0,4}[\"']?[^\\s%'\"]{1,80}%([^\\s'\"]{3,200})",
  ),
  command("net use", "(?<!\\w)net\\s{1,4}use\\s[^\\n]{0,200}?/user:\\S{1,80}\\s{1,4}([^\\s/]\\S{3,100})", "gi"),
  command("net user", "(?<!\\w)net\\s{1,4}user\\s{1,4}\\S{1,60}\\s{1,4}([^\\s/*]\\S{3,100})", "gi"),
  command(
    "htpasswd",
    "(?<!\\w)htpasswd\\s{1,4}-\\w{0,6}b\\w{0,6}(?:\\s{1,4}-\\w{1,6}){0,3}\\s{1,4}\\S{1,200}\\s{1,4}(?:\\S{1,80}\\s{1,4})??[\"']?([^\\s'\"]{4,100})(?=[\"']?\\s{0,4}(?:$|\\n|[;&|>]))",
  ),
  command("zip ", "(?<!\\w)(?:zip|unzip)\\s[^\\n|;&]{0,200}?-P\\s{1,4}[\"']?([^\\s'\"]{4,100})"),
  command("7z ", "(?<!\\w)7za?\\s[^\\n|;&]{0,200}?\\s-p[\"']?([^\\s'\"]{4,100})"),
  command("--from-literal", "--from-literal[= ][\"']?[\\w.-]{1,80}=[\"']?([^\\s'\"]{4,400})"),
  command(
    "secret set|secrets set|config:set",
    "(?<!\\w)(?:secrets?\\s{1,4}set|config:set)\\s(?:[^\\n|;&]{0,200}?\\s)??[A-Z][A-Z\\d_]{2,60}=[\"']?([^\\s'\"]{4,400})",
  ),
  command(
    "secret set|secrets set",
    "(?<!\\w)secrets?\\s{1,4}set\\s[^\\n|;&]{0,200}?(?:--body|-b|-v|--value)[ =]{1,2}[\"']?([^\\s'\"]{4,400})",
  ),
  command(
    "configure set|config set|setenv|fastcgi_param|setx",
    "(?<!\\w)(?:configure\\s{1,4}set|config\\s{1,4}set(?:\\s{1,4}--\\w{1,20})?|setenv|fastcgi_param|setx)\\s{1,4}[\"']?[\\w./:-]{0,100}(?:password|passwd|secret|token|api_?key|access_key|_auth)\\w{0,12}[\"']?[\\s=]{1,4}[\"']?([^\\s'\";]{4,400})",
    "gi",
  ),
  command("securestring", "ConvertTo-SecureString\\s{1,4}(?:-String\\s{1,4})?[\"']?([^\\s'\"$][^\\s'\"]{3,200})", "gi"),
  command(
    "add-mask::|set-output",
    "(?:::add-mask::|::set-output name=\\w{0,40}(?:token|secret|password|key)\\w{0,10}::)(\\S{4,400})",
    "gi",
  ),
  command(
    "chpasswd",
    "echo\\s{1,4}(?:-\\w\\s{1,4})?[\"']?[\\w.-]{1,60}:([^\\s'\"|]{4,100})[\"']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s{1,4})?chpasswd",
  ),
  command(
    "-stdin|--stdin|sudo -|with-token",
    "(?:echo|printf)\\s{1,4}(?:-\\w{1,3}\\s{1,4})?(?:'%s'\\s{1,4})?[\"']?([^\\s'\"|$][^\\s'\"|]{3,400})[\"']?\\s{0,4}\\|\\s{0,4}[^\\n|]{0,200}?(?:--password-stdin|sudo\\s{1,4}-\\w{0,4}S|--with-token|--stdin)",
  ),
  command(
    "with-token|-stdin|--stdin",
    "(?:--with-token|--password-stdin|--stdin)\\s{0,4}<<<\\s{0,4}[\"']?([^\\s'\"$]{4,400})",
  ),
  command("ssh-keygen", `(?<!\\w)ssh-keygen\\s${WITHIN}\\s-[NP]\\s{1,4}${QUOTED_OR_BARE}`),
  command("openssl", `(?<!\\w)openssl\\s{1,4}\\w{2,12}\\s${WITHIN}\\s-k\\s{1,4}${QUOTED_OR_BARE}`),
  command("nmcli", `(?<!\\w)nmcli\\s${WITHIN}\\spassword\\s{1,4}${QUOTED_OR_BARE}`),
  command("type=", "type=\\s{0,15}[\"']password[\"'][^<>\\n]{0,160}?\\svalue=\\s{0,15}[\"']([^\"'\\n]{3,200})", "gi"),
  command("vault login", "(?<!\\w)vault\\s{1,4}login\\s{1,4}(?!-)(?!token=)([\\w.-]{8,400})"),
  command(
    "credentials|creds|login",
    "(?<!\\w)(?:credentials|creds|login)[\"'`*]{0,3}(?:\\s{1,2}(?:is|are)\\s?:?|\\s?[:=])\\s{1,2}[\"'`]?[\\w.@-]{2,60}\\s{0,2}[/:|]\\s{0,2}((?=[^\\s\"'`]{0,40}\\d)(?=[^\\s\"'`]{0,40}[A-Za-z])[^\\s\"'`/:|]{6,100})",
    "gi",
  ),
];

/** What announcements.ts looks for on behalf of this module. */
export const COMMAND_LITERALS: readonly string[] = [
  ...new Set([
    ...COMMANDS.flatMap(({ literals }) => literals),
    "akia",
    "asia",
    "access key",
    "accesskey",
    "access_key",
  ]),
];

/** A line of PostgreSQL's `.pgpass`: host, port, database, user, password. */
const PGPASS =
  /(?<![^\s"'`>|])(?:[\w*-][\w.*-]{0,100}|\/[\w./-]{1,100}):(?:\d{4,5}|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:((?:\\.|[^\s:"'`\\]){4,200})(?=\s|["'`\\]|$)/g;

export function commandSecrets(plain: string, announced: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (const { literals, expression, judgement } of COMMANDS)
    if (literals.some((literal) => announced.has(literal))) spans.push(...valuesOf(plain, expression, judgement));
  if (/:(?:\d{4,5}|\*):/.test(plain)) spans.push(...lastGroups(plain, PGPASS, "password", isValue));
  if (announced.has("akia") || announced.has("asia")) spans.push(...awsSecrets(plain));
  return spans;
}

function isValue(value: string): boolean {
  return !isPlaceholder(value) && !value.includes("[redacted");
}

/** Without what ends a sentence, a statement or a string around it. */
function trimmed(value: string): string {
  return value.replace(/[.,;:)\]}\\]+$/, "");
}

/** Neither a variable nor an option nor a path. */
function isMixedWord(value: string): boolean {
  return value.length >= 6 && /[A-Za-z]/.test(value) && /\d/.test(value) && !/^[$%<{/.-]|^[\w-]+[=:]/.test(value);
}

function isSecretByItself(value: string): boolean {
  return isStrong(value) || (isHexadecimal(value) && isGenerated(value));
}

function valuesOf(plain: string, expression: RegExp, judgement: Command["judgement"]): Span[] {
  const spans: Span[] = [];
  for (const found of plain.matchAll(expression)) {
    const value = found.slice(1).find((group) => group !== undefined);
    if (value === undefined || !isValue(value)) continue;
    if (judgement === "strong" && !isSecretByItself(trimmed(value))) continue;
    if (judgement === "mixed" && !isMixedWord(trimmed(value))) continue;
    const start = found.index + found[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, name: "password" });
  }
  return spans;
}

/**
 * A secret key of AWS has no form of its own, but stands near the id that has
 * one: in credentials as CSV, in a table or in prose.
 */
const AWS_ID = /(?:AKIA|ASIA)[A-Z\d]{16}/g;
const AWS_SECRET = /(?<![A-Za-z\d/+=])[A-Za-z\d/+]{40,48}(?![A-Za-z\d/+=])/g;
const AWS_REACH = 400;

function awsSecrets(plain: string): Span[] {
  const spans: Span[] = [];
  let searched = 0;
  for (const { index } of plain.matchAll(AWS_ID)) {
    // With the character before, so that no match begins in the middle of something longer.
    const from = Math.max(0, searched - 1, index - AWS_REACH - 1);
    const reach = plain.slice(from, index + AWS_REACH);
    for (const { index: at, 0: value } of reach.matchAll(AWS_SECRET)) {
      const start = from + at;
      const isWhole = at + value.length < reach.length || from + reach.length === plain.length;
      if (isWhole && start >= searched && /[a-z]/.test(value) && /[A-Z]/.test(value) && isGenerated(value))
        spans.push({ start, end: start + value.length, name: "AWS secret key" });
    }
    searched = Math.max(searched, index);
  }
  return spans;
}
