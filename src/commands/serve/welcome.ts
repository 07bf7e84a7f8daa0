// Prints what `npm start` found, a line per kind, and last the address and how to
// connect: nine lines, to which a first start has added up to three for Node, the
// packages and the build. `doctor` has the details.
import type { Settings } from "../../settings.ts";
import { counted, joined, printable, type Printable } from "../../kernel/kernel.ts";
import { commandLine, findings, flagsOf, HOSTS, type Finding } from "../../setup/setup.ts";

/** `place` says in words where the token is kept. */
export async function welcome(
  settings: Settings,
  url: string,
  { token, place }: { readonly token: string; readonly place: string },
): Promise<Printable> {
  const rows = await findings(settings);
  const lines = kindsOf(rows, settings.origins.vault === "default");
  return joined([
    ...lines,
    "",
    printable`The page, to look and to undo:  ${new URL("/", url).href}#token=${token}`,
    printable`MCP is on ${url}, with the token behind #token= (${place}). Ctrl-C stops both.`,
    printable`To connect:  ${commandLine("connect", ...hostsToConnect(rows), ...flagsOf(settings))}`,
  ]);
}

/** A line for each kind of thing that was found; commands stand at the end of a line, without quotes around them. */
export function kindsOf(rows: readonly Finding[], isGuide = false): Printable[] {
  const lines: Printable[] = [];
  const vaults = rows.filter(({ part }) => /^vault(?: |$)/.test(part));
  if (vaults.length > 0)
    lines.push(printable`${lineOf("Notes", vaults)}${isGuide ? ": a guide. For your own add --vault DIR" : ""}`);
  const outlines = rows.filter(({ part }) => part === "outline");
  if (outlines.length > 0) lines.push(lineOf("Outline", outlines));
  const chats = rows.filter(({ part }) => part.endsWith(" chats"));
  const found = chats.filter(({ counts }) => (counts?.["conversations"] ?? 0) > 0);
  const all = found.reduce((sum, { counts }) => sum + counts!["conversations"]!, 0);
  const programs = found.map(({ part }) => part.replace(/ chats$/, "")).join(", ");
  if (chats.length > 0)
    lines.push(
      row("Conversations", found.length === 0 ? "none indexed yet" : `${all.toLocaleString("en")} of ${programs}`),
    );
  const hosts = rows.filter(({ part }) => isHost(part));
  const connected = hosts.filter(({ state }) => state === "ok");
  const others = hosts.filter((host) => !connected.includes(host));
  const states = [
    ...(connected.length > 0 ? [`connected: ${named(connected)}`] : []),
    ...(others.length > 0 ? [`not connected: ${named(others)}`] : []),
  ];
  lines.push(row("Assistants", states.join("; ") || "none found"));
  const problems = [...new Set(rows.filter(({ state }) => state === "problem").map(({ part }) => part))];
  const verdict =
    problems.length === 0 ? "no problems" : `${counted(problems.length, "problem")}: ${problems.join(", ")}`;
  lines.push(printable`${row("Checks", `${verdict}. All of them:`)}  ${commandLine("doctor")}`);
  return lines;
}

function isHost(part: string): boolean {
  return HOSTS.some(({ name }) => name === part);
}

/** `connect` without a host lists those it knows. */
function hostsToConnect(rows: readonly Finding[]): string[] {
  return rows.filter(({ part, state }) => isHost(part) && state === "missing").map(({ part }) => part);
}

function lineOf(name: string, [first, ...more]: readonly Finding[]): Printable {
  const { path, note } = first!;
  const rest = more.length === 0 ? "" : `, and ${counted(more.length, "more vault")}`;
  return row(name, `${path === undefined ? note : `${path} (${note})`}${rest}`);
}

function row(name: string, text: string): Printable {
  return printable`${name.padEnd(13)}  ${text}`;
}

function named(rows: readonly Finding[]): string {
  return rows.map(({ part }) => part).join(", ");
}
