// Where VS Code keeps chat sessions, and both formats of their files; entries of
// logs as its objectMutationLog.ts of 2026 writes them, documents as its
// chatModel.ts of each version does. requests.test.ts has what is in requests.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { Home } from "../source.ts";
import { copilotChat } from "./copilot-chat.ts";

type Values = Readonly<Record<string, unknown>>;

const ID = "3b7e1f1b-5da3-42f2-920c-825d1d591261";
const START = Date.UTC(2026, 5, 1, 10);
const SESSIONS = ".config/Code/User/workspaceStorage/0123abcd/chatSessions";
const LOG = `${SESSIONS}/${ID}.jsonl`;

const request = (n: number, more: Values = {}): Values => ({
  requestId: `request_${n}`,
  timestamp: START + n * 60_000,
  message: { text: `Prompt ${n}`, parts: [] },
  variableData: { variables: [] },
  response: [{ value: `Answer ${n}` }],
  modelId: "copilot/gpt-5",
  modelState: { value: 1, completedAt: START + n * 60_000 + 5000 },
  ...more,
});
const session = (requests: readonly unknown[], more: Values = {}): Values => ({
  version: 3,
  sessionId: ID,
  creationDate: START,
  responderUsername: "GitHub Copilot",
  initialLocation: "panel",
  requests,
  ...more,
});
const initial = (requests: readonly unknown[], more: Values = {}) => ({ kind: 0, v: session(requests, more) });
const set = (k: readonly unknown[], v: unknown) => ({ kind: 1, k, v });
const push = (k: readonly unknown[], v: unknown, i?: unknown) => ({ kind: 2, k, v, i });

function write(home: string, path: string, content: string | Values): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const linesOf = (entries: readonly unknown[]) =>
  entries.map((entry) => `${typeof entry === "string" ? entry : JSON.stringify(entry)}\n`).join("");

const readIn = (home: string, reading = new Reading(), place: Partial<Home> = {}) =>
  reading.read(copilotChat, { ...homeIn(home), ...place });

async function readLog(...entries: unknown[]): Promise<Reading> {
  const home = temporaryFolder();
  write(home, LOG, linesOf(entries));
  return readIn(home);
}

/** Prose, in order. */
const textsIn = (reading: Reading) => reading.prose(ID).map((text) => text.replace(/^\w+: /, ""));
const marksIn = ({ events }: Reading) =>
  events.flatMap((one) => {
    if (one.kind === "revived") return [`+${one.message}`];
    return one.kind === "abandoned" && "message" in one.abandoned ? [`-${one.abandoned.message}`] : [];
  });
const emittedIn = ({ events }: Reading) => events.flatMap((one) => (one.kind === "part" ? [one.part.text] : []));

