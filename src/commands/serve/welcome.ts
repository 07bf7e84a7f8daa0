// What `npm start` prints once the server is up: its address and how to use it.
import type { Settings } from "../../settings.ts";
import { NAME, printable, type Printable, VERSION } from "../../kernel/kernel.ts";
import { howToConnect } from "../connect/connect.ts";
import { findings } from "../../setup/setup.ts";
import { shortTableOf } from "../doctor/table.ts";

interface KnownToken {
  readonly token: string;
  /** Where it is kept, in words. */
  readonly place: string;
}

export async function welcome(settings: Settings, url: string, { token, place }: KnownToken): Promise<Printable> {
  return printable`${NAME} ${VERSION} is serving. The page, to look and to undo:
  ${new URL("/", url).href}#token=${token}

MCP is on ${url}
Its token: ${token} (${place})

${shortTableOf(await findings(settings))}

${howToConnect(settings)}
A host starts its own server; this one need not run.

To use this running server over HTTP instead:
  claude mcp add --transport http commonplace ${url} --header "Authorization: Bearer ${token}"

Ctrl-C stops it.`;
}
