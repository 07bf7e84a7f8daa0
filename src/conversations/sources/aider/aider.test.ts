// Logs of Aider, line by line as its published code writes them (Aider-AI/aider,
// aider/io.py, May 2026).
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { Home } from "../source.ts";
import { aider } from "./aider.ts";

const started = (time = "2026-03-01 12:00:00") => `\n# aider chat started at ${time}\n\n`;
const typed = (text: string) => `\n#### ${text.split("\n").join("  \n#### ")}`.trimEnd() + "  \n";
const told = (...lines: readonly string[]) => lines.map((line) => `> ${line}`.trimEnd() + "  \n").join("");
const answer = (text: string) => `\n${text.trim()}\n\n`;

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A home with one known project. */
function madeHome(log: string): { readonly home: Home; readonly project: string; readonly file: string } {
  const folder = temporaryFolder();
  const project = join(folder, "code", "x");
  const file = write(join(project, ".aider.chat.history.md"), log);
  return { home: { ...homeIn(folder), projects: [project] }, project, file };
}

async function readOf(...log: readonly string[]): Promise<Reading> {
  return new Reading().read(aider, madeHome(log.join("")).home);
}

function onlyChat(reading: Reading): string {
  expect([...reading.conversations.keys()]).toHaveLength(1);
  return [...reading.conversations.keys()][0]!;
}

describe("a chat", () => {
  it("tells apart what was typed, answered and done", async () => {
    const reading = await readOf(
      started(),
      told(
        "/usr/bin/aider",
        "Aider v0.86.1",
        "Main model: some/model-1 with diff edit format, infinite output",
        "Repo-map: disabled",
      ),
      typed("/add src/a.py"),
      told("Added src/a.py to the chat."),
      typed("Why is it slow?\n\nIt was fast."),
      answer("Because of the loop.\n\n#### A heading\n\n> a quotation\n\n```python\n#### not typed\n> not told\n```"),
      told("Tokens: 2.3k sent, 120 received.", "", "Applied edit to src/a.py", "Commit 1a2b3c4 fix: faster loop"),
      typed("/ask and now?"),
      answer("Now it is fast."),
    );
    const id = onlyChat(reading);
    const { parts, facts } = reading.conversation(id);
    expect(parts.map(({ kind, role, text }) => `${kind} ${role}: ${text}`)).toEqual([
      "tool user: /add src/a.py",
      "tool assistant: Added src/a.py to the chat.",
      "prose user: Why is it slow?\n\nIt was fast.",
      "prose assistant: Because of the loop.\n\n#### A heading\n\n> a quotation\n\n```python\n#### not typed\n> not told\n```",
      "tool assistant: Applied edit to src/a.py\nCommit 1a2b3c4 fix: faster loop",
      "prose user: /ask and now?",
      "prose assistant: Now it is fast.",
    ]);
    expect(parts.flatMap(({ files = [] }) => files)).toEqual(["src/a.py", "src/a.py"]);
    expect(facts.model).toBe("some/model-1");
    expect(reading.notices).toEqual({});
  });

  it("has thinking apart, in Aider's tag or the model's", async () => {
    const tag = "thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b";
    const reading = await readOf(
      started(),
      typed("Go"),
      answer(`<${tag}>\n\nHm.\n\n</${tag}>\n\nYes.`),
      typed("More"),
      answer("<think>\nHa.\n</think>\nNo."),
    );
    const id = onlyChat(reading);
    expect(reading.prose(id)).toEqual(["user: Go", "assistant: Yes.", "user: More", "assistant: No."]);
    const thoughts = reading.conversation(id).parts.filter(({ kind }) => kind === "thinking");
    expect(thoughts.map(({ text }) => text)).toEqual(["Hm.", "Ha."]);
  });

  it("does not take for typed what the program answered itself, or an empty line", async () => {
    const reading = await readOf(
      started(),
      typed("Go"),
      typed("<blank>"),
      typed("Add a.py to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all"),
      answer("Yes."),
    );
    expect(reading.prose(onlyChat(reading))).toEqual(["user: Go", "assistant: Yes."]);
  });

  it("takes a message of the program over several lines for one", async () => {
    const reading = await readOf(
      started(),
      typed("/diff"),
      told("Diff since the last message"),
      "> diff --git a/a.py b/a.py\n+ faster\n\n- slower  \n",
      typed("Go"),
      answer("> Quoted first.\n\nThen said."),
    );
    const { parts } = reading.conversation(onlyChat(reading));
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "tool: /diff",
      "tool: Diff since the last message\ndiff --git a/a.py b/a.py\n+ faster\n- slower",
      "prose: Go",
      "prose: > Quoted first.\n\nThen said.",
    ]);
  });

  it("takes a line of the program for one, whatever characters it has", async () => {
    const reading = await readOf(started(), typed("hello"), told("Running cat a.txt", "one\u2028two"), answer("Done."));
    const { parts } = reading.conversation(onlyChat(reading));
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: hello",
      "tool: Running cat a.txt\none\u2028two",
      "prose: Done.",
    ]);
  });

  it("goes on after an answer that was interrupted within code", async () => {
    const reading = await readOf(started(), typed("Go"), answer("```python\nx = 1"), typed("Again"), answer("Yes."));
    expect(reading.prose(onlyChat(reading)).slice(-2)).toEqual(["user: Again", "assistant: Yes."]);
  });

  it("is read with the line ends of Windows", async () => {
    const log = [started(), typed("Go\non"), answer("Yes.\n\nIndeed."), told("Tokens: 1")]
      .join("")
      .replaceAll("\n", "\r\n");
    const reading = await readOf(log);
    expect(reading.prose(onlyChat(reading))).toEqual(["user: Go\non", "assistant: Yes.\n\nIndeed."]);
  });
});

