// The addresses of a repository's remotes, as they may be shown: a token or
// password in one of them is none of the assistant's business. Pure.

/** The address without user name, password, query and fragment, where it is one of the web. */
export function withoutCredentials(address: string): string {
  const clean = address.replace(/\p{Cc}/gu, "");
  const helper = /^([a-z0-9-]+::)(.*)$/i.exec(clean);
  if (helper) return helper[1] === "ext::" ? "(a command)" : helper[1]! + withoutCredentials(helper[2]!);
  if (isWithinFileSystem(clean)) return "(a folder)";
  const web = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)/i.exec(clean);
  if (web) {
    const [, scheme = "", authority = "", path = ""] = web;
    return scheme + authority.slice(authority.lastIndexOf("@") + 1) + path;
  }
  // The form of ssh, user@host:path. The user there is a login, and with a colon also a password.
  const ssh = /^([^/@]*)@([^/:@]+:.*)$/.exec(clean);
  if (ssh) return ssh[1] === "git" ? `git@${ssh[2]}` : ssh[2]!;
  return clean.replace(/^.*@/, "");
}

/** A path of this machine leads out of the project, and is nobody's business either. */
function isWithinFileSystem(address: string): boolean {
  return /^(?:[/\\~.]|[a-z]:[/\\]|file:)/i.test(address);
}
