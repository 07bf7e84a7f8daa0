// Another process that has a database open, and runs statements on it. Used by
// the tests of databases that other programs write.
import { spawn } from "node:child_process";
import { atTheEnd } from "../temporary-folder.ts";

const SCRIPT = `
  const database = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
  process.on("message", (sql) => { database.exec(sql); process.send("done"); });
  process.send("ready");`;

export interface DatabaseWriter {
  /** Resolves when the statement has been run. */
  readonly run: (sql: string) => Promise<void>;
  readonly kill: () => void;
}

/** It runs these statements at once, and ends with the tests of the file. */
export async function databaseWriter(path: string, ...statements: readonly string[]): Promise<DatabaseWriter> {
  const child = spawn(process.execPath, ["--no-warnings", "-e", SCRIPT, path], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  atTheEnd(() => child.kill("SIGKILL"));
  const answer = () => new Promise((resolve) => child.once("message", resolve));
  await answer();
  const run = async (sql: string) => {
    const answered = answer();
    child.send(sql);
    await answered;
  };
  for (const statement of statements) await run(statement);
  return { run, kill: () => child.kill("SIGKILL") };
}
