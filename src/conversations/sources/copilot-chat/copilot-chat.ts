// Copilot Chat of VS Code, of its Insiders and OSS builds and of VSCodium: a file
// for each session, in the folder of its workspace, or in one for windows without
// a folder. chat-state.ts has the two formats.
//
// If a folder is added to a window, the editor copies all sessions to another
// workspace, ids included, and goes on there. If a conversation is forked, the
// requests get new ids and times, and nothing says where they came from: forks are
// conversations of their own. An import keeps both, and is emitted as a copy.
import { basename, dirname, join } from "node:path";
import { FileTooLarge, readBytes, reasonOf, UnreadableFile } from "../../../files/files.ts";
import { briefBytes, cutIf, type CutKeys } from "../kit/brief-json.ts";
import { foundFile, listed } from "../kit/transcript-search.ts";
import { userFolders, workspaceIn } from "../kit/editor-folders.ts";
import { INCOMPLETE } from "../kit/json-document.ts";
import { textOf } from "../kit/stored-json.ts";
import type { Batch, ConversationSource, Finding, Home, TranscriptFile, Wanted } from "../source.ts";
import { chatEvents, type Saved } from "./chat-events.ts";
import { ChatState, valueOf } from "./chat-state.ts";

export const copilotChat: ConversationSource = {
  name: "copilot-chat",
  reader: 2,
  title: "Copilot Chat in VS Code",
  find,
  read,
};

/** By the name of their folder: that of their server on a remote machine, and their name as a Flatpak. */
const PRODUCTS = [
  { product: "Code", server: ".vscode-server", flatpak: "com.visualstudio.code" },
  { product: "Code - Insiders", server: ".vscode-server-insiders", flatpak: "com.visualstudio.code.insiders" },
  { product: "VSCodium", server: ".vscodium-server", flatpak: "com.vscodium.codium" },
  {
    product: "VSCodium - Insiders",
    server: ".vscodium-server-insiders",
    flatpak: "com.vscodium.codium-insiders",
  },
  { product: "Code - OSS", server: ".vscode-server-oss", flatpak: "com.visualstudio.code-oss" },
];

function* find(home: Home): Generator<Finding> {
  for (const { product, server, flatpak } of PRODUCTS) {
    const [own, ...others] = userFolders(home, product, server);
    if (home.systems.includes("linux"))
      others.push(join(home.folder, ".var", "app", flatpak, "config", product, "User"));
    yield* findIn(own!, product === "Code");
    for (const folder of others) yield* findIn(folder, false);
  }
  // GitHub's codespaces.
  yield* findIn(join(home.folder, ".vscode-remote", "data", "User"), false);
  const portable = home.environment["VSCODE_PORTABLE"];
  if (portable) yield* findIn(join(portable, "user-data", "User"), true);
}

/** @param isExpected whether to report that nothing is there */
function* findIn(user: string, isExpected: boolean): Generator<Finding> {
  const storage = join(user, "workspaceStorage");
  const workspaces = yield* listed(storage);
  const isThere = workspaces !== undefined;
  if (isThere || isExpected) yield { kind: "looked", place: user, isThere };
  for (const { name } of workspaces ?? []) yield* findSessions(join(storage, name, "chatSessions"));
  yield* findSessions(join(user, "globalStorage", EMPTY_WINDOWS));
}

const EMPTY_WINDOWS = "emptyWindowChatSessions";

function* findSessions(folder: string): Generator<Finding> {
  const names = new Set(((yield* listed(folder)) ?? []).map(({ name }) => name));
  for (const name of names) {
    // The log replaces the document, which stays beside it.
    if (name.endsWith(".jsonl") || (name.endsWith(".json") && !names.has(`${name}l`)))
      yield* foundFile(join(folder, name));
  }
}

/** Larger ones are not read. */
const LARGEST = 128 << 20;
const NEWLINE = 0x0a;
/** Bytes after which others may have their turn. */
const PIECE = 4 << 20;

/** What tools gave, what was sent to the model, and edits; the texts of edits only, since they name files. */
const TOOL_OUTPUT: CutKeys = [
  { key: "toolCallResults", isLeftOut: true },
  { key: "renderedUserMessage", isLeftOut: true },
  { key: "renderedGlobalContext", isLeftOut: true },
  { key: "edits" },
  { key: "toolSpecificData" },
  { key: "resultDetails" },
];

async function* read(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const bytes = bytesOf(transcript);
  const cut = cutIf(wanted, TOOL_OUTPUT);
  const state = new ChatState(basename(transcript.path).replace(/\.jsonl?$/, ""));
  if (transcript.path.endsWith(".jsonl")) yield* applyLines(bytes, state, cut, signal);
  else state.load(briefBytes(bytes, cut));
  if (signal.aborted) return;
  if (!state.isLoaded) throw new UnreadableFile(INCOMPLETE);
  const id = textOf(valueOf(state.fields.get("sessionId"))) ?? basename(transcript.path).replace(/\.jsonl?$/, "");
  const before = checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as Saved);
  const batches = chatEvents(id, state, placeOf(transcript.path), before);
  for (;;) {
    const { done, value } = batches.next();
    if (signal.aborted) return;
    if (done) return yield [{ kind: "checkpoint", checkpoint: JSON.stringify(value) }];
    yield value;
  }
}

function bytesOf({ path }: TranscriptFile): Buffer {
  try {
    return readBytes(path, { followsLinks: true }, LARGEST);
  } catch (error) {
    if (error instanceof FileTooLarge) throw new UnreadableFile("larger than 128 MB");
    throw new UnreadableFile(reasonOf(error));
  }
}

async function* applyLines(bytes: Buffer, state: ChatState, cut: CutKeys, signal: AbortSignal): AsyncGenerator<Batch> {
  let yielded = 0;
  for (let start = 0; start < bytes.length && !signal.aborted;) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    const { damaged } = state;
    if (end > start) state.applyLine(briefBytes(bytes.subarray(start, end), cut));
    // The last line may be in the middle of being written.
    if (found === -1) state.damaged = damaged;
    start = end + 1;
    if (start - yielded < PIECE) continue;
    yielded = start;
    yield [];
  }
}

/** The workspace of a session, and its folder; neither for windows without one. */
function placeOf(path: string): { folder?: string | undefined; workspace?: string | undefined } {
  const folder = dirname(dirname(path));
  if (basename(dirname(path)) === EMPTY_WINDOWS || basename(folder) === "no-workspace") return {};
  return workspaceIn(dirname(folder), basename(folder));
}
