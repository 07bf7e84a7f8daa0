// The page is an MCP client like any other: it calls the server's tools at
// /mcp with the token. This is all of the protocol that it needs.

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "commonplace-page", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The tools of the vault want to know who calls. */
const CONTEXT = {
  sessionId: "page",
  workspaceId: "default",
  sessionDescription: "The person looks at the page",
  sessionMemory: "",
  toolContext: "",
  primaryGoal: "",
  subgoal: "",
};

/** What a tool answered instead of a result: a sentence, and what to do. */
export class Refusal extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The token is not, or no longer, the right one. */
export class NotLetIn extends Error {}

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
}

interface Failure {
  readonly error?: string | { readonly message: string };
  readonly hint?: string;
}

interface Response<R> {
  readonly result?: R;
  readonly error?: { readonly message: string };
}

export class Client {
  readonly #token: string;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #lastId = 0;

  private constructor(token: string) {
    this.#token = token;
  }

  /** Asks which tools there are: what the page can show depends on it. */
  static async connect(token: string): Promise<Client> {
    const client = new Client(token);
    const { tools } = await client.#ask<{ tools: readonly Tool[] }>("tools/list", {});
    client.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    return client;
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  async call<R>(name: string, sent: object, signal?: AbortSignal): Promise<R> {
    const needsContext = this.#tools.get(name)?.inputSchema.required?.includes("context");
    const params = { name, arguments: needsContext ? { ...sent, context: CONTEXT } : sent };
    const result = await this.#ask<{ structuredContent: R & Failure; isError?: true }>("tools/call", params, signal);
    const { structuredContent } = result;
    if (!result.isError) return structuredContent;
    const { error, hint } = structuredContent;
    throw new Refusal(typeof error === "object" ? error.message : (error ?? "The call failed."), hint);
  }

  async readResource(uri: string, signal?: AbortSignal): Promise<ResourceContent | undefined> {
    const { contents } = await this.#ask<{ contents: readonly ResourceContent[] }>("resources/read", { uri }, signal);
    return contents[0];
  }

  /** The open answer of the server that says whenever something changed. */
  async changes(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const answer = await fetch("/changes", { headers: { Authorization: `Bearer ${this.#token}` }, signal });
    if (!answer.ok || answer.body === null) throw new Error(`${answer.status}`);
    return answer.body;
  }

  async #ask<R>(method: string, params: { name?: string; uri?: string }, signal?: AbortSignal): Promise<R> {
    const name = params.name ?? params.uri;
    const answer = await fetch("/mcp", {
      method: "POST",
      headers: {
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${this.#token}`,
        "Content-Type": "application/json",
        "Mcp-Method": method,
        "Mcp-Protocol-Version": VERSION,
        ...(name !== undefined && { "Mcp-Name": headerText(name) }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#lastId, method, params: { ...params, _meta: META } }),
      ...(signal && { signal }),
    });
    if (answer.status === 401) throw new NotLetIn();
    const { result, error } = (await answer.json()) as Response<R>;
    if (result === undefined) throw new Refusal(error?.message ?? `The server answered ${answer.status}.`);
    return result;
  }
}

export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** As the protocol writes what a header cannot hold. */
function headerText(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
