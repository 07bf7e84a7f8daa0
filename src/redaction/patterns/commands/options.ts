// Tools and the options that take their passwords: data, used by command-patterns.ts.
import { command, strong, option, VALUE, WITHIN, type Command } from "../command-pattern.ts";

export const OPTIONS: readonly Command[] = [
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
  strong("cargo login", `(?<!\\w)cargo\\s{1,4}login\\s{1,4}(?:--\\w{1,12}\\s{1,4}\\S{1,40}\\s{1,4})?["']?${VALUE}`),
  strong("poetry config", `(?<!\\w)poetry\\s{1,4}config\\s{1,4}pypi-token\\.\\S{1,40}\\s{1,4}["']?${VALUE}`),
  strong(
    "http-basic.",
    `(?:composer|poetry)\\s{1,4}config\\s[^\\n]{0,40}?http-basic\\.\\S{1,80}\\s{1,4}\\S{1,60}\\s{1,4}["']?${VALUE}`,
  ),
  strong("bundle config", `(?<!\\w)bundle\\s{1,4}config\\s[^\\n]{0,120}?\\s[\\w.-]{1,60}:${VALUE}`),
  strong(
    "vault kv put|vault write",
    `(?<!\\w)vault\\s{1,4}(?:kv\\s{1,4}(?:put|patch)|write)\\s[^\\n]{0,200}?\\s[\\w-]{1,40}=["']?${VALUE}`,
  ),
  strong("setx ", `(?<!\\w)setx\\s{1,4}["']?\\w{0,40}KEY["']?\\s{1,4}["']?${VALUE}`, "gi"),
  strong(
    "secret set|secret put|env add|secrets create",
    `(?:echo|printf)\\s{1,16}(?:-\\w{1,3}\\s{1,16})?(?:["']%s(?:\\\\n)?["']\\s{1,16})?["']?${VALUE}["']?\\s{0,16}\\|\\s{0,4}[^\\n|]{0,60}?(?:secret (?:set|put)|env add|secrets create)(?!\\w)`,
  ),
  strong(
    "secret set|secret put|env add|secrets create",
    `(?:secret (?:set|put)|env add|secrets create)\\s[^\\n|<]{0,120}?<<<\\s{0,4}["']?${VALUE}`,
  ),
  strong("proxy-user|curl ", `(?<!\\w)curl\\s[^\\n|;]{0,400}?\\s-U[ =]{0,2}["']?[^\\s:"'$<{-]{1,80}:${VALUE}`),
  strong("auth ", `(?<![^\\n>"'])[ \\t]{0,8}AUTH(?:[ \\t]{1,4}[\\w.-]{1,40})?[ \\t]{1,4}["']?${VALUE}`),
  strong(" on >", `(?<!\\w)user\\s{1,4}[\\w.-]{1,60}\\s[^\\n>]{0,80}?>${VALUE}(?=\\s)`, "gi"),
];
