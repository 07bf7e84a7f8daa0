// search and fetch as ChatGPT asks for them (developers.openai.com/api/docs/mcp):
// rows with id, title and url, and whatever they name as one document. The list
// `chatgpt` has these two, and nothing that writes.
import { Problem } from "../../kernel/kernel.ts";
import { MAX_TOKENS } from "../call/budget.ts";
import { defineTool, type Call } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { list, object, record, text } from "../definition/schema.ts";
import { search } from "../every/search.ts";
import { getSectionContent } from "../outline/sections.ts";
import { readConversation } from "../recall/conversation-reading.ts";
import { readContent } from "../vault/note-reading.ts";
import { type Address, addressOf, addressIn } from "./address.ts";

const NO_QUERY = "query is required";
const NO_ID = "id is required";

export const searchForChatGPT = defineTool({
  name: "search",
  title: "Search everything",
  description:
    "Search the person's own notes, outlines and past conversations with AI assistants. Returns id, title and url of each hit, best first; fetch shows one whole.",
  toolset: "every",
  byDefault: false,
  contract: "vault",
  effects: READS,
  pages: "results",
  usualPageSize: 20,
  input: { query: text("Words, or a question", { missing: NO_QUERY, notEmpty: true }) },
  output: { results: list(object({ id: text(), title: text(), url: text(), snippet: text() })) },
  about: ({ query }) => query,
  run: async ({ query }, call) => {
    const { results } = await search.run({ query, hitsOnly: true }, call);
    return {
      results: results.slice(0).map((hit) => {
        const address = addressOf(hit);
        return { id: address, title: hit.title, url: address, snippet: hit.snippet };
      }),
    };
  },
});

export const fetchForChatGPT = defineTool({
  name: "fetch",
  title: "Fetch",
  description:
    "Show one result of search whole: a note, a row of an outline with the rows below it, or a past conversation. id is the id or url of a result.",
  toolset: "every",
  byDefault: false,
  contract: "vault",
  effects: READS,
  budget: MAX_TOKENS,
  pages: "text",
  input: { id: text("id or url of a result", { missing: NO_ID, notEmpty: true, sample: "an id of search" }) },
  output: { id: text(), title: text(), text: text(), url: text(), metadata: record() },
  about: ({ id }) => id,
  run: async ({ id }, call) => {
    const address = addressIn(id);
    if (address === undefined)
      throw new Problem(
        "not_found",
        `No result has the id ${id.slice(0, 100)}.`,
        "Send an id or a url that search returned.",
      );
    return { id, url: id, ...(await document(address, call)) };
  },
});

interface Fetched {
  readonly title: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
}

async function document(address: Address, call: Call): Promise<Fetched> {
  if (address.kind === "note") return note(address, call);
  if (address.kind === "outline") {
    const { section, markdown = "" } = await getSectionContent.run({ rowId: address.id, format: "markdown" }, call);
    return { title: section.title, text: markdown, metadata: { kind: "outline" } };
  }
  const sent = { id: address.id, around: address.message, includeTools: false };
  const { conversation, messages, total } = await readConversation.run(sent, call);
  const said = messages.slice(0);
  return {
    title: conversation.title,
    text: said
      .map(({ role, time, text: words }) => `[${role}${time === undefined ? "" : ` ${time}`}]\n${words}`)
      .join("\n\n"),
    metadata: { kind: "conversation", program: conversation.source_tool, messages: `${said.length} of ${total}` },
  };
}

/** Of the vault that the address names; an image is described, since the answer is one text. */
async function note({ path, vault }: Extract<Address, { kind: "note" }>, call: Call): Promise<Fetched> {
  const { services } = call;
  const named = vault === undefined ? undefined : services.vaults.find(({ name }) => name === vault);
  if (vault !== undefined && named === undefined) throw new Problem("not_found", `There is no vault '${vault}' here.`);
  const inVault = named === undefined ? services : { ...services, vault: named.vault };
  const { data } = await readContent.run({ filePath: path }, { ...call, services: inVault, attach: () => {} });
  return {
    title: data.filePath.replace(/^.*\//, "").replace(/\.md$/i, ""),
    text: data.content,
    metadata: { kind: "note", path: data.filePath, ...(vault !== undefined && { vault }) },
  };
}
