// commonplace read: opens a note, a row of an outline or a past conversation, whole,
// in a terminal through the person's pager.
import { openCommonplace, type Commonplace } from "../../app/app.ts";
import { multiline, type Printable, printJson, printPaged, Problem } from "../../kernel/kernel.ts";
import type { ResultNamed } from "../../tools/tools.ts";
import { usageLine } from "../../setup/setup.ts";
import { choiceOf, textOf, type Command } from "../command.ts";
import { foundConversation } from "../conversations/found-conversation.ts";
import { noteGuideVault } from "../guide-vault.ts";

const KINDS = ["note", "outline", "conversation"] as const;
type Kind = (typeof KINDS)[number];

export const command: Command = {
  usage: "read WHAT [--kind KIND] [--around MESSAGE] [--tools] [--json]",
  help: `Shows a note, a row of the outline with the rows below it, or a past conversation,
in a terminal through $PAGER (less). WHAT is what search shows: the path of a note, or
its name, a [[link]] or daily:today; the id of a row; the id of a conversation, source/id
or the beginning of an id (six characters or more).
Secrets in conversations are redacted, unless --no-redact says otherwise.`,
  flags: {
    kind: { value: "KIND", choices: KINDS, help: `only as ${KINDS.join(", ")}, where several have that name` },
    around: { value: "MESSAGE", help: "begin shortly before this message of a conversation, as search names it" },
    tools: { help: "with tool calls, thinking and sub-agents of a conversation" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const [what = "", ...more] = words;
    if (what.trim() === "") throw new Problem("invalid", `Say what to read: ${usageLine(command.usage)}`);
    if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(command.usage)}`);
    const around = textOf(invocation, "around");
    const ofConversation = { around, withTools: flags["tools"] === true };
    const isConversation = around !== undefined || ofConversation.withTools || what.startsWith("conversation://");
    const kind = choiceOf(invocation, "kind", KINDS) ?? (isConversation ? "conversation" : undefined);
    const commonplace = openCommonplace(settings);
    try {
      const { json, pieces } = await opened(commonplace, what, { kind, ofConversation });
      noteGuideVault({ settings, flags });
      if (flags["json"]) printJson(json);
      else await printPaged(pieces);
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

/** The output, as JSON or for a person. */
interface Opened {
  readonly json: unknown;
  readonly pieces: () => Iterable<Printable>;
}

interface Asked {
  /** Undefined: whatever has that name, a note first. */
  readonly kind: Kind | undefined;
  readonly ofConversation: { readonly around: string | undefined; readonly withTools: boolean };
}

async function opened(commonplace: Commonplace, what: string, { kind, ofConversation }: Asked): Promise<Opened> {
  const failures: Failed[] = [];
  for (const each of kind === undefined ? KINDS : [kind]) {
    const found =
      each === "note"
        ? await noteNamed(commonplace, what)
        : each === "outline"
          ? await rowNamed(commonplace, what)
          : await conversationNamed(commonplace, what, ofConversation);
    if ("json" in found) return found;
    failures.push(found);
  }
  const [first] = failures;
  // A vault that is not there, or a heading that a note does not have, says more than that nothing was found.
  if (first?.error !== undefined) throw new Problem("not_found", first.error, first.hint);
  const names = { note: "note", outline: "row", conversation: "conversation" } as const;
  const hint = `'${usageLine("search WORDS…")}' shows what there is.`;
  throw new Problem(
    "not_found",
    `There is no ${kind === undefined ? "note, row or conversation" : names[kind]} ${what}.`,
    first?.hint === undefined ? hint : `${first.hint} ${hint}`,
  );
}

interface Failed {
  /** Undefined if nothing has that name. */
  readonly error?: string;
  readonly hint?: string | undefined;
}

async function noteNamed(commonplace: Commonplace, what: string): Promise<Opened | Failed> {
  const { vault, filePath } = placeIn(what, commonplace.settings.vaults);
  const ask = async (page?: number) =>
    (await commonplace.call("contentManager_readContent", { filePath, vault, page }, { asker: "person" }))!;
  const result = await ask();
  if (result.isError) {
    const { hint, ...failure } = result.structuredContent;
    const error = String(failure["error"]);
    // Several notes have that name: the person has to say which.
    if (result.choices !== undefined) throw new Problem("invalid", error, hint);
    return error.startsWith("File not found: ") ? { hint } : { error, hint };
  }
  const parts = [result.structuredContent];
  for (let last = lastPageOf(parts[0]!); last !== undefined; last = lastPageOf(parts.at(-1)!)) {
    const next = await ask(last + 1);
    if (next.isError) break;
    parts.push(next.structuredContent);
  }
  const text = parts.map(({ data }) => data.content).join("\n");
  const shown = text.trim() === "" ? (parts[0]!.hint ?? text) : text;
  return {
    json: { ...parts[0]!, data: { ...parts[0]!.data, content: text, endPage: parts.at(-1)!.data.endPage } },
    pieces: () => [multiline(shown.replace(/\r?\n$/, ""))],
  };
}

/** Of a PDF file that has more pages. */
function lastPageOf({ data }: ResultNamed<"contentManager_readContent">): number | undefined {
  const { endPage, file } = data;
  return endPage !== undefined && endPage < (file?.pages ?? 0) ? endPage : undefined;
}

/** Of several vaults, search shows "Work: Plan.md". */
function placeIn(what: string, vaults: Commonplace["settings"]["vaults"]) {
  const vault = vaults.length > 1 ? vaults.find(({ name }) => what.startsWith(`${name}: `))?.name : undefined;
  return { vault, filePath: vault === undefined ? what : what.slice(vault.length + 2) };
}

async function rowNamed(commonplace: Commonplace, rowId: string): Promise<Opened | Failed> {
  const section = async (format: "markdown" | "structured") =>
    (await commonplace.call("get_section_content", { rowId, format }, { asker: "person" }))!;
  const result = await section("markdown");
  if (result.isError) {
    const { error, hint } = result.structuredContent as { error: { code: string; message: string }; hint?: string };
    return error.code === "row_not_found" ? { hint } : { error: error.message, hint };
  }
  const { structuredContent: below } = await section("structured");
  const { structuredContent: own } = (await commonplace.call("get_row", { rowId }, { asker: "person" }))!;
  return { json: { ...own, ...below }, pieces: () => [multiline(result.structuredContent.markdown ?? "")] };
}

async function conversationNamed(
  commonplace: Commonplace,
  id: string,
  asked: Asked["ofConversation"],
): Promise<Opened | Failed> {
  try {
    const { store, conversation } = await foundConversation(commonplace, id, asked.withTools);
    const { conversationShown } = await import("./conversation.ts");
    return conversationShown(store, conversation, asked);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_found") throw error;
    return {};
  }
}
