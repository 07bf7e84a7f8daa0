// MCP over standard input and output. Used by the command serve.
import type { Readable, Writable } from "node:stream";
import { serveStdio as serveWith } from "@modelcontextprotocol/server/stdio";
import type { Commonplace } from "../app/app.ts";
import { LineTransport } from "./line-transport.ts";
import { rememberOutline } from "./opened-outline.ts";
import { createServer } from "./server.ts";

/** Serves until the client closes standard input, or a signal stops the process. */
export async function serveStdio(
  commonplace: Commonplace,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<void> {
  const transport = new LineTransport(input, output, commonplace.log);
  const openedOutline = rememberOutline();
  const handle = serveWith(() => createServer(commonplace, { openedOutline }), {
    transport,
    onerror: (error) => commonplace.log(oneLine(error.message)),
  });
  const stop = () => void transport.close();
  process.on("SIGTERM", stop).once("SIGINT", stop);
  await transport.closed;
  process.off("SIGINT", stop);
  await handle.close();
  await commonplace.close();
  // Until here: hosts close standard input, and send a signal two seconds later.
  process.off("SIGTERM", stop);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 500);
}
