// The only way to standard output and standard error, but for the protocol over
// stdio. Everything that is printed is either text, which is made visible here,
// or Printable, which was. So no note, row, conversation, file name or
// configuration can send a terminal an escape sequence.
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { visible, visibleJson, visibleLines } from "./text/visible.ts";

type Text = string | number | Printable;

/** What may be printed as it is: the only escape sequences in it are our own. */
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

/** A template whose values are made visible, each on one line unless it is Printable; its own line breaks stay. */
export function printable(literals: TemplateStringsArray, ...values: readonly Text[]): Printable {
  return Printable.join(
    literals.flatMap((literal, i) => [Printable.lines(literal), ...(i < values.length ? [values[i]!] : [])]),
    "",
  );
}

/** Text that has lines of its own. */
export const multiline = (text: string): Printable => Printable.lines(text);

export const joined = (parts: readonly Text[], separator = "\n"): Printable => Printable.join(parts, separator);

// `styleText` knows the customs: no colour where the output is no terminal or
// NO_COLOR is set, always with FORCE_COLOR.
export const bold = (text: Text): Printable => Printable.styled("bold", text);
export const inverse = (text: Text): Printable => Printable.styled("inverse", text);
export const hasColour = (): boolean => styleText("bold", "x") !== "x";

/** The lines of a difference: green for what comes, red for what goes. */
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

let isHeard = false;

export function print(text: Text): void {
  if (!isHeard) process.stdout.on("error", passOver);
  isHeard = true;
  process.stdout.write(`${Printable.of(text).toString()}\n`);
}

/** For programs: one line. */
export function printJson(value: unknown): void {
  print(Printable.json(value));
}

/** A reader that has seen enough (`| head`) is no error: the work goes on, and the exit code says how it ended. */
function passOver(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

export function printError(text: Text): void {
  process.stderr.write(`${Printable.of(text).toString()}\n`);
}

/** Whether somebody watches standard error, and so a status line makes sense. */
export const isWatched = (): boolean => process.stderr.isTTY;

/** Replaces the last line of standard error, which has no end yet. */
export function showStatus(text: string): void {
  process.stderr.write(`\r\u001B[K${visible(text)}`);
}

/** Whether a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** The answer, or undefined where there was none (Ctrl-C, Ctrl-D). */
export async function ask(question: Text): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(`${Printable.of(question).toString()} `);
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
