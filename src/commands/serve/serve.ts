// commonplace serve: the MCP server, over stdio or HTTP.
import { join } from "node:path";
import { isatty } from "node:tty";
import { openCommonplace, personCalls, replaceable, type Commonplace } from "../../app/app.ts";
import { openOnDesktop } from "../../files/files.ts";
import { log, print, Problem } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings.ts";
import type { Command, Invocation } from "../command.ts";
import { stopSignal } from "./stop-signal.ts";

export const command: Command = {
  usage: "serve [--stdio | --http [PORT | HOST:PORT]]",
  help: `Serves MCP: over stdio (the default) until standard input is closed, or over HTTP
at /mcp with a token, with a web page at /. HTTP is open to this machine only,
unless --host names another address. PORT defaults to 4127; if that is taken, a
free port is chosen, and kept for this vault. With HOST:PORT and --store it serves
the members of the shared store instead, each with a token of their own, and nothing
of this machine: see docs/guide/team-server.md.`,
  takesArguments: true,
  flags: {
    stdio: { help: "serve over standard input and output" },
    http: { help: "serve over HTTP" },
    host: { value: "ADDRESS", help: "listen on this address instead of 127.0.0.1" },
    welcome: { help: "with --http: show how to connect, and open the page in a browser" },
  },
  run: async (invocation) => {
    const { flags } = invocation;
    if (flags["http"]) {
      const isForMembers = /:\d+$/.test(invocation.words[0] ?? "");
      return isForMembers ? (await import("./serve-members.ts")).serveMembers(invocation) : serveOverHttp(invocation);
    }
    if (flags["host"] !== undefined || flags["welcome"] || invocation.words.length > 0) {
      throw new Problem("invalid", "A port, --host and --welcome require --http.");
    }
    const { serveStdio } = await import("../../mcp/mcp.ts");
    await serveStdio(openServing(invocation));
    return 0;
  },
};

/** How long after the first call everything that it needs is compiled, in milliseconds. */
const COMPILED_AFTER = 1_000;

function openServing({ settings, keepCompiled }: Invocation): Commonplace {
  let wasCalled = false;
  const keep = () => keepCompiled("call");
  const onFirstCall = () => {
    wasCalled = true;
    setTimeout(keep, COMPILED_AFTER).unref();
  };
  const commonplace = openCommonplace(settings, { onFirstCall });
  const close = async () => {
    await commonplace.close();
    if (wasCalled) keep();
  };
  return { ...commonplace, close };
}

async function serveOverHttp(invocation: Invocation): Promise<number> {
  const { flags, settings, words } = invocation;
  if (flags["stdio"]) throw new Problem("invalid", "--stdio and --http exclude each other.");
  const { DEFAULT_PORT, serveHttp } = await import("../../mcp/mcp.ts");
  const { holderOf, keepServingRecord, portsBefore } = await import("../../setup/setup.ts");
  const port = portOf(words);
  const token = await tokenOf(settings);
  const host = typeof flags["host"] === "string" ? flags["host"].replace(/^\[(.*)\]$/, "$1") : "127.0.0.1";
  if (!/^(127\.|::1$|localhost$)/.test(host))
    log(`listening on ${host}: anyone who can reach it and has the token can use it, and nothing is encrypted`);
  const served = replaceable(openServing(invocation));
  // Port 0 asks for any free port, for this start only.
  const keep = (current: Settings) => port !== 0 && keepServingRecord(current, serving.port, port !== undefined);
  const person = personCalls(served.commonplace, async (changed) => {
    await served.replace(openServing({ ...invocation, settings: changed }));
    keep(changed);
  });
  const serving = await serveHttp(served.commonplace, {
    person,
    token,
    host,
    port,
    usualPorts: [...new Set([...portsBefore(settings), DEFAULT_PORT])],
    holderOf: (taken) => holderOf(settings, host, taken),
    page: join(import.meta.dirname, "web"),
  });
  // Before anybody hears that it serves: it may be stopped from then on.
  const stopped = stopSignal();
  keep(settings);
  if (flags["welcome"]) {
    if (settings.origins.vault === "default") (await import("../../vault/vault.ts")).makeEmbeddedVault(settings.vault);
    if (settings.origins.outline === "default")
      (await import("../../outline/outline.ts")).makeEmbeddedOutline(settings.outline);
    const { welcome } = await import("./welcome.ts");
    print(await welcome(settings, serving.url, { token, place: tokenPlace(settings) }));
    if (isatty(1)) await openOnDesktop(serving.invite());
  } else {
    log(`serving on ${serving.url}`);
    log(`the page is ${new URL("/", serving.url).href} and asks for the token, which is ${tokenPlace(settings)}`);
  }
  await stopped;
  await serving.close();
  return 0;
}

function tokenPlace({ token, folders }: Settings): string {
  return token === undefined ? `kept in ${join(folders.data, "token")}` : "that of COMMONPLACE_TOKEN";
}

async function tokenOf(settings: Settings): Promise<string> {
  if (settings.token !== undefined) {
    if (/^\S{16,}$/.test(settings.token)) return settings.token;
    throw new Problem("invalid", "COMMONPLACE_TOKEN must have at least 16 characters, and no blanks.");
  }
  const [{ tightenFolders }, { keptToken }] = await Promise.all([
    import("../../files/files.ts"),
    import("../../files/files.ts"),
  ]);
  tightenFolders(settings.folders);
  return keptToken(join(settings.folders.data, "token"));
}

function portOf([word, ...more]: readonly string[]): number | undefined {
  if (word === undefined) return undefined;
  const port = Number(word);
  if (more.length === 0 && /^\d+$/.test(word) && port <= 65_535) return port;
  throw new Problem("invalid", `'${[word, ...more].join(" ")}' is not a port: use a number from 1 to 65535.`);
}
