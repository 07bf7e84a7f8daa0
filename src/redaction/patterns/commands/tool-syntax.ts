// Passwords in the own syntax of single tools and file formats
// (mysql -p…, IDENTIFIED BY, ENV in a Dockerfile): data, used by
// command-patterns.ts.
import { command, QUOTED_OR_BARE, VALUE, WITHIN, type Command } from "../command-pattern.ts";

export const TOOLS: readonly Command[] = [
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
