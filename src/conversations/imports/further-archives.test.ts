// Archives of DeepSeek and of Gemini's activity, imported into a real store. Fields
// are those on which public programs that read these archives agree.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { zipArchive } from "../../../test/fixtures/zip-archives.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { loadSources } from "../sources/sources.ts";

const SOURCES = await loadSources();

async function imported(content: unknown, name = "conversations.json") {
  const folder = temporaryFolder();
  const conversations = openStore(folder, SOURCES, join(folder, "data", "conversations.db"));
  const path = join(folder, "archive.zip");
  writeFileSync(path, zipArchive([{ name, content: JSON.stringify(content) }]));
  const result = await conversations.importArchive(path);
  const read = async (id: string) => {
    const conversation = await conversations.find(id, { withTools: true });
    const messages = [...conversations.messages(conversation)].flat();
    return {
      conversation,
      said: messages.map(
        ({ kind, role, text, isAbandoned }) => `${kind} ${role}${isAbandoned ? " (left)" : ""}: ${text}`,
      ),
    };
  };
  return { result, read };
}

const ID = "0a1b2c3d-5e6f-4a7b-8c9d-000000000001";
const node = (id: string, parent: string | null, message: object | null) => ({ id, parent, children: [], message });
const at = (second: number) => `2026-03-01T10:00:0${second}.123000+08:00`;

describe("an archive of DeepSeek", () => {
  it("has prompts, answers and thoughts, and the answers that were asked for again", async () => {
    const answer = (second: number, text: string) => ({
      model: "deepseek-reasoner",
      inserted_at: at(second),
      fragments: [
        { type: "THINK", content: "Ibis thinks." },
        { type: "RESPONSE", content: text },
      ],
    });
    const mapping = {
      root: node("root", null, null),
      1: node("1", "root", {
        model: "",
        inserted_at: at(1),
        files: [{ file_name: "a.pdf" }],
        fragments: [{ type: "REQUEST", content: "Why?" }],
      }),
      2: node("2", "1", answer(2, "First.")),
      3: node("3", "1", answer(3, "Second.")),
    };
    const { result, read } = await imported([
      { id: ID, title: "Birds", inserted_at: at(0), updated_at: at(4), mapping },
    ]);
    expect(result).toMatchObject({ from: ["DeepSeek"], added: 1, unreadable: 0 });
    const { conversation, said } = await read(ID);
    expect(conversation).toMatchObject({
      source: "deepseek",
      title: "Birds",
      model: "deepseek-reasoner",
      timeKnown: "stored",
    });
    expect(said).toEqual([
      "prose user: Why?\n\n[a.pdf]",
      "thinking assistant (left): Ibis thinks.",
      "prose assistant (left): First.",
      "thinking assistant: Ibis thinks.",
      "prose assistant: Second.",
    ]);
  });

  it("of 2025 says by their places who spoke", async () => {
    const mapping = {
      root: node("root", null, null),
      1: node("1", "root", { inserted_at: at(1), content: "Why?", reasoning_content: null }),
      2: node("2", "1", { inserted_at: at(2), content: "Because.", reasoning_content: "Hm." }),
      3: node("3", "2", { inserted_at: at(3), content: "And then?", reasoning_content: null }),
    };
    const { read } = await imported([{ id: ID, title: "Birds", inserted_at: at(0), mapping }]);
    expect((await read(ID)).said).toEqual([
      "prose user: Why?",
      "thinking assistant: Hm.",
      "prose assistant: Because.",
      "prose user: And then?",
    ]);
  });
});

describe("the activity of Gemini in a Takeout archive", () => {
  it("has each prompt with its answers, and nothing of other activities and products", async () => {
    const activity = (title: string, second: number, more: object = {}) => ({
      header: "Gemini Apps",
      title,
      time: `2026-03-01T10:00:0${second}.123Z`,
      products: ["Gemini Apps"],
      ...more,
    });
    const html = "<p>Naxos &amp; <b>Crete</b>&#39;s</p><ul><li>one<br>two</li></ul><p>a &lt; b</p>";
    const { result, read } = await imported(
      [
        activity("Prompted Best islands?", 1, { safeHtmlItem: [{ html }, { html: "<p>Again.</p>" }] }),
        activity("Gave feedback: Good response", 2),
        activity("Prompted Unanswered", 3),
      ],
      "Takeout/My Activity/Gemini Apps/MyActivity.json",
    );
    expect(result).toMatchObject({ from: ["Gemini Apps"], added: 2, empty: 1, unreadable: 0 });
    const { conversation, said } = await read("2026-03-01T10:00:01");
    expect(conversation).toMatchObject({ source: "gemini-apps", title: "Best islands?" });
    expect(said).toEqual([
      "prose user: Best islands?",
      "prose assistant: Naxos & Crete's\n- one\ntwo\n\na < b\n\nAgain.",
    ]);
    expect((await read("2026-03-01T10:00:03")).said).toEqual(["prose user: Unanswered"]);
  });
});