describe("the log of a session", () => {
  it("is the session, and what was changed in it since", async () => {
    const reading = await readLog(
      initial([]),
      push(["requests"], [request(0, { response: [], modelId: undefined })]),
      push(["requests", 0, "response"], [{ value: "Ans" }]),
      push(["requests", 0, "response"], [{ value: "Answer" }, { kind: "undoStop", id: "x" }], 0),
      push(["requests", 0, "response"], undefined, 1),
      push(["requests", 0, "response"], [{ value: " 0" }]),
      set(["requests", 0, "message", "text"], "Prompt zero"),
      set(["customTitle"], "A title"),
      set(["inputState", "inputText"], "A draft"),
      push(["requests"], [request(1)]),
      set(["requests", 1, "modelId"], "copilot/claude-opus-4.5"),
      set(["repoData"], { localBranch: "next" }),
    );
    expect(textsIn(reading)).toEqual(["Prompt zero", "Answer 0", "Prompt 1", "Answer 1"]);
    expect(reading.conversation(ID).facts).toEqual({
      id: ID,
      title: "A title",
      workspace: "0123abcd",
      branch: "next",
      model: "claude-opus-4.5",
      created: { at: START, known: "stored" },
    });
    expect(reading.notices).toEqual({});
  });

  it("may delete, replace, and begin again", async () => {
    expect(
      textsIn(
        await readLog(
          initial([request(0), request(1)], { customTitle: "A title" }),
          { kind: 3, k: ["customTitle"] },
          { kind: 3, k: ["requests", 1, "response"] },
          set(["requests", 0], request(0, { message: { text: "Other", parts: [] } })),
        ),
      ),
    ).toEqual(["Other", "Answer 0", "Prompt 1"]);
    const again = await readLog(
      initial([request(0)], { customTitle: "A" }),
      initial([request(0)], { customTitle: "B" }),
    );
    expect(again.conversation(ID).facts.title).toBe("B");
    expect(textsIn(again)).toEqual(["Prompt 0", "Answer 0"]);
  });

  it("is read on: requests that did not change are not emitted again", async () => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0), request(1, { response: [{ value: "Wait" }] })])]));
    const reading = await readIn(home);
    const more = [
      push(["requests", 1, "response"], [{ value: "Wait, now." }], 0),
      push(["requests"], [request(2)]),
      set(["customTitle"], "A title"),
    ];
    appendFileSync(join(home, LOG), linesOf(more));
    await readIn(home, reading);
    expect(emittedIn(reading)).toEqual(["Prompt 1", "Wait, now.", "Prompt 2", "Answer 2"]);
    expect(textsIn(reading)).toEqual(["Prompt 0", "Answer 0", "Prompt 1", "Wait, now.", "Prompt 2", "Answer 2"]);
    expect(reading.conversation(ID).facts.title).toBe("A title");
    // What the editor replaces after 1,024 entries.
    write(home, LOG, linesOf([initial([request(0), request(1, { response: [{ value: "Wait, now." }] }), request(2)])]));
    await readIn(home, reading);
    expect(emittedIn(reading)).toEqual([]);
  });

  it("that has fewer parts than before is read again as a whole", async () => {
    const home = temporaryFolder();
    const parts = [{ value: "First." }, { kind: "thinking", value: "Hm." }, { value: "Second." }];
    write(home, LOG, linesOf([initial([request(0), request(1, { response: parts })])]));
    const reading = await readIn(home);
    appendFileSync(join(home, LOG), linesOf([push(["requests", 1, "response"], undefined, 1)]));
    await readIn(home, reading);
    expect(reading.events[0]).toEqual({ kind: "rewritten" });
    expect(emittedIn(reading)).toEqual(["Prompt 0", "Answer 0", "Prompt 1", "First."]);
  });

  it.each([
    ["no JSON", "nonsense"],
    ["a line that was cut off", '{"kind":1,"k":["customTitle"],"v":"A ti'],
    ["another kind", { kind: 7, k: ["customTitle"], v: "x" }],
    ["no path", { kind: 1, v: "x" }],
    ["a request that is not there", set(["requests", 5, "modelId"], "x")],
    ["a negative index", set(["requests", -1, "modelId"], "x")],
    ["a word for an index", set(["requests", "length", "modelId"], "x")],
    ["a cut behind the end", push(["requests"], [request(9)], 1e9)],
    ["a cut that is none", push(["requests"], [request(9)], -0.5)],
    ["a cut of a response behind its end", push(["requests", 0, "response"], [], 1e9)],
    ["a part that is not there", set(["requests", 0, "response", 7], { value: "x" })],
    ["a session that is none", { kind: 0, v: { requests: 5 } }],
  ])("with %s is read without it, which is reported once", async (_, entry) => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0)]), entry, push(["requests"], [request(1)])]));
    const reading = await readIn(home);
    expect(textsIn(reading)).toEqual(["Prompt 0", "Answer 0", "Prompt 1", "Answer 1"]);
    expect(reading.notices).toEqual({ "skipped: changes that are damaged or fit nothing": 1 });
    appendFileSync(join(home, LOG), linesOf([push(["requests"], [request(2)])]));
    expect((await readIn(home, reading)).notices).toEqual({});
  });

  it("leaves a last line that is not finished for later", async () => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0)])]) + '{"kind":1,"k":["customTitle"],"v":"A ti');
    const reading = await readIn(home);
    expect(reading.notices).toEqual({});
    appendFileSync(join(home, LOG), 'tle"}\n');
    await readIn(home, reading);
    expect(reading.conversation(ID).facts.title).toBe("A title");
  });

  it("changes nothing but the session", async () => {
    const proto = ["__proto__", "polluted"];
    await readLog(
      initial([request(0)]),
      set(proto, 1),
      set(["constructor", "prototype", "polluted"], 1),
      set(["requests", 0, ...proto], 1),
      set(["requests", 0, "message", ...proto], 1),
      push(["requests", "__proto__"], [1]),
    );
    expect(({} as Values)["polluted"]).toBeUndefined();
  });

  it.each([
    "",
    "\n\n",
    "{}",
    '{"kind":1,"k":["customTitle"],"v":"x"}\n',
    "\u0000\u0000",
    '{"kind":0,"v":{"requests":[',
  ])("is unreadable without a session: %j", async (text) => {
    const home = temporaryFolder();
    write(home, LOG, text);
    await expect(readIn(home)).rejects.toThrow("no JSON, or not finished");
  });

  it("does not fill the memory if it is made up of millions of values", async () => {
    const home = temporaryFolder();
    const many = `[${"0,".repeat(300_000)}0]`;
    const fields = `{${Array.from({ length: 30_000 }, (_, i) => `"f${i}":0`).join(",")}}`;
    write(
      home,
      LOG,
      `${JSON.stringify(initial([request(0)]))}\n{"kind":1,"k":["requests",0,"response"],"v":${many}}\n`,
    );
    appendFileSync(join(home, LOG), `{"kind":2,"k":["requests"],"v":[${fields}]}\n${"[".repeat(200_000)}\n`);
    expect(textsIn(await readIn(home))).toEqual(["Prompt 0"]);
  });
});

