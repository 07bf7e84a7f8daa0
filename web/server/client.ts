// The page's MCP client: it calls the server's tools at /mcp with the token, like
// any other client. This is the part of the protocol that the page needs.
import type { PersonCalls } from "../../src/app/app.ts";
import type { ResultNamed, ToolName, ToolNamed } from "../../src/tools/tools.ts";
import type { MediaAddress } from "../../src/mcp/mcp.ts";
import { sendArchive, type ImportProgress, type ImportResult } from "./archive-upload.ts";
import { Problem, Unauthorized } from "./failures.ts";

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "commonplace-page", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The context that tools of the vault require of every caller. */
const CONTEXT = {
  sessionId: "page",
  workspaceId: "default",
  sessionDescription: "The person looks at the page",
  sessionMemory: "",
  toolContext: "",
  primaryGoal: "",
  subgoal: "",
};

/** The arguments of a tool. The server checks that none is missing. */
export type InputOf<N extends ToolName> = Partial<Parameters<ToolNamed<N>["run"]>[0]>;

interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
  readonly inputSchema: {
    readonly required?: readonly string[];
    readonly properties?: { readonly vault?: { readonly enum?: readonly string[] } };
  };
}

interface ListedTools {
  readonly tools: readonly ListedTool[];
  /** See READ_ONLY_VAULTS in src/mcp/server.ts. */
  readonly _meta?: { readonly "commonplace/read-only-vaults"?: readonly string[] };
}

/** The result of a call that failed: the contracts word errors in two ways. */
interface Failure {
  readonly error?: string | { readonly message: string; readonly code?: string };
  readonly code?: string;
  readonly hint?: string;
}

interface Answer<R> {
  readonly result?: R;
  readonly error?: { readonly message: string };
}

interface PersonAnswer<R> {
  readonly result?: R;
  readonly error?: { readonly message: string; readonly hint?: string };
}

export class Client {
  /** The vault that is shown; empty for the default one. Searches look in all. */
  vault = "";
  readonly #token: string;
  #tools: ReadonlyMap<string, ListedTool> = new Map();
  #readOnlyVaults: readonly string[] = [];
  #onUnauthorized: (() => void) | undefined;
  #lastId = 0;

  private constructor(token: string) {
    this.#token = token;
  }

  /** Lists the tools, since they decide what the page can show. */
  static async connect(token: string): Promise<Client> {
    const client = new Client(token);
    const { tools, _meta } = await client.#request<ListedTools>("tools/list", {});
    client.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    client.#readOnlyVaults = _meta?.["commonplace/read-only-vaults"] ?? [];
    return client;
  }

  /**
   * From now on a call that the server answers with 401 calls this, and never settles: the views that wait for it are
   * replaced by the sign-in form.
   */
  onUnauthorized(signOut: () => void): void {
    this.#onUnauthorized = signOut;
  }

