// Resources: what a person can attach to a conversation, or a model can read
// without knowing a tool. Everything but images is read by tool calls. Used by
// server.ts.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Commonplace } from "../../app/app.ts";
import { shortened } from "../../kernel/kernel.ts";
import type { Toolset } from "../../settings.ts";
import { answerOf } from "./answer.ts";
import { describeTool, writeGuide } from "./guide.ts";
import { namesOf, sessionPage, workspacePage } from "./memory.ts";
import { inAnyVault, vaultNames } from "./vaults.ts";

const MARKDOWN = "text/markdown";
const GUIDE = "commonplace://guide";
const NOTE = "note:///";
const NOTE_OF_VAULT = "note://";
const READ_NOTE = "contentManager_readContent";

/** All resources of one template. */
interface Family {
  readonly prefix: string;
  /** The variable after the prefix; several are written `a}/{b`. */
  readonly variable: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The resources are offered only if this tool is, or any of this set. */
  readonly tool?: string;
  readonly toolset?: Toolset;
  /** Undefined if there is no such resource. */
  readonly read: (value: string, commonplace: Commonplace) => Promise<string | undefined>;
  readonly complete: (completing: Completing, commonplace: Commonplace) => Promise<readonly string[]>;
  /** The resources are offered only if there are several vaults. */
  readonly isOfSeveral?: true;
}

/** The text being typed, and the arguments typed before it. */
interface Completing {
  readonly variable: string;
  readonly others: Readonly<Record<string, string>>;
}

const FAMILIES: readonly Family[] = [
  {
    prefix: NOTE,
    variable: "path",
    name: "note",
    title: "Note",
    description: "A note or an image of the vault, by its path.",
    tool: READ_NOTE,
    read: (address, commonplace) => readNote(decoded(address), commonplace),
    complete: (_completing, commonplace) => notePaths(commonplace),
  },
  {
    prefix: NOTE_OF_VAULT,
    variable: "vault}/{path",
    name: "note-of-vault",
    title: "Note of a vault",
    description: "A note or an image of any vault, by the name of the vault and its path.",
    tool: READ_NOTE,
    isOfSeveral: true,
    read: (address, commonplace) => {
      const { vault, path } = placeOf(address);
      return readNote(path, commonplace, vault);
    },
    complete: async ({ variable, others }, commonplace) =>
      variable === "vault" ? vaultNames(commonplace) : notePaths(commonplace, others["vault"]),
  },
  {
    prefix: "memory://sessions/",
    variable: "id",
    name: "session",
    title: "Session",
    description: "A past session: its goal, what was done, files touched and open ends; by its id or name.",
    toolset: "memory",
    read: (address, commonplace) =>
      inAnyVault(commonplace, (vault) => sessionPage(decoded(address), commonplace, vault)),
    complete: (_completing, commonplace) => namesInVaults(commonplace, "sessions"),
  },
  {
    prefix: "memory://workspaces/",
    variable: "id",
    name: "workspace",
    title: "Workspace",
    description: "A workspace: its purpose and goal, files, last sessions and states; by its id or name.",
    toolset: "memory",
    read: (address, commonplace) =>
      inAnyVault(commonplace, (vault) => workspacePage(decoded(address), commonplace, vault)),
    complete: (_completing, commonplace) => namesInVaults(commonplace, "workspaces"),
  },
  {
    prefix: "outline:///",
    variable: "rowId",
    name: "outline",
    title: "Outline section",
    description: "A row of the current outline with everything below it, by its id.",
    tool: "get_section_content",
    read: readSection,
    complete: (_completing, commonplace) => rowIds(commonplace),
  },
  {
    prefix: "conversation://",
    variable: "source}/{id",
    name: "conversation",
    title: "Conversation",
    description: "A past conversation with an assistant, by the program it was in and its id.",
    tool: "read_conversation",
    read: readConversation,
    complete: ({ variable }, commonplace) => conversationIds(commonplace, variable),
  },
  {
    prefix: "commonplace://tools/",
    variable: "name",
    name: "tool",
    title: "Tool reference",
    description: "The reference of one tool: what it does and its arguments.",
    read: async (name, commonplace) => {
      const tool = (await commonplace.toolbox()).find(name);
      return tool && describeTool(tool, vaultNames(commonplace));
    },
    complete: async (_completing, commonplace) => (await commonplace.toolbox()).tools.map((tool) => tool.name),
  },
];

const templateOf = ({ prefix, variable }: Family) => `${prefix}{${variable}}`;

async function offered(commonplace: Commonplace): Promise<Family[]> {
  const { find, has } = await commonplace.toolbox();
  const hasSeveral = vaultNames(commonplace).length > 1;
  return FAMILIES.filter(({ isOfSeveral = false }) => hasSeveral || !isOfSeveral).filter(
    ({ tool, toolset }) => (tool === undefined || find(tool) !== undefined) && (toolset === undefined || has(toolset)),
  );
}

export function listResources() {
  const description = "What this server offers, tool by tool, and where to start.";
  return {
    resources: [{ uri: GUIDE, name: "guide", title: "Guide to Commonplace", description, mimeType: MARKDOWN }],
  };
}

export async function listTemplates(commonplace: Commonplace) {
  const resourceTemplates = (await offered(commonplace)).map((family) => {
    const { name, title, description } = family;
    return { uriTemplate: templateOf(family), name, title, description, mimeType: MARKDOWN };
  });
  return { resourceTemplates };
}