describe("requests that the person went back before", () => {
  it("are abandoned, and revived by redo", async () => {
    const home = temporaryFolder();
    const undone = (n: number, value: unknown) => set(["requests", n, "shouldBeRemovedOnSend"], value);
    const lines = [initial([request(0), request(1), request(2)])];
    write(home, LOG, linesOf([...lines, undone(1, { requestId: "request_1" }), undone(2, { requestId: "request_2" })]));
    const reading = await readIn(home);
    expect(marksIn(reading)).toEqual(["-request_1", "-request_1:answer", "-request_2", "-request_2:answer"]);
    appendFileSync(join(home, LOG), linesOf([{ kind: 3, k: ["requests", 1, "shouldBeRemovedOnSend"] }]));
    await readIn(home, reading);
    expect(marksIn(reading)).toEqual(["+request_1", "+request_1:answer"]);
  });

  it("are abandoned from a point of the response on", async () => {
    const stop = { requestId: "request_0", afterUndoStop: "stop" };
    const response = [{ value: "First." }, { kind: "undoStop", id: "stop" }, { value: "Second." }];
    const reading = await readLog(initial([request(0, { response, shouldBeRemovedOnSend: stop })]));
    expect(marksIn(reading)).toEqual(["-request_0:answer:undone"]);
    expect(reading.conversation(ID).parts.map(({ message, text }) => `${message} ${text}`)).toEqual([
      "request_0 Prompt 0",
      "request_0:answer First.",
      "request_0:answer:undone Second.",
    ]);
  });

  it("and replaced are abandoned, and stand before what replaced them", async () => {
    const home = temporaryFolder();
    const lines = [initial([request(0), request(1), request(2)]), push(["requests"], [request(3)], 1)];
    write(home, LOG, linesOf(lines));
    const reading = await readIn(home);
    expect(textsIn(reading).filter((text) => text.startsWith("P"))).toEqual([0, 1, 2, 3].map((n) => `Prompt ${n}`));
    expect(marksIn(reading)).toEqual(["-request_1", "-request_1:answer", "-request_2", "-request_2:answer"]);
    // The editor forgets them when it writes the log again.
    write(home, LOG, linesOf([initial([request(0), request(3)])]));
    await readIn(home, reading);
    expect(reading.events.filter(({ kind }) => kind !== "checkpoint")).toEqual([]);
  });

  it("and that a document no longer has are abandoned", async () => {
    const home = temporaryFolder();
    const path = `${SESSIONS}/${ID}.json`;
    write(home, path, session([request(0), request(1)]));
    const reading = await readIn(home);
    write(home, path, session([request(0), request(2)]));
    await readIn(home, reading);
    expect(marksIn(reading)).toEqual(["-request_1", "-request_1:answer"]);
    expect(emittedIn(reading)).toEqual(["Prompt 2", "Answer 2"]);
  });

  it("were hidden in older versions", async () => {
    expect(marksIn(await readLog(initial([request(0, { isHidden: true })])))).toEqual([
      "-request_0",
      "-request_0:answer",
    ]);
  });

  it("are shown so by the store", async () => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0), request(1)]), push(["requests"], [request(2)], 1)]));
    const conversations = openStore(home, [copilotChat]);
    const { answer } = await conversations.recall({ limit: 10 }, { complete: true });
    const messages = [...conversations.messages(answer.conversations[0]!)].flat();
    expect(messages.map(({ text, isAbandoned }) => (isAbandoned ? `(${text})` : text))).toEqual([
      "Prompt 0",
      "Answer 0",
      "(Prompt 1)",
      "(Answer 1)",
      "Prompt 2",
      "Answer 2",
    ]);
  });
});

