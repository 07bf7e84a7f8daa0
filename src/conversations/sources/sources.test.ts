// A program is a folder of sources/ and a line in the table, and nothing else.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { foundFile, lookedInto } from "./kit/transcript-search.ts";
import type { ConversationSource } from "./source.ts";
import { loadSources, SOURCE_NAMES } from "./sources.ts";

/** A program that keeps each conversation in a text file: prompts and answers, line by line. */
const parrot: ConversationSource = {
  name: "parrot",
  title: "Parrot",
  reader: 1,
  find: function* ({ folder }) {
    for (const { name } of yield* lookedInto(join(folder, "parrot"))) yield* foundFile(join(folder, "parrot", name));
  },
  read: async function* ({ path, stamp }) {
    const id = path.replace(/^.*[/\\]|\.txt$/g, "");
    const lines = readFileSync(path, "utf8").trim().split("\n");
    yield [
      { kind: "rewritten" },
      ...lines.map((text, order) => ({
        kind: "part" as const,
        part: {
          conversation: id,
          key: `${id}:${order}`,
          message: `${id}:${order}`,
          order,
          role: order % 2 === 0 ? ("user" as const) : ("assistant" as const),
          kind: "prose" as const,
          text,
        },
      })),
      { kind: "checkpoint", checkpoint: stamp },
    ];
  },
};

describe("a further source", () => {
  it("is found, searched, filtered and listed", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "parrot"));
    writeFileSync(join(home, "parrot", "talk.txt"), "Who is a pretty bird?\nThe parakeet is.\n");
    const conversations = openStore(home, [...(await loadSources()), parrot], join(home, "conversations.db"));
    const { answer } = await conversations.recall(
      { query: "parakeet", sources: ["parrot"], limit: 10 },
      { complete: true },
    );
    expect(answer.conversations).toMatchObject([{ id: "talk", source: "parrot", title: "Who is a pretty bird?" }]);
    expect(await conversations.find("parrot/talk")).toMatchObject({ messages: 2 });
    const { answer: states } = await conversations.sources();
    expect(states.at(-1)).toMatchObject({ name: "parrot", title: "Parrot", conversations: 1 });
  });
});

describe("the table of sources", () => {
  it("names each source as it names itself, the contract's three first", async () => {
    expect((await loadSources()).map(({ name }) => name)).toEqual(SOURCE_NAMES);
    expect(SOURCE_NAMES.slice(0, 3)).toEqual(["claude-code", "cursor", "windsurf"]);
  });

  it("and the file of a source are the only places that name it", () => {
    const room = join(import.meta.dirname, "..");
    const files = readdirSync(room, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => join(room, name));
    for (const name of SOURCE_NAMES) {
      const folders = files
        .filter((file) => file !== join(import.meta.dirname, "sources.ts"))
        .filter((file) => readFileSync(file, "utf8").includes(`"${name}"`))
        .map((file) => dirname(relative(import.meta.dirname, file)));
      expect(new Set(folders).size, `folders that name ${name}`).toBe(1);
    }
  });
});
