// Beside the tests of the page, since measuring takes Node, which the page's own sources may not use.
import { expect, it } from "vitest";
import { colourCode } from "../../web/markdown/colour-code.ts";
import { expectLinearTimeForText } from "../growth.ts";

it.each([
  ["ts", '"', "\\"],
  ["ts", "", "/*"],
  ["python", "", "'''"],
])("colouring %s takes linear time: %j and then many of %j", (language, beginning, piece) => {
  expect(colourCode("'a'", language)).toEqual([{ text: "'a'", type: "string" }]);
  expectLinearTimeForText(piece, (text) => colourCode(beginning + text, language), 1_000_000);
});
