// Runs the program that is verified: to its end, or in a terminal.
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./program.ts";
import { Terminal } from "./terminal.ts";

const MAX_RUN_LENGTH = 120;

export class Running {
  readonly place: Place;
  /** What a step needs of an earlier one: the id of the first conversation. */
  readonly remembered = new Map<string, string>();
  readonly #command: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: (text: string) => void;

  constructor(place: Place, command: readonly string[], environment: NodeJS.ProcessEnv, log: (text: string) => void) {
    this.place = place;
    this.#command = command;
    this.#environment = environment;
    this.#log = log;
  }

  /** Runs the program to its end. @returns what it printed; throws if it fails or takes too long */
  run(args: readonly string[]): Promise<string> {
    const [command, ...first] = this.#command;
    this.#log(`$ ${args.join(" ")}`);
    return new Promise((resolve, reject) => {
      const child = spawn(command!, [...first, ...args], {
        cwd: this.place.project,
        env: this.#environment,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let printed = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
      const timer = setTimeout(() => {
        this.#log(printed);
        process.kill(-child.pid!, "SIGKILL");
        reject(new Error(`it did not end within ${MAX_RUN_LENGTH} s: ${lastLineOf(printed)}`));
      }, MAX_RUN_LENGTH * 1000);
      child.on("error", reject).on("exit", (code) => {
        clearTimeout(timer);
        this.#log(printed);
        // Some start a server that holds the pipes open.
        child.stdout.destroy();
        child.stderr.destroy();
        if (code === 0) resolve(printed);
        else reject(new Error(`it ended with ${code}: ${lastLineOf(printed)}`));
      });
    });
  }

  /** Starts the program in a terminal, works with it, and closes the terminal. */
  async inTerminal(args: readonly string[], work: (terminal: Terminal) => Promise<void>): Promise<void> {
    this.#log(`terminal: ${args.join(" ")}`);
    const { home, project } = this.place;
    const where = { home, folder: project, env: this.#environment, log: this.#log };
    const terminal = new Terminal([...this.#command, ...args], where);
    try {
      await work(terminal);
    } finally {
      this.#log(terminal.screen());
      await terminal.close();
    }
  }

  /** The id of the first conversation: what the pattern captures in the name of the oldest file that matches it. */
  firstId(below: string, name: RegExp): string {
    const folder = join(this.place.home, below);
    const [oldest] = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => name.test(path))
      .map((path) => ({ path, born: statSync(join(folder, path)).birthtimeMs }))
      .toSorted((a, b) => a.born - b.born);
    if (oldest === undefined) throw new Error(`nothing in ${below} is called ${name}`);
    return name.exec(oldest.path)![1]!;
  }
}

function lastLineOf(text: string): string {
  return text.trim().split("\n").at(-1)!.slice(0, 300);
}
