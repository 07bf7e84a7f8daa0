// commonplace search: runs the search tool and highlights the matches.
import { join } from "node:path";
import { openCommonplace } from "../app/app.ts";
import { bold, hasColour, inverse, joined, log, print, printable, type Printable, Problem } from "../kernel/kernel.ts";
import { parseQuery, snippetOf } from "../search/search.ts";
import type { Settings } from "../settings.ts";
import type { ResultNamed } from "../tools/tools.ts";
import { choicesOf, countOf, localTime, printResult, type Command, type Invocation } from "./command.ts";
import { noteGuideVault } from "./guide-vault.ts";
import { usageLine } from "../setup/setup.ts";
import { waitForFirstIndex } from "./progress.ts";

const KINDS = ["note", "outline", "conversation"] as const;

export const command: Command = {
  usage: "search WORDS… [--kind KIND] [-n N] [--paths] [--since DATE] [--until DATE] [--tools] [--json]",
  help: 'Finds notes, rows of the outline and conversations, and names notes that are near in meaning. Also "a phrase", -without, tag:#x, path:folder, prop:status=open, prop:rating>=7\n(quote them for the shell; write -- before an argument that begins with -).\nThe first search waits until everything is indexed. The exit code is 1 if nothing was found.',
  flags: {
    kind: { value: "KIND", repeats: true, choices: KINDS, help: `only ${KINDS.join(", ")}; several with commas` },
    limit: { value: "N", short: "n", help: "number of results (10)" },
    paths: { help: "only the paths of notes and files, one per line" },
    since: { value: "DATE", help: "of this day or later: 2026-03-05, 2026-03, yesterday, 7d" },
    until: { value: "DATE", help: "of this day or earlier" },
    tools: { help: "searches what tools returned and assistants thought in conversations, too" },
    json: { help: "as JSON, with the score of each hit" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const query = words.join(" ");
    if (query.trim() === "") throw new Problem("invalid", `Name the words to search for: ${usageLine(command.usage)}`);
    const limit = countOf(invocation, "limit", 100) ?? 10;
    const kinds = kindsOf(invocation);
    const commonplace = openCommonplace(settings);
    try {
      const { since, until, tools } = flags;
      const sent = { query, kinds, limit, since, until, scores: true, ...(tools === true && { includeTools: true }) };
      const ask = async () => (await commonplace.call("search", sent, { asker: "person" }))!;
      let result = await ask();
      if (!result.isError && (await waitForFirstIndex(commonplace, result.structuredContent))) result = await ask();
      noteGuideVault({ settings, flags });
      if (flags["paths"] === true && !result.isError) printPaths(result.structuredContent, settings);
      else printResult(result, flags["json"], (answer) => shown(answer, query));
      return result.isError || result.structuredContent.totalResults === 0 ? 1 : 0;
    } finally {
      await commonplace.close();
    }
  },
};

/** Only notes and files of a vault have a path. */
function kindsOf(invocation: Invocation): readonly (typeof KINDS)[number][] | undefined {
  const kinds = choicesOf(invocation, "kind", KINDS);
  if (invocation.flags["paths"] !== true) return kinds;
  if (invocation.flags["json"]) throw new Problem("invalid", "--paths and --json do not go together.");
  if (kinds?.some((kind) => kind !== "note")) throw new Problem("invalid", "--paths finds notes: leave out --kind.");
  return ["note"];
}

/** Whole paths, which other programs can open; in a shared store, the path in its space. */
function printPaths({ results, unavailable = [] }: ResultNamed<"search">, { vaults }: Settings): void {
  for (const { error } of unavailable) log(error);
  const paths = results.map(({ id, vault }) => {
    const { folder, space } = vaults.find(({ name }) => name === vault) ?? vaults[0];
    return space === undefined ? join(folder, id) : id;
  });
  for (const path of new Set(paths)) print(path);
}

function shown(answer: ResultNamed<"search">, query: string): Printable {
  const { results, totalResults, related = [], during, hint, unavailable = [] } = answer;
  const entries = results.map(({ kind, id, vault, message, title, where, when, snippet, snippetKind }) => {
    const day = localTime(Date.parse(when)).slice(0, 10);
    // The id of a note is its path.
    const own =
      where === undefined ? "" : printable`\n  id ${id}${message === undefined ? "" : `  message ${message}`}`;
    const unsaid = snippetKind === undefined ? "" : `(${snippetKind}) `;
    const shownSnippet =
      snippet === "" ? "" : printable`\n  ${unsaid}${hasColour() ? marked(snippet, query) : snippet}`;
    return printable`${kind}  ${bold(title)}  ${where ?? (vault === undefined ? id : `${vault}: ${id}`)}  ${day}${own}${shownSnippet}`;
  });
  const near = related.map(
    ({ filePath, vault, passage }) =>
      printable`related  ${vault === undefined ? filePath : `${vault}: ${filePath}`}\n  ${passage}`,
  );
  const more = totalResults > results.length ? "; -n N shows more" : "";
  const found = totalResults === 0 ? `Nothing found for: ${query}` : `${results.length} of ${totalResults}${more}`;
  const count = `${found}${during === undefined ? "" : `, only of ${during}`}`;
  const said = hint === undefined ? "" : printable`\n${hint}`;
  const tools = results.some(({ snippetKind }) => snippetKind !== undefined) ? " --tools" : "";
  const around = results.some(({ kind }) => kind === "conversation") ? ` [--around MESSAGE]${tools}` : "";
  const reading =
    results.length === 0 ? "" : printable`\n${usageLine(`read ID${around}`)} opens one, a note by its path.`;
  // An answer that is not whole says so first.
  const unasked = unavailable.map(({ error }) => printable`${error}`);
  return joined([...unasked, ...entries, ...near, printable`${count}${said}${reading}`], "\n\n");
}

/** The snippet with the words of the query in inverse video. */
function marked(snippet: string, query: string): Printable {
  const { text, highlights } = snippetOf(snippet, parseQuery(query), snippet.length + 2);
  const parts: (string | Printable)[] = [];
  let from = 0;
  for (const [start, end] of highlights) {
    parts.push(text.slice(from, start), inverse(text.slice(start, end)));
    from = end;
  }
  return joined([...parts, text.slice(from)], "");
}
