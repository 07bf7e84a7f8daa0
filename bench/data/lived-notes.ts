// Notes as people keep them, with properties and two tasks each, and what is asked
// about them. Used by the benchmarks of tasks, of queries and of several vaults.
import { noteText } from "./notes.ts";

/** Arguments of list_tasks. */
export const LISTS: Readonly<Record<string, object>> = {
  "all that is open": {},
  "what is overdue": { overdue: true },
  "due before a day, grouped by day": { dueBefore: "2026-06-01", group: "due" },
  "a tag, in a folder": { tag: "home", path: "Folder 7" },
  "words, done or not": { text: "call 77", status: "all" },
  "grouped by note": { group: "path" },
};

/** Arguments of vaultLibrarian_query. */
export const QUERIES: Readonly<Record<string, object>> = {
  "two properties": { where: { rating: { gt: 6 }, status: "done" }, select: ["rating"] },
  "an expression, sorted": { where: 'rating > 6 && status == "done"', sort: ["rating desc", "file.name"] },
  "a tag, newest first": { where: 'file.hasTag("book/t3")', sort: ["file.mtime desc"] },
  "dates, grouped": { where: 'created > "2026-06-01"', group: "status", select: ["created"] },
  "a base: links, formulas": { base: "Books" },
};

/** The base that one of the queries names. */
export const BASE = `filters:
  and:
    - categories.contains(link("Note 3"))
    - '!file.name.contains("Template")'
formulas:
  age: (now() - created).days.floor()
views:
  - type: table
    name: Table
    order: [file.name, rating, formula.age]
    sort:
      - property: rating
        direction: DESC
`;

export function livedNote(i: number): string {
  const day = `2026-0${1 + (i % 9)}-1${i % 10}`;
  return `---
rating: ${i % 10}
status: ${["open", "done", "read"][i % 3]}
created: ${day}
categories: ["[[Note ${i % 50}]]"]
tags: [book, book/t${i % 7}]
---
${noteText(i)}
## Tasks
- [${i % 4 === 0 ? "x" : " "}] call ${i} #home/${i % 7} ⏫ 📅 ${day}
- [ ] write [[Note ${(i * 7) % 100}]] about it  [scheduled:: ${day}]
`;
}
