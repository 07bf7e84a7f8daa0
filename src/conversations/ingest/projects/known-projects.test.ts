// Programs that keep conversations in the project: their folders are learned from other programs' conversations.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn } from "../../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { openConversations } from "../../conversation-library.ts";
import { foundFile } from "../../sources/kit/transcript-search.ts";
import type { ConversationSource } from "../../sources/source.ts";
import { withProjects } from "./known-projects.ts";

/** A program that keeps one conversation per file: the first line names its folder, the second is what was said. */
function program(name: string, find: ConversationSource["find"]): ConversationSource {
  return {
    name,
    title: name,
    reader: 1,
    find,
    read: async function* ({ path, stamp }) {
      const [folder, text] = readFileSync(path, "utf8").split("\n") as [string, string];
      const part = { conversation: path, key: path, message: path, order: 0, role: "user", kind: "prose" } as const;
      yield [
        { kind: "conversation", facts: { id: path, folder } },
        { kind: "part", part: { ...part, text } },
        { kind: "checkpoint", checkpoint: stamp },
      ];
    },
  };
}

const central = program("central", function* ({ folder }) {
  yield* foundFile(join(folder, "central.txt"));
});
const scattered = program("scattered", function* ({ projects }) {
  for (const project of projects) yield* foundFile(join(project, "scattered.txt"));
});

describe("known projects", () => {
  it("are the folders of conversations, looked into in the same refresh, and kept when the first program forgets them", async () => {
    const home = temporaryFolder();
    const project = join(home, "code");
    mkdirSync(join(project, ".git"), { recursive: true });
    mkdirSync(join(project, "src"));
    writeFileSync(join(home, "central.txt"), `${join(project, "src")}\nthe fulmar nests`);
    // In the root of the repository, as such programs do.
    writeFileSync(join(project, "scattered.txt"), `${project}\nthe gannet dives`);
    const conversations = openConversations({
      file: join(home, "conversations.db"),
      sources: [central, scattered],
      homes: [homeIn(home), homeIn(temporaryFolder())],
      redact: (text) => text,
      log: () => {},
    });
    atTheEnd(() => conversations.close());
    const found = async () => {
      await conversations.refresh();
      const { answer } = await conversations.recall({ query: "gannet", limit: 10 }, { complete: false });
      return answer.conversations.map(({ source, isArchived }) => ({ source, isArchived }));
    };
    expect(await found()).toEqual([{ source: "scattered", isArchived: false }]);
    writeFileSync(join(home, "central.txt"), `${home}\nthe fulmar nests`);
    expect(await found()).toEqual([{ source: "scattered", isArchived: false }]);
  });

  it("are each folder once, by its real path, if it exists, and only of the user's own home", () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "a"));
    symlinkSync(join(home, "a"), join(home, "link"));
    const [own, other] = withProjects(
      [{ ...homeIn(home), projects: [join(home, "link")] }, homeIn(join(home, "backup"))],
      [join(home, "a"), join(home, "gone"), "relative", "", "Q:\\elsewhere"],
    );
    expect(own!.projects).toEqual([join(home, "a")]);
    expect(other!.projects).toEqual([]);
  });
});
