// Commands whose last argument is the secret, and values that only a program's name
// announces: data, used by command-patterns.ts.
import { command, strong, mixed, option, VALUE, type Command } from "../command-pattern.ts";

export const LAST_ARGUMENTS: readonly Command[] = [
  mixed(
    "wandb login|vault operator unseal|service install|importprivkey|nexmo setup",
    `(?:wandb\\s{1,4}login|vault\\s{1,4}operator\\s{1,4}unseal|cloudflared\\s[^\\n]{0,40}?service\\s{1,4}install|importprivkey|nexmo\\s{1,4}setup\\s{1,4}\\w{8})\\s{1,4}["']?${VALUE}`,
  ),
  strong("hit enter:|and press enter:", `(?:hit|press) enter:\\s{1,4}${VALUE}`),
  mixed("rabbitmqctl", `rabbitmqctl\\s[^\\n]{0,60}?(?:add_user|change_password)\\s{1,4}\\S{1,60}\\s{1,4}["']?${VALUE}`),
  mixed(
    "alias set|api-key store",
    `(?:mc\\s{1,4}alias\\s{1,4}set\\s{1,4}\\S{1,60}\\s{1,4}\\S{1,200}|api-key\\s{1,4}store)\\s{1,4}\\S{1,100}\\s{1,4}["']?${VALUE}`,
  ),
  mixed("community ", `(?<!\\w)(?:r[ow]community|snmp-server\\s{1,4}community)\\s{1,4}${VALUE}`),
  mixed("rootpw", `(?<!\\w)rootpw\\s{1,4}["']?${VALUE}`),
  mixed("password 0 |password 7 |secret 0 |secret 5 ", `(?:password|secret)\\s{1,4}[057]\\s{1,4}${VALUE}`),
  strong("psk ", `(?<!\\w)PSK\\s{1,4}"${VALUE}`),
  mixed("schtasks", `(?<!\\w)schtasks\\s[^\\n]{0,200}?/rp\\s{1,4}["']?${VALUE}`, "gi"),
  option(
    "psexec|snowsql|cypher-shell",
    "(?:[\\w.\\\\%]{0,60}[\\\\%])?[Pp][Ss][Ee][Xx][Ee][Cc](?:64)?(?:\\.exe)?|snowsql|cypher-shell",
    "-p\\s{1,4}",
  ),
  option("codecov|--key", "codecov|smithery|@smithery/cli", "(?:-t|--key)\\s{1,4}"),
  mixed("_auth=", `_AUTH=["']?\\w{2,40}/${VALUE}`),
  strong("expect ", `(?:passw|passphrase)[^\\n]{0,60}?\\bsend\\s{1,4}(?:--\\s{1,4})?"${VALUE}(?=\\s|"|\\\\)`, "gi"),
  mixed("auth-user-pass", `auth-user-pass\\s{0,4}\\n\\S{1,60}[ \\t]{0,4}\\n[ \\t]{0,8}${VALUE}`),
  mixed("identified by", `IDENTIFIED\\s{1,4}BY\\s{1,4}"${VALUE}(?=")`, "gi"),
  mixed("set password for", `SET\\s{1,4}PASSWORD\\s{1,4}FOR\\s{1,4}[^\\n=]{1,80}=\\s{0,4}["']${VALUE}(?=["'])`, "gi"),
  mixed(
    "log in as|login as|logged in as",
    `log(?:ged)?\\s?in as [\\w.@-]{2,60}\\s{0,2}[/|:]\\s{0,2}["'\`]?${VALUE}`,
    "gi",
  ),
  strong(
    "my key|key generated|new key",
    `(?:my|new) key(?: generated)?(?: is)?\\s?(?:[:=→]|->)\\s{0,2}["'\`]?${VALUE}`,
    "gi",
  ),
  strong(
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
  strong(
    "algoliasearch(|twilio",
    `(?:algoliasearch|twilio["']?\\)?)\\(\\s{0,8}["']\\w{6,40}["']\\s{0,4},\\s{0,8}["']${VALUE}(?=["'])`,
  ),
  strong("cohere.client", `cohere\\.Client(?:V2)?\\(\\s{0,8}["']${VALUE}(?=["'])`, "gi"),
  strong("secretid", `(?<!\\w)SecretID["']?\\s{0,4}[:=]\\s{1,8}["']?([\\da-f]{8}-[\\da-f-]{27})`),
  strong("private keys", `Private Keys\\s{1,4}=*\\s{1,4}\\(0\\)\\s{1,4}(0x[\\da-f]{64})`),
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
  strong('"jwt', `"Jwt\\w{0,16}"\\s{0,4}:\\s{0,4}\\{[^{}]{0,120}?"\\w{0,12}Key"\\s{0,4}:\\s{0,4}"${VALUE}(?=")`, "gi"),
  command("nkey seed", `(?<![A-Z\\d])(S[AUOCN][A-Z2-7]{56})(?![A-Z\\d])`),
  command("telegram.org/bot", `telegram\\.org/bot(\\d{8,10}:[\\w-]{35})`),
  command("<password>", `<Password>\\s{0,20}<Value>([^<\\s]{4,200})(?=<)`, "gi"),
];
