// A program in a terminal of tmux: it is typed to, and its screen is read.
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { marker, promptText } from "./markers.ts";

const MAX_WAIT = 60;
const MAX_TRIES = 3;

interface Where {
  readonly home: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Gets the screen after each key, to see where a program went another way. */
  readonly log: (text: string) => void;
}

export class Terminal {
  readonly #socket: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: (text: string) => void;

  constructor(command: readonly string[], { home, folder, env, log }: Where) {
    this.#socket = join(home, ".tmux-socket");
    this.#log = log;
    this.#env = { ...env, TERM: "xterm-256color" };
    const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", folder, quoted);
  }

  /** Types text, without Enter. */
  async type(text: string): Promise<void> {
    this.#tmux("send-keys", "-l", text);
    await sleep(500);
  }

  /** Presses keys by tmux's names: Enter, Escape, Up, C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#tmux("send-keys", key);
      await sleep(500);
      this.#log(`-- ${key}\n${this.screen().replace(/\n{2,}/g, "\n")}`);
    }
  }

  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.press("Enter");
  }

  /** Types prompt N, and waits for its answer. */
  ask(n: number): Promise<void> {
    return this.command(promptText(n), new RegExp(marker.answer(n)));
  }

  /** Types a command, and waits for what it shows. A program that is still starting may miss the first Enter. */
  async command(text: string, shown: RegExp): Promise<void> {
    await this.enter(text);
    if (await this.mayShow(shown, 8)) return;
    await this.press("Enter");
    await this.sees(shown);
  }

  /** Presses keys until the screen shows this: a busy machine may be too slow for a key that has to be pressed twice. */
  async pressFor(wanted: RegExp, ...keys: readonly string[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await this.press(...keys);
      if (await this.mayShow(wanted, 8)) return;
    }
    await this.sees(wanted);
  }

  /** Waits until the screen shows this. */
  async sees(wanted: RegExp, seconds = MAX_WAIT): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!wanted.test(this.screen())) {
      if (Date.now() > end) throw new Error(`the screen did not show ${wanted} within ${seconds} s`);
      await sleep(250);
    }
    await sleep(500);
  }

  /** Whether the screen shows this within a few seconds: for questions that only some versions ask. */
  async mayShow(wanted: RegExp, seconds = 5): Promise<boolean> {
    return this.sees(wanted, seconds).then(
      () => true,
      () => false,
    );
  }

  screen(): string {
    return this.#tmux("capture-pane", "-p").replace(/\n+$/, "\n");
  }

  async close(): Promise<void> {
    this.#tmux("kill-server");
    await sleep(1000);
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, ...args], { env: this.#env, encoding: "utf8" }).stdout;
  }
}
