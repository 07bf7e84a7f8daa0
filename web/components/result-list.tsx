// A list of search results, each a link with its snippet. Used for everything
// that was found, recent notes and conversations.
import type { ResultNamed } from "../../src/tools/tools.ts";
import { conversationTitle, nameOf, sourceName, withoutMarkup } from "../format/format.ts";
import { addressOf, CONVERSATIONS, noteAddress } from "../navigation/navigation.ts";
import { Highlighted } from "./highlighted.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { moveWithArrowKeys } from "./keyboard-list.ts";
import { Time } from "./time.tsx";

export type SearchResult = ResultNamed<"search">["results"][number];

interface ResultListProps {
  readonly results: readonly SearchResult[];
  /** Its words are highlighted, also in the view that a result leads to. */
  readonly query?: string;
  /** "search": letters typed on a result go to the search field. */
  readonly typing?: "search";
}

/** An estimate in pixels, until a result is rendered. */
export function resultHeight({ snippet }: SearchResult): number {
  return snippet === "" ? 68 : snippet.length > 90 ? 116 : 94;
}

export const resultKey = ({ kind, id, vault = "" }: SearchResult) => `${kind} ${vault} ${id}`;

export function ResultList({ results, query = "", typing }: ResultListProps) {
  return (
    <div class="results" role="list" data-typing={typing} onKeyDown={moveWithArrowKeys}>
      {results.map((result) => (
        <ResultItem key={resultKey(result)} result={result} query={query} />
      ))}
    </div>
  );
}

const KINDS: Readonly<Record<string, { readonly icon: IconName; readonly name: string }>> = {
  note: { icon: "note", name: "Note" },
  canvas: { icon: "canvas", name: "Canvas" },
  pdf: { icon: "file", name: "PDF file" },
  outline: { icon: "outline", name: "Outline" },
  conversation: { icon: "conversation", name: "Conversation" },
};

export function ResultItem({ result, query }: { result: SearchResult; query: string }) {
  const snippet = snippetText(result);
  // The heading by which a search may have found it.
  const heading = result.kind === "conversation" || result.title === titleOf(result) ? "" : result.title;
  const { icon, name } = KINDS[result.kind] ?? { icon: "note", name: result.kind };
  return (
    <div class="result" role="listitem">
      <a href={addressOfResult(result, query)} data-item>
        <span class="result-head">
          <Icon name={icon} />
          <span class="visually-hidden">{name}: </span>
          <span class="result-title">
            <Highlighted text={titleOf(result)} query={query} />
          </span>
          <Time at={Date.parse(result.when)} />
        </span>
        <span class="result-where">
          {whereText(result)}
          {heading !== "" && (
            <>
              {" › "}
              <Highlighted text={heading} query={query} />
            </>
          )}
        </span>
        {snippet !== "" && (
          <span class="result-snippet">
            <Highlighted text={snippet} query={query} />
          </span>
        )}
      </a>
    </div>
  );
}

/** Files have their names in every list of the page, as in Obsidian; the search returns their first heading, if they have one. */
export function titleOf({ kind, id, title }: SearchResult): string {
  if (kind === "conversation") return conversationTitle(title);
  return kind === "outline" ? title || "Untitled" : nameOf(id);
}

export function addressOfResult({ kind, id, vault, message = "" }: SearchResult, query: string): string {
  if (kind === "note" || kind === "canvas" || kind === "pdf") return noteAddress(id, { query, vault });
  if (kind === "outline") return addressOf({ view: "outline", document: "", row: id, query });
  return addressOf({ ...CONVERSATIONS, id, message, query });
}

/** The search tool writes `claude-code: layers, shared by Ana in team` for conversations; the project may be missing. */
export function whereText({ kind, id, vault, where = id }: SearchResult): string {
  if (kind !== "conversation") return vault === undefined ? where : `${vault} › ${where}`;
  const [, source = "", rest = ""] = /^([^:,]*)(.*)$/s.exec(where) ?? [];
  return sourceName(source) + rest.replace(/^: /, " › ");
}

/** Without the title, which many notes repeat in their first line. */
function snippetText(result: SearchResult): string {
  const text = withoutMarkup(result.snippet);
  const title = titleOf(result);
  return text.startsWith(title) ? text.slice(title.length).trim() : text;
}
