// The MCP boundary: maps each request of a client to the part of the program
// that answers it. One server object serves one connection (or one HTTP request);
// all of them share one Commonplace. Used by stdio.ts and http/.
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Commonplace } from "../app/app.ts";
import {
  isRecord,
  CAPABILITIES,
  NAME,
  nearestOrLonger,
  PROTOCOL_VERSIONS,
  shortened,
  VERSION,
} from "../kernel/kernel.ts";
import type { OpenedOutline } from "../outline/outline.ts";
import type { Asker, ConnectionContext } from "../tools/tools.ts";
import { instructionsFor, instructionsForMembers } from "./instructions.ts";
import { PersonQuestions } from "./person-questions.ts";
import { ClientRoots } from "./roots.ts";

const IDENTITY = { name: NAME, title: "Commonplace", version: VERSION };

/** For the page, which leaves out what a member may not do: the names of the spaces whose reader the member is. */
export const READ_ONLY_VAULTS = "commonplace/read-only-vaults";

function readOnlyVaults({ settings }: Commonplace): string[] {
  return settings.vaults.flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : []));
}

interface ServedClient {
  /** An assistant's host, or the person at the page. */
  readonly asker?: Extract<Asker, "host" | "person">;
  /** The outline that the stdio process or the HTTP session has open; undefined where there is neither. */
  readonly openedOutline?: OpenedOutline;
}

export function createServer(served: Commonplace, { asker = "host", openedOutline }: ServedClient = {}): Server {
  // Resources and completions are about the same current outline.
  const commonplace: Commonplace = Object.create(served, {
    call: {
      value: (...[name, sent, asking]: Parameters<Commonplace["call"]>) =>
        served.call(name, sent, { openedOutline, ...asking }),
    },
  });
  const server = new Server(IDENTITY, {
    capabilities: CAPABILITIES,
    instructions: (commonplace.isForMember ? instructionsForMembers : instructionsFor)(commonplace.settings),
    supportedProtocolVersions: [...PROTOCOL_VERSIONS],
  });
  server.onerror = (error) => commonplace.log(error.message);
  const clientRoots = new ClientRoots(server);
  const questions = new PersonQuestions(server);
  // Made by the first call: a connection that only lists tools need not load them.
  let connection: Promise<ConnectionContext> | undefined;

  server.setRequestHandler(
    "tools/list",
    async () =>
      ({
        tools: [...(await commonplace.toolbox(asker)).listing],
        ...(asker === "person" &&
          commonplace.isForMember && { _meta: { [READ_ONLY_VAULTS]: readOnlyVaults(commonplace) } }),
      }) as never,
  );

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    // A page has no roots.
    const asksForRoots = asker === "host" && (await commonplace.asksForRoots(params.name));
    const answer = asksForRoots ? await clientRoots.ask(context) : {};
    if ("question" in answer) return answer.question as never;
    const caller = {
      asker,
      signal: context.mcpReq.signal,
      protocolVersion: server.getNegotiatedProtocolVersion() ?? PROTOCOL_VERSIONS[0],
      roots: answer.roots,
      client: clientName(server, context),
      connection: await (connection ??= newConnection()),
      ...progressTo(context),
    };
    const call = (sent: typeof params.arguments) => commonplace.call(params.name, sent, caller);
    const mayConfirm = (await commonplace.toolbox(asker)).find(params.name)?.asksToConfirm === true;
    const result =
      asker === "host"
        ? await questions.resultOf(context, params.arguments, mayConfirm, call)
        : await call(params.arguments);
    if (result !== undefined && "question" in result) return result.question as never;
    if (result === undefined) throw await unknownTool(params.name, commonplace);
    // The page reads structuredContent only; the same as text would double long answers.
    const { choices: _, ...answered } = { choices: undefined, ...result };
    return (asker === "person" ? { ...answered, content: [] } : answered) as never;
  });

  // Everything but tools is loaded on first use.
  server.setRequestHandler("resources/list", async () => (await import("./resources/resources.ts")).listResources());
  server.setRequestHandler("resources/templates/list", async () =>
    (await import("./resources/resources.ts")).listTemplates(commonplace),
  );
  server.setRequestHandler("resources/read", async ({ params }) =>
    (await import("./resources/resources.ts")).readResource(params.uri, commonplace),
  );
  server.setRequestHandler("prompts/list", async () => (await import("./prompts.ts")).listPrompts(commonplace));
  server.setRequestHandler("prompts/get", async ({ params }) =>
    (await import("./prompts.ts")).getPrompt(params.name, params.arguments ?? {}, commonplace),
  );
  server.setRequestHandler("completion/complete", async ({ params }) =>
    (await import("./completions.ts")).complete(params.ref, params.argument, commonplace, params.context?.arguments),
  );
  return server;
}

/** The name by which the client introduced itself: with the request, or once for the connection. */
function clientName(server: Server, { mcpReq }: ServerContext): string | undefined {
  const sent = mcpReq._meta?.["io.modelcontextprotocol/clientInfo"];
  const name = isRecord(sent) ? sent["name"] : server.getClientVersion()?.name;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Progress is sent only to a client that asked for it. */
function progressTo({ mcpReq }: ServerContext): {
  onProgress?: (done: number, total?: number, message?: string) => void;
} {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    onProgress: (progress, total, message) => {
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

async function newConnection(): Promise<ConnectionContext> {
  const { ConnectionContext } = await import("../tools/tools.ts");
  return new ConnectionContext();
}

async function unknownTool(name: string, commonplace: Commonplace): Promise<ProtocolError> {
  const { tools } = await commonplace.toolbox();
  const { TOOLS } = await import("../tools/tools.ts");
  if (TOOLS.some((tool) => tool.name === name)) {
    const reason = commonplace.isForMember ? "" : " Its settings --toolsets, --read-only and --memory decide.";
    const message = `Unknown tool: ${name} is not offered by this server.${reason}`;
    return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const names = tools.map((tool) => tool.name);
  const meant = nearestOrLonger(name, names);
  const message = `Unknown tool: ${shortened(name)}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
