// The roots of a client: the folders that its user works in. A client of the
// protocol's older versions is asked when a call needs them, and says when they
// change. Since 2026-07-28 a server cannot ask: it ends the call with a
// question, and the client sends the call again with the answer.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** A client that says it has roots, and then does not tell them, is not waited for longer. */
const PATIENCE = 3_000;
/** The name of the question, and the state that comes back with its answer. */
const QUESTION = "roots";

export type RootsAnswer =
  | { readonly roots?: readonly string[] | undefined }
  | { readonly question: InputRequiredResult };

export class ClientRoots {
  readonly #server: Server;
  /** What an older client said; asked anew when it says that they changed. */
  #told: Promise<readonly string[] | undefined> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#told = undefined;
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
      // It was asked and has no answer: the call goes on without one.
      if (requestState() === QUESTION) return {};
      const inputRequests = { [QUESTION]: inputRequired.listRoots() };
      return { question: inputRequired({ inputRequests, requestState: QUESTION }) };
    }
    const capability = this.#server.getClientCapabilities()?.roots;
    if (capability === undefined) return {};
    const asking = (this.#told ??= this.#list(context));
    const roots = await asking;
    // A client that does not tell of changes has to be asked each time; one that does not answer, no more.
    if (capability.listChanged !== true && roots !== undefined && this.#told === asking) this.#told = undefined;
    return { roots };
  }

  /** Undefined where the client does not answer, or with an error. */
  async #list({ mcpReq }: ServerContext): Promise<readonly string[] | undefined> {
    try {
      const { roots } = await mcpReq.send({ method: "roots/list" }, { timeout: PATIENCE });
      return addressesOf(roots);
    } catch {
      return undefined;
    }
  }
}

/** What comes from a client is only looked at as far as it is what it should be. */
function addressesOf(roots: readonly unknown[]): readonly string[] {
  return roots.flatMap((root) => {
    const { uri } = (root ?? {}) as { readonly uri?: unknown };
    return typeof uri === "string" ? [uri] : [];
  });
}
