// Sessions of Continue, as its published code writes them (continuedev/continue,
// June 2026), in editors and by the CLI.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { continueSource } from "./continue.ts";

const ID = "27a39b36-9e07-403b-a31c-fffb057ccb7e";

type Item = Readonly<Record<string, unknown>>;

const item = (message: Item, more: Item = {}): Item => ({ message, contextItems: [], ...more });
const asked = (content: unknown, more: Item = {}) => item({ role: "user", content }, more);
const answered = (content: unknown, more: Item = {}) => item({ role: "assistant", content }, more);

function write(home: string, history: readonly unknown[], more: Item = {}): string {
  const folder = join(home, ".continue", "sessions");
  mkdirSync(folder, { recursive: true });
  const session = { sessionId: ID, title: "Untitled Session", workspaceDirectory: "/code/x", history, ...more };
  writeFileSync(join(folder, `${ID}.json`), JSON.stringify(session, undefined, 2));
  return join(folder, `${ID}.json`);
}

async function readOf(history: readonly unknown[], more: Item = {}): Promise<Reading> {
  const home = temporaryFolder();
  write(home, history, more);
  return new Reading().read(continueSource, homeIn(home));
}

describe("a session", () => {
  it("tells apart what was typed, answered, thought and done", async () => {
    const toolCall = { id: "c1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } };
    const reading = await readOf([
      item({ role: "system", content: "You are." }),
      asked(
        [
          { type: "text", text: "Why?" },
          { type: "imageUrl", imageUrl: { url: "data:image/png;base64,AAAA" } },
        ],
        {
          contextItems: [
            { name: "a.ts", content: "secret context", uri: { type: "file", value: "file:///code/x/a.ts" } },
          ],
        },
      ),
      item({ role: "thinking", content: "Hm." }),
      answered("I look.", {
        toolCallStates: [
          { toolCallId: "c1", toolCall, status: "done", parsedArgs: { command: "ls" }, output: [{ content: "a.ts" }] },
        ],
      }),
      item({ role: "tool", content: "plain output", toolCallId: "c0" }),
      answered("Because.", { reasoning: { active: false, text: "Let me see.", startAt: 1_790_000_000_000 } }),
    ]);
    expect(reading.conversation(ID).parts.map(({ kind, role, text }) => `${kind} ${role}: ${text}`)).toEqual([
      "prose user: Why?\n\n[image]",
      "thinking assistant: Hm.",
      "prose assistant: I look.",
      'tool assistant: Bash {"command":"ls"}\na.ts',
      "tool assistant: plain output",
      "thinking assistant: Let me see.",
      "prose assistant: Because.",
    ]);
    expect(reading.conversation(ID).parts[0]!.files).toEqual(["/code/x/a.ts"]);
    expect(reading.notices).toEqual({});
  });

  it("has what was typed with a slash command, not the command's prompt", async () => {
    const text = (one: string) => ({ type: "text", text: one });
    const reading = await readOf([
      asked("A long prompt about reviews. the diff", {
        editorState: {
          type: "doc",
          content: [
            { type: "prompt-block", attrs: { item: { name: "review", content: "A long prompt" } } },
            { type: "paragraph", content: [text("the "), { type: "mention", attrs: { id: "diff", label: "@diff" } }] },
          ],
        },
      }),
      asked("Another long prompt. it", {
        editorState: {
          type: "doc",
          content: [{ type: "paragraph", content: [{ type: "slashcommand", attrs: { label: "/edit" } }, text(" it")] }],
        },
      }),
    ]);
    expect(reading.prose(ID)).toEqual(["user: /review the @diff", "user: /edit it"]);
  });

  it("has a title unless it is the default, the project as a path, and the model that answered last", async () => {
    const model = (name: string) => ({ message: { role: "assistant", content: name, usage: { model: name } } });
    const first = await readOf([asked("Go"), model("a"), model("b")], { chatModelTitle: "Some model" });
    expect(first.conversation(ID).facts).toMatchObject({ folder: "/code/x", model: "b" });
    expect(first.conversation(ID).facts.title).toBeUndefined();
    const named = { title: "About it", workspaceDirectory: "file:///c%3A/code/x", chatModelTitle: "Some model" };
    const second = await readOf([asked("Go"), { message: { role: "assistant", content: "Yes" } }], named);
    expect(second.conversation(ID).facts).toMatchObject({
      title: "About it",
      folder: "C:\\code\\x",
      model: "Some model",
    });
  });

  it("was created when the list says, and changed when its file did", async () => {
    const home = temporaryFolder();
    const file = write(home, [asked("Go")]);
    utimesSync(file, 1_790_000_500, 1_790_000_500);
    const list = join(home, ".continue", "sessions", "sessions.json");
    writeFileSync(list, JSON.stringify([{ sessionId: ID, title: "x", dateCreated: "1790000000000" }]));
    const reading = await new Reading().read(continueSource, homeIn(home));
    expect(reading.transcripts).toHaveLength(1);
    expect(reading.conversation(ID).facts).toMatchObject({
      created: { at: 1_790_000_000_000, known: "stored" },
      updated: { at: 1_790_000_500_000, known: "file" },
    });
  });

  it("reports items that are no messages", async () => {
    const reading = await readOf([
      asked("Go"),
      { message: { role: "oracle", content: "x" } },
      { contextItems: [] },
      "x",
    ]);
    expect(reading.notices).toEqual({ "skipped: messages in a form that is not known": 3 });
  });
});

describe("a session that was written again", () => {
  const withId = (id: string, role: string, content: string) => item({ role, content, id });

  it("abandons what an edited prompt removed, and keeps its place", async () => {
    const home = temporaryFolder();
    const kept = [withId("1", "user", "Go"), withId("2", "assistant", "Where?")];
    write(home, [...kept, withId("3", "user", "Left"), withId("4", "assistant", "Left it is.")]);
    const reading = await new Reading().read(continueSource, homeIn(home));
    write(home, [...kept, withId("5", "user", "Right"), withId("6", "assistant", "Right it is.")]);
    await reading.read(continueSource, homeIn(home));
    const gone = reading.events.flatMap((event) => (event.kind === "abandoned" ? [event.abandoned] : []));
    expect(gone).toEqual([{ message: `${ID}:3` }, { message: `${ID}:4` }]);
    expect(
      reading
        .prose(ID)
        .map((text) => text.replace(/^\w+: /, ""))
        .join("; "),
    ).toBe("Go; Where?; Left; Left it is.; Right; Right it is.");
    await reading.read(continueSource, homeIn(home));
    expect(reading.events).toEqual([]);
  });

  it("keeps what the CLI's compaction removed, and counts what is said again after it", async () => {
    const home = temporaryFolder();
    write(home, [asked("Go"), answered("Where?"), asked("Go on"), answered("Yes.")]);
    const reading = await new Reading().read(continueSource, homeIn(home));
    const summary = answered("They went.", { conversationSummary: "They went." });
    write(home, [summary, asked("Go on"), answered("Yes.")]);
    await reading.read(continueSource, homeIn(home));
    expect(reading.events.some(({ kind }) => kind === "abandoned")).toBe(false);
    expect(reading.conversation(ID).parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: Go",
      "prose: Where?",
      "prose: Go on",
      "prose: Yes.",
      "summary: They went.",
      "prose: Go on",
      "prose: Yes.",
    ]);
  });

  it("has a summary beside the message that an editor compacted up to", async () => {
    const reading = await readOf([asked("Go"), answered("Where?", { conversationSummary: "They asked." })]);
    expect(reading.conversation(ID).parts.map(({ kind }) => kind)).toEqual(["prose", "prose", "summary"]);
  });

  it("tells equal messages apart", async () => {
    const reading = await readOf([asked("Yes"), answered("Ok"), asked("Yes"), answered("Ok")]);
    expect(reading.prose(ID)).toHaveLength(4);
  });
});
