// The roots of a client: the folders that its user works in. Clients of protocol
// versions before 2026-07-28 are asked when a call needs their roots, and report
// changes. Since 2026-07-28 a server cannot ask: it answers the call with a
// question, and the client repeats the call with the answer. Used by server.ts.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** In milliseconds, for clients that claim to have roots but do not answer. */
const ROOTS_TIMEOUT = 3_000;
/** The name of the question, and the state that returns with its answer. */
const QUESTION = "roots";

type RootsAnswer = { readonly roots?: readonly string[] | undefined } | { readonly question: InputRequiredResult };

export class ClientRoots {
  readonly #server: Server;
  /** The answer of an older client, until it reports a change. */
  #known: Promise<readonly string[] | undefined> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#known = undefined;
    });
  }

  /** The addresses of the client's roots, or the question to answer the call with. */
  async ask(context: ServerContext): Promise<RootsAnswer> {
    const { envelope, inputResponses, requestState } = context.mcpReq;
    if (envelope !== undefined) {
      const capabilities = (envelope as Readonly<Record<string, ClientCapabilities | undefined>>)[
        CLIENT_CAPABILITIES_META_KEY
      ];
      if (capabilities?.roots === undefined) return {};
      const answer = inputResponse(inputResponses, QUESTION);
      if (answer.kind === "roots") return { roots: addressesOf(answer.roots) };
      // The client was asked and has no answer: continue without roots.
      if (requestState() === QUESTION) return {};
      const inputRequests = { [QUESTION]: inputRequired.listRoots() };
      return { question: inputRequired({ inputRequests, requestState: QUESTION }) };
    }
    const capability = this.#server.getClientCapabilities()?.roots;
    if (capability === undefined) return {};
    const asking = (this.#known ??= this.#list(context));
    const roots = await asking;
    // Ask again next time if the client does not report changes, but not if it did not answer.
    if (capability.listChanged !== true && roots !== undefined && this.#known === asking) this.#known = undefined;
    return { roots };
  }

  /** Undefined if the client does not answer, or answers with an error. */
  async #list({ mcpReq }: ServerContext): Promise<readonly string[] | undefined> {
    try {
      const { roots } = await mcpReq.send({ method: "roots/list" }, { timeout: ROOTS_TIMEOUT });
      return addressesOf(roots);
    } catch {
      return undefined;
    }
  }
}

/** Skips malformed roots. */
function addressesOf(roots: readonly unknown[]): readonly string[] {
  return roots.flatMap((root) => {
    const { uri } = (root ?? {}) as { readonly uri?: unknown };
    return typeof uri === "string" ? [uri] : [];
  });
}