describe("the document of a session", () => {
  const readDocument = async (document: Values, space?: number) => {
    const home = temporaryFolder();
    write(home, `${SESSIONS}/${ID}.json`, JSON.stringify(document, null, space));
    return readIn(home);
  };

  it("may be indented, as before 2025-12", async () => {
    const reading = await readDocument(
      session([request(0)], { customTitle: "A title", lastMessageDate: START + 9 }),
      2,
    );
    expect(textsIn(reading)).toEqual(["Prompt 0", "Answer 0"]);
    expect(reading.conversation(ID).facts).toMatchObject({
      title: "A title",
      updated: { at: START + 9, known: "stored" },
    });
  });

  it("had a computed title in version 2", async () => {
    const reading = await readDocument(session([request(0)], { version: 2, computedTitle: "A title" }));
    expect(reading.conversation(ID).facts.title).toBe("A title");
  });

  it("had texts instead of objects in version 1, and neither ids nor times", async () => {
    const requests = [
      { message: "Hi", response: ["Hello", " there"] },
      { message: "More", response: "Done" },
      { message: "Last", response: undefined, isCanceled: true, timestamp: -1 },
    ];
    const reading = await readDocument({ sessionId: ID, creationDate: START, requests, responderUsername: "x" });
    expect(textsIn(reading)).toEqual(["Hi", "Hello there", "More", "Done", "Last"]);
    expect(reading.conversation(ID).parts.every(({ time }) => time === undefined)).toBe(true);
    expect(new Set(reading.conversation(ID).parts.map(({ key }) => key)).size).toBe(5);
  });

  it("is named by its file if it has no id", async () => {
    expect(textsIn(await readDocument(session([request(0)], { sessionId: undefined })))).toHaveLength(2);
  });

  it.each(["", "{", "[]", "null", "5", "{}", '{"requests":{}}', "\u0000", '{"requests":[{"requestId"'])(
    "is unreadable if it is damaged: %j",
    async (text) => {
      const home = temporaryFolder();
      write(home, `${SESSIONS}/${ID}.json`, text);
      await expect(readIn(home)).rejects.toThrow("no JSON, or not finished");
    },
  );
});

describe("a session in two places", () => {
  it("is the log, where the document was left beside it", async () => {
    const home = temporaryFolder();
    write(home, `${SESSIONS}/${ID}.json`, session([request(0)]));
    const reading = await readIn(home);
    write(home, LOG, linesOf([initial([request(0)]), push(["requests"], [request(1)])]));
    await readIn(home, reading);
    expect(reading.transcripts.map(({ path }) => path)).toEqual([join(home, LOG)]);
    expect(textsIn(reading)).toEqual(["Prompt 0", "Answer 0", "Prompt 1", "Answer 1"]);
  });

  it("is one: the editor copies sessions when a folder is added to a window", async () => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0)])]));
    write(home, join(dirname(dirname(SESSIONS)), "0123abcd/workspace.json"), { folder: "file:///code/x" });
    const other = ".config/Code/User/workspaceStorage/4567";
    write(home, `${other}/chatSessions/${ID}.jsonl`, linesOf([initial([request(0), request(1)])]));
    const untitled = "file:///home/a/.config/Code/Workspaces/179/workspace.json";
    write(home, `${other}/workspace.json`, { workspace: untitled });
    const reading = await readIn(home);
    expect(reading.conversations.size).toBe(1);
    expect(textsIn(reading)).toEqual(["Prompt 0", "Answer 0", "Prompt 1", "Answer 1"]);
    expect(reading.conversation(ID).facts.folder).toBe("/code/x");
  });

  it("under another id was imported there: its requests are older than it is", async () => {
    const reading = await readLog(initial([request(-5), request(1)]));
    expect(reading.conversation(ID).facts.copiedAt).toBe(START);
    expect((await readLog(initial([request(0)]))).conversation(ID).facts.copiedAt).toBeUndefined();
  });
});

