// How fast a query of properties and the view of a base are, from 10,000 to 100,000
// notes: the whole call of the built server, and the growth.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LineClient } from "./measurement/line-client.ts";
import { noteText } from "./data/notes.ts";
import { measureGrowth, writeNotes } from "./measurement/growth.ts";
import { median, ms, report, table, timed } from "./measurement/measure.ts";

const ROUNDS = 30;

const BASE = `filters:
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

const QUERIES: Readonly<Record<string, object>> = {
  "two properties": { where: { rating: { gt: 6 }, status: "done" }, select: ["rating"] },
  "an expression, sorted": { where: 'rating > 6 && status == "done"', sort: ["rating desc", "file.name"] },
  "a tag, newest first": { where: 'file.hasTag("book/t3")', sort: ["file.mtime desc"] },
  "dates, grouped": { where: 'created > "2026-06-01"', group: "status", select: ["created"] },
  "a base: links, formulas": { base: "Books" },
};

export async function run(): Promise<void> {
  await measureGrowth("a warm query", measure);
}

async function measure(home: string, size: number): Promise<number[]> {
  const vault = writeNotes(home, size, (i) => propertiesOf(i) + noteText(i));
  writeFileSync(join(vault, "Books.base"), BASE);
  const client = new LineClient(["bin/commonplace.js", "--vault", vault, "--home", home, "--toolsets", "vault"]);
  await client.initialize();
  const ask = async (sent: object): Promise<void> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name: "vaultLibrarian_query", arguments: sent })) as {
        result: { structuredContent: { success: boolean; indexing?: object } };
      };
      if (!result.structuredContent.success) throw new Error(JSON.stringify(result));
      if (result.structuredContent.indexing === undefined) return;
    }
  };
  await ask({ limit: 1 });
  const before = client.memory();
  const rows: number[][] = [];
  for (const sent of Object.values(QUERIES)) {
    const first = await timed(() => ask(sent));
    const warm: number[] = [];
    for (let round = 0; round < ROUNDS; round++) warm.push(await timed(() => ask(sent)));
    rows.push([first, median(warm)]);
  }
  table(
    `${size} notes`,
    ["query", "first", "warm"],
    Object.keys(QUERIES).map((name, i) => [name, ms(rows[i]![0]!), ms(rows[i]![1]!)]),
  );
  report(`memory: ${Math.round(before)} MB after the first query, ${Math.round(client.memory())} MB after all`);
  await client.close();
  return rows.map(([, warm]) => warm!);
}

function propertiesOf(i: number): string {
  return `---
rating: ${i % 10}
status: ${["open", "done", "read"][i % 3]}
created: 2026-0${1 + (i % 9)}-1${i % 10}
categories: ["[[Note ${i % 50}]]"]
tags: [book, book/t${i % 7}]
---
`;
}
