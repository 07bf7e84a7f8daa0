// commonplace backup: writes everything that exists only here to one file.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, fsyncSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import {
  copyTo,
  createOwnFile,
  type Folders,
  makeOwnTemporaryFolder,
  openForReading,
  piecesOf,
  publish,
} from "../../files/files.ts";
import { byteCount, counted, nodeCrypto, print, printable, printJson, Problem, VERSION } from "../../kernel/kernel.ts";
import { copyDatabase } from "../../sqlite/sqlite.ts";
import type { Command } from "../command.ts";
import { withProgress } from "../progress.ts";
import { FORMAT, keptFiles, MANIFEST, NOTICE, type KeptFile, type Manifest } from "./kept-files.ts";
import { TAR_END, tarEntry } from "./tar.ts";

const TEXT = `A backup of Commonplace: past conversations, memory, the journal of changes,
the settings, and the vault and outline that come with the program.

It is NOT redacted: what was said to assistants is in it word for word, with any
passwords and keys. Keep it as you would keep those.

"commonplace restore FILE" brings it back into a new data folder. Your own
notes and outlines are not in it: they are where they always were.
`;

export const command: Command = {
  usage: "backup FILE [--json]",
  help: `Writes everything that exists only in Commonplace's own folders to FILE: past
conversations, memory, the journal of changes, settings. FILE is new, for you
alone, and NOT redacted: keep it safe. Memory that is kept in a vault stays
there. The command restore brings it back.`,
  takesArguments: true,
  flags: { json: { help: "as JSON" } },
  run: async ({ settings, words, flags }) => {
    const [file] = words;
    if (file === undefined || words.length > 1) throw new Problem("invalid", "backup needs the name of one new file.");
    const target = resolve(file);
    const { result } = await withProgress("files", (onProgress) => writeBackup(settings.folders, target, onProgress));
    if (flags["json"]) printJson({ file: target, ...result });
    else
      print(
        printable`${counted(result.files, "file")}, ${byteCount(result.bytes)} in ${target}\nIt is not redacted, and readable by you alone. Keep it safe.`,
      );
    return 0;
  },
};

/** @returns how many files there are, and how large the backup is */
export async function writeBackup(
  folders: Folders,
  target: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<{ readonly files: number; readonly bytes: number }> {
  if (existsSync(target)) throw new Problem("exists", `${target} exists. A backup is a new file.`);
  if (!existsSync(dirname(target))) throw new Problem("not_found", `There is no folder ${dirname(target)}.`);
  const files = keptFiles(folders);
  if (files.length === 0) throw new Problem("not_found", `There is nothing to back up in ${folders.data}.`);
  const staging = makeOwnTemporaryFolder("backup");
  const draft = join(dirname(target), `.${basename(target)}.${nodeCrypto().randomBytes(4).toString("hex")}`);
  try {
    const bytes = await writeDraft(draft, archiveOf(files, staging, onProgress));
    await publish(draft, target);
    return { files: files.length, bytes };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    rmSync(draft, { force: true });
  }
}

async function writeDraft(draft: string, archive: Iterable<Uint8Array>): Promise<number> {
  const file = createOwnFile(draft);
  try {
    await pipeline(Readable.from(archive), createGzip(), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
    });
    fsyncSync(file);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

/** The archive, made while it is read. A file is copied first, since it may grow while it is archived. */
function* archiveOf(
  files: readonly KeptFile[],
  staging: string,
  onProgress: (done: number, total: number) => void,
): Generator<Uint8Array> {
  yield* tarEntry(NOTICE, Buffer.byteLength(TEXT), [Buffer.from(TEXT)]);
  const listed: Manifest["files"][number][] = [];
  for (const [i, { name, path, isDatabase }] of files.entries()) {
    const copy = join(staging, String(i));
    if (isDatabase) copyDatabase(path, copy);
    else copyTo(copy, path);
    const { size } = statSync(copy);
    const hash = createHash("sha256");
    yield* tarEntry(name, size, hashed(copy, hash));
    rmSync(copy);
    listed.push({ name, size, sha256: hash.digest("hex") });
    onProgress(i + 1, files.length);
  }
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    created: new Date().toISOString(),
    isRedacted: false,
    files: listed,
  };
  const text = Buffer.from(JSON.stringify(manifest));
  yield* tarEntry(MANIFEST, text.length, [text]);
  yield TAR_END;
}

function* hashed(path: string, hash: ReturnType<typeof createHash>): Generator<Uint8Array> {
  const file = openForReading(path);
  try {
    for (const piece of piecesOf(file)) {
      hash.update(piece);
      // The stream keeps some, and a piece is valid until the next only.
      yield Buffer.from(piece);
    }
  } finally {
    closeSync(file);
  }
}