describe("the log of a project", () => {
  it("has a conversation per chat, created at its start, in local time; the last one changed when the file did", async () => {
    const { home, project, file } = madeHome(
      [
        started("2026-03-01 12:00:00"),
        typed("First"),
        answer("One."),
        started("2026-03-01 12:30:00"),
        told("Aider v0.86.1"),
        started("2026-03-02 08:00:00"),
        typed("Second"),
        answer("Two."),
      ].join(""),
    );
    const changed = new Date(2026, 2, 2, 9).getTime();
    utimesSync(file, changed / 1000, changed / 1000);
    const reading = await new Reading().read(aider, home);
    const [first, second] = [...reading.conversations.keys()] as [string, string];
    expect(reading.conversations.size).toBe(2);
    const at = new Date(2026, 2, 1, 12).getTime();
    expect(reading.conversation(first).facts).toMatchObject({
      folder: project,
      created: { at, known: "stored" },
      updated: { at, known: "inferred" },
    });
    expect(reading.conversation(second).facts).toMatchObject({
      created: { at: new Date(2026, 2, 2, 8).getTime(), known: "stored" },
      updated: { at: changed, known: "file" },
    });
  });

  it("is read on from where it ended, in the middle of a chat or of an answer", async () => {
    const whole = [
      started(),
      typed("Go"),
      answer("One.\n\nTwo."),
      told("Tokens: 1"),
      typed("More"),
      answer("Three."),
    ].join("");
    const expected = await readOf(whole);
    for (const cut of [60, 70, 76, whole.indexOf("Two."), whole.indexOf("> Tok"), whole.indexOf("More")]) {
      const { home, file } = madeHome(whole.slice(0, cut));
      const reading = await new Reading().read(aider, home);
      appendFileSync(file, whole.slice(cut));
      await reading.read(aider, home);
      const [id] = [...expected.conversations.keys()] as [string];
      expect(reading.prose(id), String(cut)).toEqual(expected.prose(id));
    }
  });

  it("is read again if it was shortened", async () => {
    const { home, file } = madeHome(`${started()}${typed("Go")}${answer("Yes.")}`);
    const reading = await new Reading().read(aider, home);
    writeFileSync(file, `${started("2026-04-01 12:00:00")}${typed("Again from the start")}`);
    await reading.read(aider, home);
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect([...reading.conversations.keys()].some((id) => id.startsWith("20260401-120000-"))).toBe(true);
  });

  it("tells chats apart that begin in the same second with the same words", async () => {
    const chat = (said: string) => `${started()}${typed("Go")}${answer(said)}`;
    const reading = await readOf(chat("One."), chat("Two."), chat("Three."));
    expect(reading.conversations.size).toBe(3);
  });
});

