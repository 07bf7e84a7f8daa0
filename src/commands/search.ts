// commonplace search: runs the search tool and highlights the matches.
import { openCommonplace } from "../app/app.ts";
import { bold, hasColour, inverse, joined, printable, type Printable, Problem } from "../kernel/kernel.ts";
import { parseQuery, snippetOf } from "../search/search.ts";
import type { ResultNamed } from "../tools/tools.ts";
import { countOf, localTime, printResult, type Command } from "./command.ts";
import { noteGuideVault } from "./guide-vault.ts";
import { usageLine } from "../setup/setup.ts";
import { waitForFirstIndex } from "./progress.ts";

export const command: Command = {
  usage: "search WORDS… [--since DATE] [--until DATE] [--tools] [--limit N] [--json]",
  help: 'Finds notes, rows of the outline and conversations, and names notes that are near in meaning. Also "a phrase", -without, tag:#x, path:folder, prop:status=open, prop:rating>=7\n(quote them for the shell; write -- before an argument that begins with -).\nThe first search waits until everything is indexed.',
  flags: {
    since: { value: "DATE", help: "of this day or later: 2026-03-05, 2026-03, yesterday, 7d" },
    until: { value: "DATE", help: "of this day or earlier" },
    tools: { help: "searches what tools returned and assistants thought in conversations, too" },
    limit: { value: "N", help: "number of results (10)" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const query = words.join(" ");
    if (query.trim() === "") throw new Problem("invalid", `Name the words to search for: ${usageLine(command.usage)}`);
    const limit = countOf(invocation, "limit", 100) ?? 10;
    const commonplace = openCommonplace(settings);
    try {
      const { since, until, tools } = flags;
      const sent = { query, limit, since, until, ...(tools === true && { includeTools: true }) };
      const ask = async () => (await commonplace.call("search", sent, { asker: "person" }))!;
      let result = await ask();
      if (!result.isError && (await waitForFirstIndex(commonplace, result.structuredContent))) result = await ask();
      noteGuideVault({ settings, flags });
      return printResult(result, flags["json"], (answer) => shown(answer, query));
    } finally {
      await commonplace.close();
    }
  },
};

function shown({ results, totalResults, related = [], during, hint }: ResultNamed<"search">, query: string): Printable {
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
  const found = totalResults === 0 ? `Nothing found for: ${query}` : `${results.length} of ${totalResults}`;
  const count = `${found}${during === undefined ? "" : `, only of ${during}`}`;
  const said = hint === undefined ? "" : printable`\n${hint}`;
  const tools = results.some(({ snippetKind }) => snippetKind !== undefined) ? " --tools" : "";
  const reading = results.some(({ kind }) => kind === "conversation")
    ? printable`\n${usageLine(`read ID [--around MESSAGE]${tools}`)} shows a conversation.`
    : "";
  return joined([...entries, ...near, printable`${count}${said}${reading}`], "\n\n");
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
