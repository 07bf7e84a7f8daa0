// Growth of the time to colour code. Here and not beside its source, because
// measuring needs Node, which the sources of the page may not use.
import { expect, it } from "vitest";
import { colourCode } from "../../web/markdown/colour-code.ts";
import { expectLinearTimeForText } from "../growth.ts";

it.each([
  ["ts", '"', "\\"],
  ["ts", "", "/*"],
  ["python", "", "'''"],
])("colouring %s takes linear time for %j followed by many %j", (language, beginning, piece) => {
  expect(colourCode("'a'", language)).toEqual([{ text: "'a'", type: "string" }]);
  expectLinearTimeForText(piece, (text) => colourCode(beginning + text, language), 1_000_000);
});
