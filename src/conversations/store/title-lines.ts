// Finds the line of a prompt that could be the title of its conversation. Hosts put
// context before what a person typed, people paste files and logs, and commands
// come in wrappers: none of that says what a conversation is about. Pure; used
// by titles.ts and by what shows parts of messages.

/** Elements around what was typed: their content counts. Any other element with such a name is context. */
const TYPED =
  /^(?:user[_-]?(?:query|input|message|request|prompt)|task|feedback|prompt|question|request|query|objective|answer|new_task|command-args)$/i;

/** Elements that hosts write, although their names have no hyphen or underscore. */
const CONTEXT =
  /^(?:attachments?|caveat|code|context|cwd|diagnostics?|documents?|editor|env|environment|examples?|file|files|folder|hook|image|instructions?|meta|metadata|notice|path|project|reminder|rules?|selection|skills?|source|stderr|stdout|summary|system|tools?|uploaded|url|workspace|cursor|git|info|mode|output|result|status|terminal)$/i;

/** Headings under which hosts write what was typed, after the context. */
const REQUEST_HEADING = /^#{1,4} (?:my|the|user(?:'s)?) (?:request|question|task|message|prompt)\b[^\n]*\n/im;

/** Lines that programs write into a conversation by themselves. */
const INJECTED =
  /^(?:caveat: the messages below|\[(?:request interrupted|image|pasted|tool|file|attached|screenshot)|this session is being continued|# (?:agents|claude|gemini|context|files mentioned)\b.*(?:instructions|\.md|ide|user)|the user (?:opened|selected|sent)|base directory for this skill|contents? of|here (?:is|are) the (?:contents?|files?)|=+ ?(?:file|begin|start)|<!--|\*{3,}|-{3,})/i;

/** Lines of files, logs, listings and diffs. */
const DUMPED = [
  /^\s*\d+\s*[→:|\t]/, // numbered lines of a listing
  /^(?:diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab]\/|commit [0-9a-f]{7})/,
  /^\s*at .+[:(]\d+/, // a stack trace
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, // a log
  /^\s*(?:import|export|from|package|using|use|const|let|var|function|class|def|public|private|static|interface|type|enum|struct|fn|func|return|if|for|while|#include|#!)\b.*[;{(=:)\]"']\s*$/,
  /^\s*[{}[\]();,<>/\\|=+*&^%$#@!~`-]+\s*$/, // brackets and signs alone
  /^\s*"[^"]+"\s*:/, // JSON
  /^\s*\/\*|^\s*\/\/|^\s*\*\s/,
  /^\s*[a-z_][\w.-]*\s*=\s*\S+$/i, // a setting
];

/** A mention of a file, an address or a path alone. */
const MENTION = /^(?:@?[\w.~-]*[/\\][\w./\\~@:#%?&=+-]*|@[\w./-]+|https?:\/\/\S+|[\w-]+\.\w{1,5}(?::\d+)?)$/;

/**
 * Returns the text a person typed, without what the host has put around it. Empty if there is nothing else. A slash command is its name
 * and its arguments.
 */
export function typedText(prompt: string): string {
  const request = REQUEST_HEADING.exec(prompt);
  const text = request === null ? prompt : prompt.slice(request.index + request[0].length);
  return withoutElements(text).trim();
}

/** Without elements of context, and without the tags of those that were typed. */
function withoutElements(text: string): string {
  let rest = "";
  let at = 0;
  for (const match of text.matchAll(/<([a-zA-Z][\w:-]{1,60})(?:\s[^<>]{0,500})?>/g)) {
    if (match.index < at) continue;
    const name = match[1]!;
    if (!isOfHost(name)) continue;
    const close = text.indexOf(`</${name}>`, match.index);
    // A cut prompt may have lost the end of its last element.
    const end = close === -1 ? text.length : close;
    const inside = text.slice(match.index + match[0].length, end);
    rest += text.slice(at, match.index) + (TYPED.test(name) ? withoutElements(inside) : "\n");
    at = close === -1 ? text.length : close + name.length + 3;
  }
  return rest + text.slice(at);
}

/** A part of a message, which may begin or end within an element, without the tags that hosts write. */
export function withoutTags(text: string): string {
  return text.replaceAll(/<\/?([a-zA-Z][\w:-]{1,60})(?:\s[^<>]{0,500})?\/?>/g, (tag, name: string) =>
    isOfHost(name) ? " " : tag,
  );
}

/** HTML's elements are content; names of several words are of hosts. */
function isOfHost(name: string): boolean {
  return TYPED.test(name) || CONTEXT.test(name) || /[_-]/.test(name);
}

/** The line that says best what was asked, or undefined if all of them were put there or pasted. */
export function titleLine(typed: string): string | undefined {
  const lines = withoutFences(typed)
    .split("\n")
    .filter((line) => isReadable(line.trim()));
  return lines.find((line, i) => i === lines.length - 1 || !line.trimEnd().endsWith(":"));
}

/** Returns whether a title says anything, no matter who made it. */
export function isReadable(line: string): boolean {
  const words = line.replaceAll(/\[(?:image|pasted)[^\]]*\]/gi, "").trim();
  if (!/\p{L}/u.test(words)) return false;
  return (
    !INJECTED.test(words) &&
    !MENTION.test(words) &&
    !DUMPED.some((kind) => kind.test(words)) &&
    !/^<\/?[\w-]+[^>]*>$/.test(words)
  );
}

/** Fenced code is pasted, whether its fence is closed or not. */
function withoutFences(text: string): string {
  return text.replaceAll(/^[^\S\n]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[^\S\n]*\1[^\n]*$|$(?![\s\S]))/gm, "\n");
}
