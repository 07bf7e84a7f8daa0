// Expressions: what cannot be read, what has no value, and what would never end.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, NOW, scopeOf, worldOf } from "../../../test/fixtures/bases-world.ts";
import { Budget, compileExpression, EvaluationFault, ExpressionFault, TooCostly } from "./bases.ts";

const WORLD = worldOf({
  "a.md": '---\nn: 3\ntext: hello\nempty: []\nday: 2026-03-01\nplain: [[b]]\nlinks: ["[[b]]", "[[gone|x]]"]\n---\n',
  "folder/b.md": "",
});
const named = (expressions: readonly string[]) =>
  expressions.map((expression) => [expression.slice(0, 60), expression]);
const run = (expression: string, budget = new Budget(1_000_000)) =>
  evaluate(expression, scopeOf(WORLD, "a.md", { budget }));

describe("an expression that cannot be read", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["", "The expression ends too early."],
    ["1 +", "The expression ends too early."],
    ["(1", 'The expression ends too early, expected ")".'],
    ["1 2", 'Unexpected "2" at position 3.'],
    ['"abc', 'The text that begins at position 1 has no closing ".'],
    ["/abc", "The pattern that begins at position 1 has no closing /."],
    ["/(/.matches(text)", "/(/ is not a valid pattern."],
    ["/(?<=a)b/.matches(text)", "The pattern /(?<=a)b/ looks behind, which is not supported."],
    ["n = 2", 'Unexpected character "=" at position 3: use ==.'],
    ["n > 2 and n < 5", 'Unexpected "and" at position 7: use &&.'],
    ["(n > 2 OR n < 5)", 'Unexpected "OR" at position 8: use ||.'],
    ["n @ 2", 'Unexpected character "@" at position 3.'],
    ["nothing(1)", 'There is no function "nothing()".'],
    ["n.nothing()", 'There is no function "nothing()".'],
    ["file.nothing", 'Files have no field "nothing".'],
    ["if(1)", "if() takes 2 to 3 arguments, not 1."],
    ["max()", "max() takes 1 or more arguments, not 0."],
    ["formula", "Name the formula: formula.name."],
    ["process.exit(1)", 'There is no function "exit()".'],
    ["constructor.constructor('x')", 'There is no function "constructor()".'],
    ["toString()", 'There is no function "toString()".'],
    ["(".repeat(5_000), "The expression is nested more than 100 levels deep."],
    ["!".repeat(5_000), "The expression is nested more than 100 levels deep."],
    ["1" + "+1".repeat(4_000), "The expression chains more than 200 operations."],
    ["n" + ".abs()".repeat(1_000), "The expression chains more than 200 operations."],
    ["1".repeat(10_001), "The expression is longer than 10000 characters."],
  ];
  it.each(cases.map(([expression, sentence]) => ({ expression, sentence, name: expression.slice(0, 40) })))(
    "$name is refused: $sentence",
    ({ expression, sentence }) => {
      expect(() => compileExpression(expression)).toThrow(new ExpressionFault(sentence));
    },
  );
});

describe("an expression without a value", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["text * 2", '"*" needs numbers, not a string.'],
    ["text.round()", "round() is not a function of a string."],
    ['date("soon")', 'date() cannot read "soon": use YYYY-MM-DD HH:mm:ss.'],
    ['duration("long")', 'duration() cannot read "long": use "1d" or "2 weeks".'],
    ['number("x")', "number() needs a number, not a string."],
    ["text.repeat(1000000)", "A text would be longer than 100000 characters."],
    ["text.repeat(-1)", "repeat() needs a number of 0 or more."],
    ["n.toFixed(500)", "toFixed() takes 0 to 100 digits."],
  ];
  it.each(cases)("%s says why", (expression, sentence) => {
    expect(() => run(expression)).toThrow(new EvaluationFault(sentence));
  });
});