export async function readResource(uri: string, commonplace: Commonplace) {
  const image = await imageAt(uri, commonplace);
  if (image !== undefined) return { contents: [{ uri, mimeType: image.type, blob: image.bytes.toString("base64") }] };
  const family = (await offered(commonplace)).find(({ prefix }) => uri.startsWith(prefix));
  const text = await textOf(uri, family, commonplace).catch((error: unknown) => {
    if (error instanceof MissingNote) throw new ResourceNotFoundError(uri, `Resource not found. ${error.message}`);
    throw error;
  });
  if (text === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

async function textOf(uri: string, family: Family | undefined, commonplace: Commonplace) {
  return uri === GUIDE ? writeGuide(commonplace) : family?.read(uri.slice(family.prefix.length), commonplace);
}

async function imageAt(uri: string, commonplace: Commonplace) {
  if (!uri.startsWith(NOTE_OF_VAULT) || (await commonplace.toolbox()).find(READ_NOTE) === undefined) return undefined;
  const { vault, path } = placeOf(uri.slice(NOTE_OF_VAULT.length));
  try {
    const file = await commonplace.openMedia(path, vault);
    return file && (await import("../../vault/vault.ts")).imageIn(file);
  } catch {
    // A resource that may not be read is reported as missing.
    return undefined;
  }
}

/** Suggestions for a variable of a template. */
export async function completeResource(template: string, completing: Completing, commonplace: Commonplace) {
  // A resource without variables has nothing to complete.
  if (template === GUIDE) return [];
  const family = (await offered(commonplace)).find((one) => templateOf(one) === template);
  if (family === undefined) throw new ResourceNotFoundError(template);
  const { variable } = completing;
  const variables = family.variable.split("}/{");
  if (!variables.includes(variable)) {
    const message = `Unknown argument: ${shortened(variable)}. The resource ${template} has ${variables.join(", ")}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  return family.complete(completing, commonplace);
}

/** `NAME/path`, or `/path` in the default vault. */
function placeOf(address: string): { readonly vault: string | undefined; readonly path: string } {
  const slash = address.indexOf("/");
  const vault = decoded(slash === -1 ? address : address.slice(0, slash));
  return { vault: vault === "" ? undefined : vault, path: decoded(slash === -1 ? "" : address.slice(slash + 1)) };
}

async function namesInVaults(commonplace: Commonplace, what: "sessions" | "workspaces"): Promise<readonly string[]> {
  const names = await Promise.all(vaultNames(commonplace).map((vault) => namesOf(commonplace, what, vault)));
  return [...new Set(names.flat())];
}

async function readNote(filePath: string, commonplace: Commonplace, vault?: string): Promise<string | undefined> {
  const result = await commonplace.call(READ_NOTE, { filePath, vault }, { asker: "server" });
  if (result === undefined) return undefined;
  const { hint } = result.structuredContent;
  if (!result.isError) return withHint(result.structuredContent.data.content, hint);
  if (hint === undefined) return undefined;
  // Such as the path that `daily:today` stands for.
  throw new MissingNote(hint);
}

/** A note that is missing, and what may be meant. */
class MissingNote extends Error {}

async function notePaths(commonplace: Commonplace, vault?: string): Promise<readonly string[]> {
  const everything = { path: "/", depth: 100, includeFolders: false, vault };
  const folder = await answerOf(commonplace.call("vaultManager_listDirectory", everything, { asker: "person" }));
  return folder?.data.entries.map(({ path }) => path) ?? [];
}

/** Without an id, the whole document. */
async function readSection(address: string, commonplace: Commonplace): Promise<string | undefined> {
  const sent = { rowId: decoded(address), format: "markdown" };
  const section = await answerOf(commonplace.call("get_section_content", sent, { asker: "server" }));
  return section && withHint(section.markdown ?? "", section.hint);
}

async function rowIds(commonplace: Commonplace): Promise<readonly string[]> {
  const sent = { includeNotes: false };
  const outline = await answerOf(commonplace.call("get_outline_structure", sent, { asker: "person" }));
  return outline?.rows?.map(({ id }) => id) ?? [];
}

/** In the size of the page's parts: nobody can ask for the next part of a resource. */
async function readConversation(address: string, commonplace: Commonplace): Promise<string | undefined> {
  const part = await answerOf(commonplace.call("read_conversation", { id: decoded(address) }, { asker: "person" }));
  if (part === undefined) return undefined;
  const messages = part.messages.map(
    ({ role, text, time }) => `## ${role}${time === undefined ? "" : `, ${time}`}\n\n${text}`,
  );
  return withHint([`# ${part.conversation.title}`, ...messages].join("\n\n"), part.hint);
}

function withHint(text: string, hint: string | undefined): string {
  return hint === undefined ? text : `${text}\n\n[${hint}]`;
}

/** The ids of the newest conversations, or the programs that they are from. */
async function conversationIds(commonplace: Commonplace, variable: string): Promise<readonly string[]> {
  const conversations = await commonplace.conversations();
  const { answer } = await conversations.recall({ limit: 1_000 });
  const values = answer.conversations.map(({ source, id }) => (variable === "source" ? source : id));
  return [...new Set(values)];
}

/** Clients send the path with or without percent-encoding. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
