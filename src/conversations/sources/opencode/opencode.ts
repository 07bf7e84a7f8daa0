// opencode and the programs that were made from it: sessions in a database
// (database.ts), those of older versions in files (json-storage.ts). Another
// release channel has a database of its own.
import { dirname, isAbsolute, join } from "node:path";
import { existsSync, readdirSync } from "node:fs";
import { foundDatabase, lookedInto } from "../kit/transcript-search.ts";
import type { ConversationSource, Finding, Home } from "../source.ts";
import { readDatabase } from "./database.ts";
import { findStorage, readStorage } from "./json-storage.ts";

/** How a program differs from opencode. */
interface Variant {
  readonly name: string;
  readonly title: string;
  /** The folder below that of all programs' data, the same on every system. */
  readonly folder: string;
  /** The variable that names another database, relative to the folder or absolute. */
  readonly variable: string;
  /** The variable that names a folder of its own for everything. */
  readonly home?: string;
}

export const opencode = sourceLikeOpencode({
  name: "opencode",
  title: "opencode",
  folder: "opencode",
  variable: "OPENCODE_DB",
});

/** Kilo's command line. */
export const kilo = sourceLikeOpencode({ name: "kilo", title: "Kilo CLI", folder: "kilo", variable: "KILO_DB" });

export const mimocode = sourceLikeOpencode({
  name: "mimocode",
  title: "MiMoCode",
  folder: "mimocode",
  variable: "MIMOCODE_DB",
  home: "MIMOCODE_HOME",
});

function sourceLikeOpencode(variant: Variant): ConversationSource {
  const { name, title } = variant;
  return {
    name,
    title,
    reader: 3,
    resume: { command: [name, "--session", "ID"], idPattern: /^ses_[\dA-Za-z]+$/ },
    find: (home) => find(home, variant),
    read: (transcript, checkpoint, signal, wanted) =>
      transcript.path.endsWith(".json")
        ? readStorage(transcript, databasesBeside(transcript.path), signal)
        : readDatabase(transcript, checkpoint, signal, wanted),
  };
}

/** `opencode.db`, or `opencode-<channel>.db`; a variant that was renamed reads those too. */
const DATABASE = /^[a-z]+(?:-[\w.-]+)?\.db$/;

function* find({ folder, environment }: Home, variant: Variant): Generator<Finding> {
  const own = variant.home && environment[variant.home];
  const data = own
    ? join(own, "data")
    : join(environment["XDG_DATA_HOME"] || join(folder, ".local", "share"), variant.folder);
  for (const { name } of yield* lookedInto(data)) if (DATABASE.test(name)) yield* foundDatabase(join(data, name));
  const other = environment[variant.variable];
  if (other !== undefined && other !== "" && other !== ":memory:")
    yield* foundDatabase(isAbsolute(other) ? other : join(data, other));
  if (existsSync(join(data, "storage", "session"))) yield* findStorage(join(data, "storage"));
}

/** The databases of the folder whose `storage/session/<project>/` has a file. */
function databasesBeside(path: string): string[] {
  const data = dirname(dirname(dirname(dirname(path))));
  try {
    return readdirSync(data)
      .filter((name) => DATABASE.test(name))
      .map((name) => join(data, name));
  } catch {
    return [];
  }
}
