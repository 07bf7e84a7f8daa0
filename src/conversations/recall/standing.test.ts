// Tests whether edits still stand, by the lines of the text that is there now.
import { describe, expect, it } from "vitest";
import { type Edit, standingOf } from "./standing.ts";

const BEFORE = "export function total(items) {\n  return sumOfPrices(items);\n}\n";
const AFTER = "export function total(items) {\n  return roundedToCents(sumOfPrices(items));\n}\n";
const REST = "\nexport const LIMIT = 40;\n";

const replaced = (removed: string, added: string): Edit => ({ removed, added, isWhole: false });
const rounded = replaced(BEFORE, AFTER);

describe("an edit", () => {
  it("holds while its lines are there, wherever they moved", () => {
    expect(standingOf(AFTER + REST, [rounded])).toMatchObject({ verdict: "holds", written: 1, lines: [2] });
    expect(standingOf(`${REST}\nclass Cart {\n${AFTER.replaceAll(/^/gm, "  ")}}\n`, [rounded])?.verdict).toBe("holds");
    expect(standingOf((AFTER + REST).replaceAll("\n", "\r\n"), [rounded])?.verdict).toBe("holds");
  });

  it("was taken back where what it replaced is there again", () => {
    expect(standingOf(BEFORE + REST, [rounded])?.verdict).toBe("taken back");
  });

  it("was changed where none of its lines is left, and names the lines that are gone", () => {
    const text = AFTER.replace("roundedToCents", "inCents") + REST;
    expect(standingOf(text, [rounded])).toMatchObject({
      verdict: "changed",
      gone: ["  return roundedToCents(sumOfPrices(items));"],
    });
    expect(standingOf("", [rounded])?.verdict).toBe("changed");
  });

  it("stands in part where some of its lines are left", () => {
    const made: Edit = { removed: "", added: AFTER + REST, isWhole: true };
    expect(standingOf(AFTER.replace("roundedToCents(sumOfPrices(items))", "0") + REST, [made])).toMatchObject({
      verdict: "part",
      written: 3,
      left: 2,
    });
  });

  it("has no verdict where its lines are there twice, or prove nothing", () => {
    expect(standingOf(AFTER + REST + AFTER, [rounded])).toBeUndefined();
    expect(standingOf("const x = 1;\nlimit = 2;\n", [replaced("limit = 1;", "limit = 2;")])).toBeUndefined();
    // The line is there, elsewhere: its own place was changed, and another one like it is left.
    const elsewhere = "function other() {\n  return roundedToCents(sumOfPrices(items));\n}\n";
    expect(standingOf(BEFORE + elsewhere, [rounded])?.verdict).not.toBe("holds");
  });

  it("is what its passage made of it: what it changed again counts last", () => {
    const again = replaced("roundedToCents(sumOfPrices(items))", "inCents(sumOfPrices(items))");
    expect(standingOf(AFTER + REST, [rounded, again])?.verdict).not.toBe("holds");
    const back = replaced(AFTER, BEFORE);
    expect(standingOf(AFTER + REST, [rounded, back])?.verdict).not.toBe("holds");
  });

  it("that only took lines away holds until they are back", () => {
    const context = "import { round } from './numbers';\n";
    const deletion = replaced(`${context}import { legacyTotal } from './legacy';\n`, context);
    expect(standingOf(context + AFTER, [deletion])?.verdict).toBe("holds");
    expect(standingOf(`${context}import { legacyTotal } from './legacy';\n${AFTER}`, [deletion])?.verdict).toBe(
      "taken back",
    );
    // Somebody has changed what it left, too.
    expect(standingOf(AFTER, [deletion])).toBeUndefined();
  });

  it("with a secret has no verdict: it is stored redacted", () => {
    const made = replaced("", `${AFTER}const API_KEY = "[redacted: GitHub token]";\n`);
    expect(standingOf(`${AFTER}const API_KEY = "ghp_1";\n`, [made])).toBeUndefined();
  });

  it("that moved lines holds only as a whole", () => {
    const moved = replaced(
      "first(withManyArguments);\nsecond(withOthers);\nthird(addedBefore);\n",
      "second(withOthers);\nfirst(withManyArguments);\nthird(addedBefore);\nfourth(addedNowAsTheLastOne);\n",
    );
    expect(standingOf(moved.added, [moved])?.verdict).toBe("holds");
    expect(
      standingOf(
        "first(withManyArguments);\nsecond(withOthers);\nthird(addedBefore);\nfourth(addedNowAsTheLastOne);\n",
        [moved],
      ),
    ).toBeUndefined();
  });
});
