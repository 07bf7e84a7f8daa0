// The only module that writes to standard output and standard error, except for
// the protocol over stdio. Plain text is escaped here, and a Printable already is,
// so that no note, row, conversation, file name or configuration can send escape
// sequences to a terminal.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { styleText } from "node:util";
import { operatingSystem } from "../system/operating-system.ts";
import { visible, visibleJson, visibleLines } from "./visible.ts";

type Text = string | number | Printable;

/** Text that may be printed unchanged: its only escape sequences are our own. */
export class Printable {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  static of(text: Text): Printable {
    return text instanceof Printable ? text : new Printable(visible(String(text)));
  }

  static lines(text: string): Printable {
    return new Printable(visibleLines(text));
  }

  static join(parts: readonly Text[], separator: string): Printable {
    return new Printable(parts.map(Printable.of).join(visibleLines(separator)));
  }

  static json(value: unknown): Printable {
    return new Printable(visibleJson(value));
  }

  static styled(format: Parameters<typeof styleText>[0], text: Text): Printable {
    return new Printable(styleText(format, Printable.of(text).#text));
  }
}

/** A template whose values are escaped, each to one line unless it is Printable. Line breaks of the template stay. */
export function printable(literals: TemplateStringsArray, ...values: readonly Text[]): Printable {
  return Printable.join(
    literals.flatMap((literal, i) => [Printable.lines(literal), ...(i < values.length ? [values[i]!] : [])]),
    "",
  );
}

/** Escaped text that keeps its line breaks. */
export const multiline = (text: string): Printable => Printable.lines(text);

export const joined = (parts: readonly Text[], separator = "\n"): Printable => Printable.join(parts, separator);

// `styleText` follows the conventions: no colour if the output is not a terminal or
// NO_COLOR is set, always with FORCE_COLOR.
export const bold = (text: Text): Printable => Printable.styled("bold", text);
export const inverse = (text: Text): Printable => Printable.styled("inverse", text);
export const hasColour = (): boolean => styleText("bold", "x") !== "x";

/** The lines of a difference: added ones green, removed ones red. */
export function coloured(difference: string): Printable {
  const colours = { "+ ": "green", "- ": "red" } as const;
  return joined(
    difference.split("\n").map((line) => {
      const colour = colours[line.slice(0, 2) as keyof typeof colours];
      const shown = multiline(line);
      return colour === undefined ? shown : Printable.styled(colour, shown);
    }),
  );
}

const heard = new Set<NodeJS.WriteStream>();

/** A stream whose reader may go away without an error. */
function heardOn(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (!heard.has(stream)) stream.on("error", passOver);
  heard.add(stream);
  return stream;
}

export function print(text: Text): void {
  heardOn(process.stdout).write(`${Printable.of(text).toString()}\n`);
}

/**
 * Prints text that may be long: in a terminal through the user's pager.
 * @param pieces is called again if the pager cannot be run
 */
export async function printPaged(pieces: () => Iterable<Printable>): Promise<void> {
  const pager = canAsk() && process.env["TERM"] !== "dumb" ? await startPager() : undefined;
  if (pager !== undefined && (await showIn(pager, pieces()))) return;
  for (const piece of pieces()) print(piece);
}

/** $PAGER as a shell command, else one that the system has. */
async function startPager(): Promise<ChildProcess | undefined> {
  const wanted = process.env["PAGER"];
  if (wanted !== undefined && /^\s*(?:cat)?\s*$/.test(wanted)) return undefined;
  const programs = wanted !== undefined ? [wanted] : operatingSystem().pagers;
  const { spawn } = process.getBuiltinModule("node:child_process");
  for (const program of programs) {
    const pager = spawn(program, {
      shell: wanted !== undefined,
      stdio: ["pipe", "inherit", "inherit"],
      env: {
        // As in git: less quits if the text fits on one screen, leaves it there, and shows our colours.
        LESS: "FRX",
        LV: "-c",
        ...process.env,
        // On Windows: run no program from the working directory.
        NoDefaultCurrentDirectoryInExePath: "1",
      },
    });
    const isThere = await once(pager, "spawn").then(
      () => true,
      () => false,
    );
    if (isThere) return pager;
  }
  return undefined;
}

/** Exit codes of a shell that cannot find or run the program. */
const NOT_RUN = new Set([126, 127]);

/** @returns whether the pager showed the text */
async function showIn(pager: ChildProcess, pieces: Iterable<Printable>): Promise<boolean> {
  const ended = once(pager, "close");
  // Ctrl-C is for the pager, where it may only stop a search.
  process.on("SIGINT", leaveToPager);
  try {
    const input = pager.stdin!;
    // A pager that the user has quit does not read the rest.
    input.on("error", () => {});
    for (const piece of pieces) {
      if (!input.writable) break;
      if (!input.write(`${piece.toString()}\n`)) await Promise.race([once(input, "drain").catch(() => {}), ended]);
    }
    input.end();
    const [code] = (await ended) as [number | null];
    return code === null || !NOT_RUN.has(code);
  } finally {
    process.off("SIGINT", leaveToPager);
  }
}

function leaveToPager(): void {}

/** Prints one line of JSON, for programs. */
export function printJson(value: unknown): void {
  print(Printable.json(value));
}

/**
 * A reader that closes early (`| head`) is not an error: the command continues and sets its exit code, and a server
 * whose log nobody reads any more goes on serving.
 */
function passOver(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

export function printError(text: Text): void {
  heardOn(process.stderr).write(`${Printable.of(text).toString()}\n`);
}

/** Returns whether standard error is a terminal, so that a status line makes sense. */
export const isWatched = (): boolean => process.stderr.isTTY;

/** Replaces the unfinished last line of standard error. */
export function showStatus(text: string): void {
  heardOn(process.stderr).write(`\r\u001B[K${visible(text)}`);
}

/** Returns whether there is a terminal to ask in. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** @returns the answer, or undefined if there was none (Ctrl-C, Ctrl-D) */
export async function ask(question: Text): Promise<string | undefined> {
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(`${Printable.of(question).toString()} `);
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