describe("sessions are looked for", () => {
  const found = async (path: string, place: Partial<Home> = {}) => {
    const home = temporaryFolder();
    write(home, `${path}/${ID}.jsonl`, linesOf([initial([request(0)])]));
    return (await readIn(home, new Reading(), place)).conversations.size === 1;
  };

  it.each([
    ["linux", ".config/Code/User/workspaceStorage/x/chatSessions"],
    ["linux", ".config/Code - Insiders/User/workspaceStorage/x/chatSessions"],
    ["linux", ".config/VSCodium/User/workspaceStorage/x/chatSessions"],
    ["linux", ".config/Code - OSS/User/workspaceStorage/x/chatSessions"],
    ["linux", ".config/Code/User/globalStorage/emptyWindowChatSessions"],
    ["linux", ".config/Code/User/workspaceStorage/no-workspace/chatSessions"],
    ["linux", ".vscode-server/data/User/workspaceStorage/x/chatSessions"],
    ["linux", ".vscode-server-insiders/data/User/workspaceStorage/x/chatSessions"],
    ["linux", ".vscode-remote/data/User/workspaceStorage/x/chatSessions"],
    ["linux", ".var/app/com.visualstudio.code/config/Code/User/workspaceStorage/x/chatSessions"],
    ["linux", ".var/app/com.vscodium.codium/config/VSCodium/User/globalStorage/emptyWindowChatSessions"],
    ["darwin", "Library/Application Support/Code/User/workspaceStorage/x/chatSessions"],
    ["win32", "AppData/Roaming/Code/User/workspaceStorage/x/chatSessions"],
  ] as const)("on %s in %s", async (system, path) => {
    expect(await found(path, { systems: [system] })).toBe(true);
    expect(await found(path, { systems: [system === "darwin" ? "win32" : "darwin"] })).toBe(
      path.startsWith(".vscode-"),
    );
  });

  it("in a portable installation", async () => {
    const home = temporaryFolder();
    const path = "app/data/user-data/User/workspaceStorage/x/chatSessions";
    write(home, `${path}/${ID}.jsonl`, linesOf([initial([request(0)])]));
    const environment = { VSCODE_PORTABLE: join(home, "app/data") };
    expect((await readIn(home, new Reading(), { environment })).conversations.size).toBe(1);
  });

  it("where nothing is, in one folder that is reported", async () => {
    const reading = await readIn(temporaryFolder());
    expect(reading.findings).toMatchObject([{ kind: "looked", isThere: false }]);
  });

  it("not in other files", async () => {
    const home = temporaryFolder();
    write(home, `${SESSIONS}/notes.txt`, "x");
    write(home, `${SESSIONS}/folder.json/x`, "x");
    expect((await readIn(home)).transcripts).toEqual([]);
  });

  it.each([
    [{ folder: "file:///code/x%20y" }, "/code/x y"],
    [{ folder: "file:///c%3A/code/x" }, "C:\\code\\x"],
    [{ folder: "vscode-remote://wsl%2Bubuntu/home/anna/x" }, "/home/anna/x"],
    [{ folder: "vscode-remote://ssh-remote%2Bhost/srv/x" }, "/srv/x"],
    [{ workspace: "file:///code/x/x.code-workspace" }, "/code/x"],
    [{ folder: 5 }, undefined],
  ])("with their project %j", async (workspace, folder) => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0)])]));
    write(home, `${dirname(SESSIONS)}/workspace.json`, workspace);
    expect((await readIn(home)).conversation(ID).facts.folder).toBe(folder);
  });

  it("with the folder that an agent worked in", async () => {
    const home = temporaryFolder();
    write(home, LOG, linesOf([initial([request(0)], { workingDirectory: "file:///code/worktree" })]));
    write(home, `${dirname(SESSIONS)}/workspace.json`, { folder: "file:///code/x" });
    expect((await readIn(home)).conversation(ID).facts.folder).toBe("/code/worktree");
  });

  it("with no project in windows without a folder", async () => {
    const home = temporaryFolder();
    write(home, `.config/Code/User/globalStorage/emptyWindowChatSessions/${ID}.json`, session([request(0)]));
    const { facts } = (await readIn(home)).conversation(ID);
    expect([facts.folder, facts.workspace]).toEqual([undefined, undefined]);
  });
});
