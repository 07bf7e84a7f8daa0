// commonplace serve --http HOST:PORT --store …: the MCP server for the members of a
// shared store, and the page for them, behind a proxy.
import { join } from "node:path";
import { noStore, openMembers } from "../../app/app.ts";
import { isLoopback, log, Problem } from "../../kernel/kernel.ts";
import { DEFAULT_SERVER, type Settings } from "../../settings.ts";
import type { Invocation } from "../command.ts";
import { stopSignal } from "./stop-signal.ts";

export async function serveMembers({ settings, flags, words }: Invocation): Promise<number> {
  const { host, port } = addressIn(words);
  if (flags["stdio"] || flags["welcome"] || flags["host"] !== undefined)
    throw new Problem("invalid", "With HOST:PORT there is no --stdio, --host or --welcome.");
  checkSettings(settings);
  if (settings.store === undefined)
    throw isLoopback(host)
      ? noStore()
      : new Problem(
          "invalid",
          `Without a shared store nobody can prove who they are, so the server does not listen on ${host}.`,
          "Name the store with --store; to serve yourself alone, with one token, use --http PORT --host ADDRESS.",
        );
  const server = settings.server ?? DEFAULT_SERVER;
  const members = await openMembers(settings, log);
  try {
    await members.check();
  } catch (error) {
    await members.close();
    throw error;
  }
  const page = join(import.meta.dirname, "web");
  const serving = await (await import("../../mcp/mcp.ts")).serveMembers(members, { host, port, server, page, log });
  // Before anybody hears that it serves: it may be stopped from then on.
  const stopped = stopSignal();
  log(`serving the members of ${settings.store.shown} on ${serving.url}`);
  if (!isLoopback(host) && server.publicUrl === undefined)
    log("nothing is encrypted: put a proxy with TLS in front of it, and name its address as publicUrl");
  await stopped;
  log("stopping: running requests are finished first");
  await serving.close();
  return 0;
}

/** The settings that count for members; all others are about this machine. */
const USED: ReadonlySet<string> = new Set<keyof Settings["origins"]>([
  "store",
  "server",
  "home",
  "toolsets",
  "readOnly",
  "timeZone",
  "related",
  "memory",
]);

/** A flag that would do nothing is refused: who sends it expects something of it. */
function checkSettings({ origins }: Settings): void {
  const vain = Object.entries(origins).filter(([name, origin]) => origin.startsWith("--") && !USED.has(name));
  if (vain.length === 0) return;
  const flags = vain.map(([, origin]) => origin).join(", ");
  throw new Problem(
    "invalid",
    `With HOST:PORT the members of the store are served, and nothing of this machine: ${flags} would do nothing.`,
    "Leave it out. A folder is brought into a space with 'commonplace store import DIR --space NAME'; '--http PORT' serves yourself.",
  );
}

function addressIn([word = "", ...more]: readonly string[]): { readonly host: string; readonly port: number } {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(word) ?? [];
  const name = host.replace(/^\[(.*)\]$/, "$1");
  if (more.length === 0 && name !== "" && Number(port) <= 65_535) return { host: name, port: Number(port) };
  throw new Problem("invalid", `'${[word, ...more].join(" ")}' is not HOST:PORT, such as 127.0.0.1:4127.`);
}