describe("a value", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["n > 2 || missing.x.y", true],
    ["constructor", null],
    ["note.__proto__", null],
    ["missing > 1", false],
    ["missing < 1", false],
    ["missing >= 1", false],
    ["missing <= 1", false],
    ["missing == null", true],
    ["empty.isEmpty() && !empty", true],
    ["1 / 0", null],
    ["links.contains(file('b'))", true],
    ["links[1] == link('GONE')", true],
    ["links.map(value.asFile())", ["folder/b.md", null]],
    ["plain == file('b')", true],
    ["day + '1 month'", "2026-04-01"],
    ["day - '1 day 2h'", "2026-02-27T22:00:00"],
    ["day == '2026-03-01'", true],
    ["day > '2026-02-28'", true],
    ["duration('1h30m').minutes", 90],
    ["duration('1M') > duration('30d')", true],
    ["date('2026-02-30').isType('date')", "fault"],
    ["date('2026-03-01T10:00:00Z') == date('2026-03-01T12:00:00+02:00')", true],
    ["date('2026-03-01T10:00:00Z') == date('2026-03-01T15:30:00+05:30')", true],
    ["date('2026-03-01T10:00:00Z') == date('2026-03-01T06:30:00-0330')", true],
    ["[3, 'b', null, 'a', 10].sort()", [3, 10, "a", "b", null]],
    ["['Note 10', 'note 2'].sort()", ["note 2", "Note 10"]],
    [
      "[1, 2].map([3, 4].map(value))",
      [
        [3, 4],
        [3, 4],
      ],
    ],
    ["values", null],
    ["6 / 2 / 3", 1],
    ["'a/b'.split('/')", ["a", "b"]],
    ["-n.abs()", -3],
    ["'it\\'s \\u0041'", "it's A"],
    ["not(empty(n))", true],
    ["(1.005).round(2)", 1.01],
    ["now() - '1d' < now()", true],
  ];
  it.each(cases)("%s", (expression, value) => {
    if (value === "fault") expect(() => run(expression)).toThrow(EvaluationFault);
    else expect(run(expression)).toEqual(value);
  });

  it("of a date is told apart by Moment's tokens", () => {
    expect(run("date('2026-01-01 00:05:09').format('YY Q Mo DDDD ddd dd E GGGG-[W]WW gggg w h:mm a SSS Do LL')")).toBe(
      "26 1 1st 001 Thu Th 4 2026-W01 2026 1 12:05 am 000 1st January 1, 2026",
    );
    expect(run("date('2027-01-01').format('GGGG-[W]WW')")).toBe("2026-W53");
  });

  it("relative to now is in the words of Moment", () => {
    const words = ["10 s", "5 m", "1 h", "1 d", "20 d", "40 d", "400 d", "900 d"].map((span) =>
      run(`(now() - '${span}').relative()`),
    );
    expect(words).toEqual([
      "a few seconds ago",
      "5 minutes ago",
      "an hour ago",
      "a day ago",
      "20 days ago",
      "a month ago",
      "a year ago",
      "2 years ago",
    ]);
    expect(run("(now() + '2h').relative()")).toBe("in 2 hours");
    const edges = {
      "44 s": "a few seconds ago",
      "45 s": "a minute ago",
      "44 m": "44 minutes ago",
      "45 m": "an hour ago",
      "21 h": "21 hours ago",
      "22 h": "a day ago",
      "25 d": "25 days ago",
      "26 d": "a month ago",
      "319 d": "10 months ago",
      "320 d": "a year ago",
    };
    for (const [span, said] of Object.entries(edges)) expect(run(`(now() - '${span}').relative()`), span).toBe(said);
  });
});

describe("hostile input", () => {
  const list = `[${Array.from({ length: 60 }, (_, i) => i).join(",")}]`;
  const cases = [
    `${list}.map(${list}.map(${list}.map(${list}.map(value))))`,
    `${list}.reduce(acc + acc, "x")`,
    `${list}.reduce([acc, acc].flat(), [1])`,
    `/^(a+)+$/.matches("${"a".repeat(40)}b")`,
    `/(a|a)*b/.matches("${"a".repeat(40)}")`,
    `/(.*)*(.*)*x/.matches("${"ab".repeat(500)}")`,
    `"${"a".repeat(1000)}".replace(/a*?a*?a*?a*?b/g, "x")`,
    `"${"x".repeat(100)}".repeat(900).split("").map(index).unique()`,
  ];
  it.each(named(cases))("%s ends with a sentence", (_, expression) => {
    expect(() => run(expression)).toThrow(/too long|longer than|more than|too complex/);
  });

  it("never hangs, and fails only with sentences", () => {
    const part = fc.constantFrom(
      ..."n text links file.name this formula.x now() '1d' \"a\" 5 /a+/g ( ) [ ] { } , . + - * / % ! == < && || : map( filter( value if( contains( replace( repeat( .length split( date( sort( 9e9 'x'".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        try {
          run(parts.join(" "), new Budget(20_000));
        } catch (error) {
          expect([ExpressionFault, EvaluationFault, TooCostly]).toContain((error as Error).constructor);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a pattern", () => {
  it("matches what JavaScript's own matches", () => {
    const piece = fc.constantFrom(
      ..."a b . \\d \\w [ab] [^a] a* b+ a? (a) (?:b) (a|b) (ab)* a{2} b{1,2} (a+)? (?=b) (?!a) \\b ^ $ a*? (b)+? | (a)|(b) \\1".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("", "i", "g", "m"),
        fc.string({ unit: fc.constantFrom("a", "b", "A", "1", " ", "\n"), maxLength: 8 }),
        (pieces, flags, text) => {
          const source = pieces.join("");
          fc.pre(!/\\1/.test(source) || /\((?!\?)/.test(source.split("\\1")[0]!));
          let own: RegExp;
          try {
            own = new RegExp(source, flags);
          } catch {
            return;
          }
          const expression = `${JSON.stringify(text)}.replace(/${source}/${flags}, "<$&$1>")`;
          const hasGroup = /\((?!\?)/.test(source);
          expect(run(expression)).toBe(text.replace(own, hasGroup ? "<$&$1>" : "<$&$$1>"));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("splits as JavaScript's own", () => {
    expect(run("'a, b,c'.split(/,\\s*/)")).toEqual(["a", "b", "c"]);
    expect(run("'abc'.split(/x*/)")).toEqual(["a", "b", "c"]);
  });
});

it("keeps the time that it is given", () => {
  expect(run("number(now())")).toBe(NOW);
});
