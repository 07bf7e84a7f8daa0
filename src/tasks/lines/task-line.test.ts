import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { parseTaskLine, tagsOf } from "./task-line.ts";

/** The words, then the fields in their order. */
function read(body: string): unknown[] {
  const { description, fields } = parseTaskLine(body);
  return [description, ...fields.map(({ name, value }) => `${name}=${value}`)];
}

describe("a task in the emoji format", () => {
  const cases: readonly (readonly [body: string, ...read: string[]])[] = [
    ["Pay rent", "Pay rent"],
    ["Pay rent 📅 2021-04-09", "Pay rent", "due=2021-04-09"],
    ["a 📅2021-04-09", "a", "due=2021-04-09"],
    ["a 📆 2021-04-09", "a", "due=2021-04-09"],
    ["a 🗓 2021-04-09", "a", "due=2021-04-09"],
    ["a 🗓️ 2021-04-09", "a", "due=2021-04-09"],
    ["a ⏳ 2021-04-09", "a", "scheduled=2021-04-09"],
    ["a ⌛️ 2021-04-09", "a", "scheduled=2021-04-09"],
    ["a 🛫 2021-04-09", "a", "start=2021-04-09"],
    ["a ➕ 2021-04-09", "a", "created=2021-04-09"],
    ["a ✅ 2021-04-09", "a", "done=2021-04-09"],
    ["a ❌ 2021-04-09", "a", "cancelled=2021-04-09"],
    ["a 🔺", "a", "priority=highest"],
    ["a ⏫", "a", "priority=high"],
    ["a 🔼️", "a", "priority=medium"],
    ["a 🔽", "a", "priority=low"],
    ["a ⏬️", "a", "priority=lowest"],
    ["a 🔁 every week on Tuesday, Friday", "a", "recurrence=every week on Tuesday, Friday"],
    ["a 🔁 every day when done 🏁 delete", "a", "recurrence=every day when done", "onCompletion=delete"],
    ["a 🆔 dcf64c ⛔ 1_x, do-me", "a", "id=dcf64c", "dependsOn=1_x,do-me"],
    [
      "a 🔁 every day ➕ 2021-01-01 📅 2021-01-02 ⏫",
      "a",
      "recurrence=every day",
      "created=2021-01-01",
      "due=2021-01-02",
      "priority=high",
    ],
    // Fields are read at the end only; tags and a block id may follow them.
    ["a 📅 2021-04-09 other text", "a 📅 2021-04-09 other text"],
    ["a 📅 2021-04-09 other ⏫", "a 📅 2021-04-09 other", "priority=high"],
    ["a 📅 2021-04-09 #one ⏫ #two/three", "a #one #two/three", "due=2021-04-09", "priority=high"],
    ["a 📅 2021-04-09 ^e5bebf", "a", "due=2021-04-09"],
    ["a 🔼 #tag ^id-1", "a #tag", "priority=medium"],
    // Days that do not exist are read, as the plugin does.
    ["a 📅 2024-02-30", "a", "due=2024-02-30"],
    ["a 📅 21-4-9", "a 📅 21-4-9"],
    ["📅 2021-04-09", "", "due=2021-04-09"],
    ["🔼", "", "priority=medium"],
    ["", ""],
    ["a\t📅 2021-04-09\t#x", "a\t#x", "due=2021-04-09"],
    ["a 📅 2021-04-09 📅 2022-05-05", "a", "due=2021-04-09", "due=2022-05-05"],
    ["a 🔁", "a 🔁"],
    ["a ✅", "a ✅"],
  ];
  it.each(cases)("is read from its end: %s", (body, ...expected) => {
    expect(read(body)).toEqual(expected);
  });
});

describe("a task with inline fields", () => {
  const cases: readonly (readonly [body: string, ...read: string[]])[] = [
    ["a  [due:: 2023-04-16]", "a", "due=2023-04-16"],
    ["a (due:: 2023-04-16)", "a", "due=2023-04-16"],
    ["a [due::2023-04-16], [start:: 2023-04-15]", "a", "due=2023-04-16", "start=2023-04-15"],
    ["a [ completion:: 2023-04-17 ]", "a", "done=2023-04-17"],
    ["a [created:: 2023-04-13]  [scheduled:: 2023-04-14]", "a", "created=2023-04-13", "scheduled=2023-04-14"],
    ["a [cancelled:: 2023-04-18]", "a", "cancelled=2023-04-18"],
    ["a [priority:: Highest]", "a", "priority=highest"],
    ["a [repeat:: every day when done]", "a", "recurrence=every day when done"],
    [
      "a [onCompletion:: keep] [id:: dcf64c] [dependsOn:: dcf64c,0h17ye]",
      "a",
      "onCompletion=keep",
      "id=dcf64c",
      "dependsOn=dcf64c,0h17ye",
    ],
    // Dataview reads them anywhere.
    ["Pay [due:: 2023-04-16] the rent", "Pay the rent", "due=2023-04-16"],
    ["[due:: 2023-04-16] rent", "rent", "due=2023-04-16"],
    ["a [due:: 2023-04-16T10:30]", "a", "due=2023-04-16"],
    ["a [due:: 2023-04-16)", "a [due:: 2023-04-16)"],
    ["a [due:: soon]", "a [due:: soon]"],
    ["a [mood:: good] b", "a [mood:: good] b"],
    ["a [text](due::x) [[due:: 2023]]", "a [text](due::x) [[due:: 2023]]"],
    ["a [due:: 2023-04-16] 🔼", "a", "due=2023-04-16", "priority=medium"],
  ];
  it.each(cases)("is read wherever they are: %s", (body, ...expected) => {
    expect(read(body)).toEqual(expected);
  });
});

it("has the tags of its words, not what looks like one in an address", () => {
  expect(tagsOf(parseTaskLine("#one a http://x#y #two/three ⏫ #four #one"))).toEqual(["#one", "#two/three", "#four"]);
});

it.each(["📅 ", "[due:: ", "#a ", " ^", "📅 2021-04-09 ", "🔁 every ", "  ", "(", "[[due::"])(
  "is read in linear time: %j",
  (part) => {
    expectLinearTimeForText(part, parseTaskLine);
  },
);