describe("a log is found", () => {
  const log = `${started()}${typed("Go")}${answer("Yes.")}`;
  const found = async (home: Home) => {
    const reading = await new Reading().read(aider, home);
    return [...reading.conversations.values()].map(({ facts }) => facts.folder);
  };

  it("in the home folder", async () => {
    const folder = temporaryFolder();
    write(join(folder, ".aider.chat.history.md"), log);
    expect(await found(homeIn(folder))).toEqual([folder]);
  });

  it.each([
    ['chat-history-file: "logs/chat.md" # here', "logs/chat.md"],
    ["model: x\nchat_history_file: logs/chat.md\n", "logs/chat.md"],
    ["chat-history-file: 'a b.md'\r\n", "a b.md"],
  ])("under the name that the project's configuration gives it: %s", async (configuration, name) => {
    const folder = temporaryFolder();
    const project = join(folder, "x");
    write(join(project, ".aider.conf.yml"), configuration);
    write(join(project, name), log);
    expect(await found({ ...homeIn(folder), projects: [project] })).toEqual([project]);
  });

  it("under the name that the home's configuration or the environment gives it, in each project", async () => {
    const folder = temporaryFolder();
    const project = join(folder, "x");
    mkdirSync(join(project, ".git"), { recursive: true });
    write(join(folder, ".aider.conf.yml"), "chat-history-file: .logs/a.md\n");
    write(join(project, ".logs", "a.md"), log);
    write(join(folder, "all.md"), `${started("2026-05-01 12:00:00")}${typed("Go")}`);
    const environment = { AIDER_CHAT_HISTORY_FILE: join(folder, "all.md") };
    const folders = await found({ ...homeIn(folder), projects: [project], environment });
    expect(folders.toSorted()).toEqual([folder, project].toSorted());
  });

  it("only if it is one: a configuration may name any file", async () => {
    const folder = temporaryFolder();
    const project = join(folder, "x");
    write(join(folder, "notes.txt"), "#### A private note  \n\nof which nothing is read\n");
    write(join(project, ".aider.conf.yml"), "chat-history-file: ../notes.txt\n");
    const reading = await new Reading().read(aider, { ...homeIn(folder), projects: [project] });
    expect(reading.transcripts).toHaveLength(1);
    expect(reading.events.filter(({ kind }) => kind === "part")).toEqual([]);
  });

  it("and reported where it is, or where one would be", async () => {
    const { home, file } = madeHome(log);
    const looked = async () => {
      const { findings } = await new Reading().read(aider, home);
      return findings.filter(({ kind }) => kind === "looked");
    };
    expect(await looked()).toEqual([{ kind: "looked", place: file, isThere: true }]);
    rmSync(file);
    const place = join(home.folder, ".aider.chat.history.md");
    expect(await looked()).toEqual([{ kind: "looked", place, isThere: false }]);
  });
});

it("a chat that moves with its project stays one conversation", async () => {
  const { home, project } = madeHome(`${started()}${typed("Go")}${answer("Yes.")}`);
  const moved = join(home.folder, "moved");
  write(join(moved, ".aider.chat.history.md"), `${started()}${typed("Go")}${answer("Yes.")}`);
  const conversations = openStore({ ...home, projects: [project, moved] }, [aider]);
  await conversations.refresh();
  rmSync(project, { recursive: true });
  const { answer: found } = await conversations.recall({ limit: 10 }, { complete: true });
  expect(found.conversations).toMatchObject([{ title: "Go", messages: 2, isArchived: false }]);
});
