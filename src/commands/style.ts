// Colour in a terminal. `styleText` knows the customs: none where the output is
// no terminal or NO_COLOR is set, always with FORCE_COLOR.
import { styleText } from "node:util";

export const bold = (text: string): string => styleText("bold", text);
export const inverse = (text: string): string => styleText("inverse", text);

export const hasColour = (): boolean => bold("x") !== "x";

/** The lines of a difference: green for what comes, red for what goes. */
export function coloured(difference: string): string {
  return difference.replace(/^[+-] .*$/gm, (line) => styleText(line.startsWith("+") ? "green" : "red", line));
}
