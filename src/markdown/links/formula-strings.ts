// The strings in a formula of a base. Used to find its links and its tags.

/** The offsets of the quotes around the next string; both at the end if there is none. */
export function nextString(formula: string, from: number): [opening: number, close: number] {
  for (let opening = from; opening < formula.length; opening++) {
    const mark = formula.charAt(opening);
    if (mark !== '"' && mark !== "'") continue;
    for (let close = opening + 1; close < formula.length; close++) {
      if (formula.charAt(close) === "\\") close++;
      else if (formula.charAt(close) === mark) return [opening, close];
    }
    // An apostrophe in a title, not a string.
    break;
  }
  return [formula.length, formula.length];
}