  /** The names of the vaults, the default first; none if there is only one. */
  get vaults(): readonly string[] {
    const named = [...this.#tools.values()].map(({ inputSchema }) => inputSchema.properties?.vault?.enum);
    return named.find((names) => names !== undefined) ?? [];
  }

  /** Returns whether the person may use a tool in the vault that is shown. */
  has(name: ToolName): boolean {
    const tool = this.#tools.get(name);
    if (tool?.annotations?.readOnlyHint !== false || this.#readOnlyVaults.length === 0) return tool !== undefined;
    // A tool that works in no vault writes where the person may write, if that is anywhere.
    const isInVault = tool.inputSchema.properties?.vault !== undefined;
    const [shown, known] = [this.vault || this.vaults[0], this.vaults];
    return isInVault ? !this.#readOnlyVaults.includes(shown!) : known.length > this.#readOnlyVaults.length;
  }

  async call<N extends ToolName>(name: N, input: InputOf<N>, signal?: AbortSignal): Promise<ResultNamed<N>> {
    const { required, properties } = this.#tools.get(name)?.inputSchema ?? {};
    const params = {
      name,
      arguments: {
        ...(properties?.vault !== undefined && !isOfAll(name, input) && { vault: this.vault || this.vaults[0] }),
        ...input,
        ...(required?.includes("context") && { context: CONTEXT }),
      },
    };
    const result = await this.#request<{ structuredContent: ResultNamed<N> & Failure; isError?: true }>(
      "tools/call",
      params,
      signal,
    );
    const { structuredContent } = result;
    if (!result.isError) return structuredContent;
    const { error, hint, code } = structuredContent;
    if (typeof error === "object") throw new Problem(error.message, hint, error.code);
    throw new Problem(error ?? "The call failed.", hint, code);
  }

  /** Asks for what is for a person only, and never a tool: see src/app/person-calls.ts. */
  async ask<N extends keyof PersonCalls>(
    name: N,
    input: Parameters<PersonCalls[N]>[0] | Record<string, never> = {},
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<PersonCalls[N]>>> {
    const response = await fetch(`/person/${name}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    });
    if (response.status === 401) return this.#signedIn(Promise.reject<never>(new Unauthorized()));
    const { result, error } = (await response.json()) as PersonAnswer<Awaited<ReturnType<PersonCalls[N]>>>;
    if (result === undefined)
      throw new Problem(error?.message ?? `The server answered ${response.status}.`, error?.hint);
    return result;
  }

  /** An address at which a browser can load a file of the vault without the token; undefined if there is none. */
  async mediaAddress(path: string, signal?: AbortSignal): Promise<MediaAddress | undefined> {
    const response = await this.#media(path, { method: "POST", ...(signal && { signal }) });
    return response.ok ? ((await response.json()) as MediaAddress) : undefined;
  }

  /** Adds an image to the vault for a note, where its settings want attachments; returns its path. */
  async addImage(note: string, image: File): Promise<string> {
    const response = await this.#media(image.name, { method: "PUT", body: image }, `?note=${encodeURIComponent(note)}`);
    const { path, error } = (await response.json()) as { path?: string; error?: { message: string } | string };
    if (path !== undefined) return path;
    throw new Problem((typeof error === "string" ? error : error?.message) ?? `${image.name} was not added.`);
  }

  /** A text file as it is stored. */
  async fileText(path: string, signal?: AbortSignal): Promise<string> {
    const response = await this.#media(path, { ...(signal && { signal }) });
    if (!response.ok)
      throw new Problem(response.status === 404 ? `File not found: ${path}` : "The file cannot be read.");
    return response.text();
  }

  async #media(path: string, init: RequestInit, query = ""): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.#token}` };
    const vault = this.vault === "" ? "" : `${query === "" ? "?" : "&"}vault=${encodeURIComponent(this.vault)}`;
    const address = `/media/${path.split("/").map(encodeURIComponent).join("/")}${query}${vault}`;
    const response = await fetch(address, { ...init, headers });
    return response.status === 401 ? this.#signedIn(Promise.reject(new Unauthorized())) : response;
  }

  /** Sends an archive of conversations, and waits until it is imported. */
  importArchive(file: File, onProgress: (progress: ImportProgress) => void): Promise<ImportResult> {
    return this.#signedIn(sendArchive(file, this.#token, onProgress));
  }

  /** A stream that stays open and has an event for every change on the server. */
  async changes(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await fetch("/changes", { headers: { Authorization: `Bearer ${this.#token}` }, signal });
    if (response.status === 401) return this.#signedIn(Promise.reject(new Unauthorized()));
    if (!response.ok || response.body === null) throw new Error(`${response.status}`);
    return response.body;
  }

  async #signedIn<R>(answer: Promise<R>): Promise<R> {
    return answer.catch((error: unknown) => {
      if (!(error instanceof Unauthorized) || this.#onUnauthorized === undefined) throw error;
      this.#onUnauthorized();
      return new Promise<never>(() => {});
    });
  }

  async #request<R>(method: string, params: { name?: string }, signal?: AbortSignal): Promise<R> {
    const { name } = params;
    const response = await fetch("/mcp", {
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
    if (response.status === 401) return this.#signedIn(Promise.reject(new Unauthorized()));
    const { result, error } = (await response.json()) as Answer<R>;
    if (result === undefined) throw new Problem(error?.message ?? `The server answered ${response.status}.`);
    return result;
  }
}

/** Returns whether a call is about every vault and outline: a change is found by its id wherever it was made, the history of a path is that of the vault. */
function isOfAll(name: ToolName, input: { readonly path?: unknown }): boolean {
  return name === "search" || name === "undo" || name === "redo" || (name === "history" && input.path === undefined);
}

/** The protocol's encoding of text that a header cannot hold. */
function headerText(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
