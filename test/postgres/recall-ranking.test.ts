// Both stores rank alike: the same conversations in the embedded store and in a
// shared one, and the first ten of many queries compared.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTalks, talkQueryAt } from "../../bench/data/talks.ts";
import { openConversations, type Conversations } from "../../src/conversations/conversation-library.ts";
import { openSharedConversations } from "../../src/conversations/shared/shared-conversations.ts";
import { claudeCode } from "../../src/conversations/sources/claude-code/claude-code.ts";
import { createStore, ensureSpace, spaceNamed } from "../../src/shared/shared.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { homeIn } from "../source-reader.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

/** So many that a search which compares the best 300 texts instead of 1,000 finds others for 3 of 100 queries. */
const CONVERSATIONS = 1_200;
const QUERIES = 200;

describe.runIf(HAS_POSTGRESQL)("the ranking of conversations in a shared store", () => {
  it("gives the same first ten as the embedded one for at least 98 of 100 queries", async () => {
    const home = temporaryFolder();
    makeTalks(home, CONVERSATIONS);
    const local = openConversations({
      file: join(home, "conversations.db"),
      sources: [claudeCode],
      homes: [homeIn(home)],
      redact,
      log: () => {},
    });
    atTheEnd(() => local.close());
    const store = (await newDatabase()).open(SUPERUSER);
    await createStore(store);
    await ensureSpace(store, "mine");
    const space = await spaceNamed(store, "mine");
    const projects = await local.projectsToShare("shop");
    expect(await local.push({ store, space, projects, isHidden: undefined })).toMatchObject({ added: CONVERSATIONS });
    const shared = openSharedConversations({ store, cache: temporaryFolder(), redact, log: () => {} });
    const firstTen = async (conversations: Conversations, query: string) => {
      const { answer } = await conversations.recall({ query, limit: 10 }, { asItIs: true });
      return answer.conversations.map(({ id }) => id);
    };
    const different: string[] = [];
    let found = 0;
    for (let i = 0; i < QUERIES; i++) {
      const query = talkQueryAt(i);
      const [here, there] = [await firstTen(local, query), await firstTen(shared, query)];
      found += Math.min(1, here.length);
      if (here.join(" ") !== there.join(" ")) different.push(query);
    }
    expect(found).toBeGreaterThan(0.8 * QUERIES);
    expect(different.length, different.join("\n")).toBeLessThanOrEqual(0.02 * QUERIES);
  });
});
