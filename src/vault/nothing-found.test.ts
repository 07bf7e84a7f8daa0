import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { whyNothing } from "./nothing-found.ts";

const { vault } = vaultWith({
  "Projects/Garden.md": "---\nstatus: open\nrating: 5\n---\nBeans. #recipes #home/kitchen",
  "Projects/Shed.md": "Nails. #tools",
  "Archive/Old.md": "Rust.",
});

describe("why a search found nothing", () => {
  it.each([
    ["???", "The query has no words: punctuation is not searched for."],
    ["—", "The query has no words: punctuation is not searched for."],
    ["tag:", "tag: has no value, so it was searched for as a word: write tag:#name."],
    ["zebra PATH: x", "path: has no value, so it was searched for as a word: write path:folder."],
    ["tag:#", "tag: has no value, so it was searched for as a word: write tag:#name."],
    ['prop:"rating" > 9', "No note has the property rating with > 9."],
    ["tag:#recipies", "No note has the tag #recipies. Did you mean #recipes?"],
    ["tag:kitchen", "No note has the tag #kitchen. Did you mean #home/kitchen?"],
    ["zebra #nowhere", "No note has the tag #nowhere."],
    ["path:Projcts", 'No note has "Projcts" in its path. Did you mean path:"Projects"?'],
    ["prop:owner", "No note has the property owner."],
    ["prop:status:open", "No note has the property status:open. A value is written as prop:name=value."],
    ["path:Projects/*.md", 'No note has "Projects/*.md" in its path, which has no wildcards.'],
    [
      "tag:recipes OR tag:tools",
      'No note passes all filters at once: tag:"recipes" (1 note), tag:"tools" (1 note). OR is a word like any other: search for each filter by itself.',
    ],
    ["prop:status=done beans", "No note has the property status with the value done."],
    ["prop:rating>=7", "No note has the property rating with >= 7."],
    [
      "tag:recipes path:archive",
      'No note passes all filters at once: tag:"recipes" (1 note), path:"archive" (1 note).',
    ],
    ["tag:recipes -beans", 'No note passes all filters at once: tag:"recipes" (1 note).'],
    ["tag:recipes nails", "1 note passes the filters, without these words."],
    ["path:projects zebra", "2 notes pass the filters, without these words."],
    ['"beans nails"', "What is in quotes is found word for word only: leave the quotes out to find more."],
    ["zebra", undefined],
    ["zebra -nails", undefined],
    ["nails -tag:tools", "1 note has the words, but none passes the exclusions, places and times of the search."],
    ['"tag: x" zebra', "What is in quotes is found word for word only: leave the quotes out to find more."],
  ])("is said of %s", async (query, reason) => {
    expect(await whyNothing(query, [{ vault, within: {} }])).toBe(reason);
  });

  it("includes what the call itself restricts the search to", async () => {
    const within = { paths: ["Archive"] };
    expect(await whyNothing("tag:tools", [{ vault, within }])).toBe(
      'No note passes all filters at once: tag:"tools" (1 note).',
    );
    const leftOut = "1 note has the words, but none passes the exclusions, places and times of the search.";
    expect(await whyNothing("nails", [{ vault, within }])).toBe(leftOut);
    expect(await whyNothing("nails", [{ vault, within: { during: { start: 0, end: 1 } } }])).toBe(leftOut);
  });

  it("counts the notes of all vaults that were searched", async () => {
    const { vault: other } = vaultWith({ "Other.md": "#tools" });
    const both = [vault, other].map((each) => ({ vault: each, within: {} }));
    expect(await whyNothing("tag:tools zebra", both)).toBe("2 notes pass the filters, without these words.");
    expect(await whyNothing("tag:tool", both)).toBe("No note has the tag #tool. Did you mean #tools?");
  });
});
