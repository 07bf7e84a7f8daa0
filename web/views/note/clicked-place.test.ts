// The place in the source of a note that belongs to what is read before a click.
import { expect, it } from "vitest";
import { placeOf } from "./clicked-place.ts";

it.each([
  ["plain text here", "plain te", "plain te|xt here"],
  ["## A *slanted* heading", "A slant", "## A *slant|ed* heading"],
  ["- [ ] See [[Garden/Beds|the beds]] there", "See the be", "- [ ] See [[Garden/Beds|the be|ds]] there"],
  ["> quoted **words**", "", "> |quoted **words**"],
  ["one\ntwo lines", "onetwo l", "one\ntwo l|ines"],
])("in %j, behind %j, is %j", (source, read, shown) => {
  const at = placeOf(source, 0, read);
  expect(`${source.slice(0, at)}|${source.slice(at)}`).toBe(shown);
});
