// What a server for notes is asked in the comparison: its list of tools, searches, a
// move of a note that others link to, and taking it back.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "../../src/kernel/text/tokens.ts";
import { noteText } from "../data/notes.ts";
import { wordAt } from "../data/words.ts";
import { median, timed } from "../measurement/measure.ts";
import type { Server } from "./servers.ts";
import { call, inPlace, open, shown, writeFiles, type Answer } from "./session.ts";

/** As many searches, or those of so many milliseconds. */
const SEARCHES = 20;
const SEARCHING_MS = 8000;

/** The tools, what their list costs without output schemas, as hosts give it to the model, and the memory after it. */
export function listed(server: Server) {
  return inPlace(async (place) => {
    const client = await open(server, place);
    const { result } = (await client.request("tools/list")) as { result: { tools: { outputSchema?: object }[] } };
    const memory = client.memoryOfAll();
    await client.close();
    const list = JSON.stringify(result.tools.map(({ outputSchema: _, ...tool }) => tool));
    return { tools: result.tools.length, tokens: estimateTokens(list), memory };
  });
}

/** Milliseconds of a search for a word that some notes have, and tokens of the answer; undefined if there is no tool for it. */
export function searched(server: Server, count: number) {
  return inPlace(async (place) => {
    if (server.search === undefined) return undefined;
    const notes = new Map(
      Array.from({ length: count }, (_, i) => [`Folder ${i % 200}/Note ${i}.md`, noteText(i)] as const),
    );
    if (server.writeNotes === undefined) writeFiles(place.vault, Object.fromEntries(notes));
    else server.writeNotes(place, notes);
    const client = await open(server, place);
    // Where there is an index, the answer says that it is being made.
    while (shown(await call(client, server.search(wordAt(500)))).includes('"indexing"'));
    const taken: number[] = [];
    const tokens: number[] = [];
    const begun = performance.now();
    for (let i = 0; i < SEARCHES && performance.now() - begun < SEARCHING_MS; i++) {
      let answer: Answer = {};
      taken.push(await timed(async () => (answer = await call(client, server.search!(wordAt(300 + 20 * i))))));
      if (answer.isError === true) throw new Error(`${server.name}: ${shown(answer)}`);
      tokens.push(estimateTokens(shown(answer)));
    }
    await client.close();
    return { time: median(taken), tokens: median(tokens) };
  });
}

/** A note, what links to it in the ways that people link, and where each link must lead after the move. */
const LINKED = {
  "Old.md": "# Old\n\n## Part\n\nSee [a](a.md).\n",
  "a.md": "See [[Old]].\n",
  "b.md": "See [[Old|the old one]].\n",
  "c.md": "See [it](Old.md).\n",
  "d.md": "![[Old#Part]]\n",
  "e.md": '---\nrelated: "[[Old]]"\n---\n\ntext\n',
  "Deep/f.md": "See [it](../Old.md#part).\n",
  "g.md": "See [it][1].\n\n[1]: Old.md\n",
  "h.canvas": '{"nodes":[{"id":"1","type":"file","file":"Old.md","x":0,"y":0,"width":9,"height":9}],"edges":[]}\n',
};
const KEPT: Readonly<Record<string, RegExp>> = {
  "Archive/New.md": /\]\(\.\.\/a(?:\.md)?\)/,
  "a.md": /\[\[(?:Archive\/)?New(?:\.md)?\]\]/,
  "b.md": /\[\[(?:Archive\/)?New(?:\.md)?\|the old one\]\]/,
  "c.md": /\]\((?:\.\/)?Archive\/New(?:\.md)?\)/,
  "d.md": /!\[\[(?:Archive\/)?New(?:\.md)?#Part\]\]/,
  "e.md": /related: "\[\[(?:Archive\/)?New(?:\.md)?\]\]"/,
  "Deep/f.md": /\]\(\.\.\/Archive\/New(?:\.md)?#part\)/,
  "g.md": /\]: (?:\.\/)?Archive\/New(?:\.md)?$/m,
  "h.canvas": /"file": ?"Archive\/New\.md"/,
};

export type TakenBack = "byte for byte" | "by a command" | "no" | "no tool";

/** How many links are whole after a move, and whether the move can be taken back. */
export function moved(server: Server) {
  return inPlace(async (place) => {
    if (server.move === undefined) return undefined;
    writeFiles(place.vault, LINKED);
    mkdirSync(join(place.vault, "Archive"));
    const client = await open(server, place);
    const answer = await call(client, server.move(place, "Old.md", "Archive/New.md"));
    if (!existsSync(join(place.vault, "Archive", "New.md")))
      throw new Error(`${server.name} did not move the note: ${shown(answer)}`);
    const read = (name: string) => readFileSync(join(place.vault, name), "utf8");
    const kept = Object.entries(KEPT).filter(([name, link]) => link.test(read(name))).length;
    const undo = server.undo?.(place, shown(answer));
    if (undo !== undefined && !("command" in undo)) await call(client, undo);
    await client.close();
    if (undo !== undefined && "command" in undo) spawnSync(process.execPath, undo.command);
    const isBack = () =>
      existsSync(join(place.vault, "Old.md")) && Object.entries(LINKED).every(([n, t]) => read(n) === t);
    let takenBack: TakenBack = "no tool";
    if (undo !== undefined) takenBack = !isBack() ? "no" : "command" in undo ? "by a command" : "byte for byte";
    return { kept, links: Object.keys(KEPT).length, takenBack };
  });
}
