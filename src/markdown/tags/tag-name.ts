// The names of tags: what one may contain, when two are the same, and what a
// rename makes of one. Pure; used by everything that finds or renames tags.
import { Problem } from "../../kernel/kernel.ts";

/** Both without `#`. */
export interface TagRename {
  readonly from: string;
  readonly to: string;
}

/** Matches the text after `#` in a tag, as in Obsidian; at least one character is not a digit. */
export const TAG_NAME = /[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+/y;

const MAX_LENGTH = 200;

export function isNumber(name: string): boolean {
  return /^[\d/]*$/.test(name);
}

/** Case does not count, as in Obsidian. */
export function foldedTag(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The name after the rename: `a/b` follows `a`. Undefined if it stays as it is. */
export function renamedTag(name: string, { from, to }: TagRename): string | undefined {
  const parts = name.split("/");
  const renamed = from.split("/");
  const isBelow =
    renamed.length <= parts.length && renamed.every((part, i) => foldedTag(part) === foldedTag(parts[i]!));
  if (!isBelow) return undefined;
  const result = [to, ...parts.slice(renamed.length)].join("/");
  return result === name ? undefined : result;
}

/** The rename that a caller asks for; throws for a new name that would be no tag. */
export function readTagRename(sentFrom: string, sentTo: string): TagRename {
  const from = withoutMarks(sentFrom);
  if (from === "") throw new Problem("invalid", "rename must be a tag, such as project or project/garden");
  const to = checkedTag(sentTo);
  if (from === to) throw new Problem("invalid", `The tag is called #${to} already: choose another newName.`);
  return { from, to };
}

/** The name of a new tag, without its mark. Throws if it would be no tag. */
export function checkedTag(sent: string): string {
  const tag = sent.trim().replace(/^#/, "");
  if (isTag(tag)) return tag;
  const proposed = proposal(tag);
  throw new Problem(
    "invalid",
    `${JSON.stringify(sent)} cannot be a tag.`,
    `A tag has letters, digits, "_", "-" and "/" between its parts, no spaces, and is not a number.${proposed === "" ? "" : ` For example: ${proposed}`}`,
  );
}

/** Tags of properties may be written with marks and with a slash at the end. */
export function withoutMarks(tag: string): string {
  return tag
    .trim()
    .replace(/^#+/, "")
    .replace(/(?<!\/)\/+$/, "");
}

function isTag(name: string): boolean {
  TAG_NAME.lastIndex = 0;
  const isWhole = TAG_NAME.exec(name)?.[0] === name;
  return isWhole && name.length <= MAX_LENGTH && !isNumber(name) && !/\p{Cc}|^\/|\/$|\/\//u.test(name);
}

/** The nearest name that could be a tag; empty if there is none. */
function proposal(name: string): string {
  const proposed = name
    .slice(0, MAX_LENGTH)
    .replace(/[^\p{L}\p{N}\p{M}_/-]+/gu, "-")
    .replace(/(?<![-/])[-/]*\/[-/]*/g, "/")
    .replace(/^[-/]+|(?<![-/])[-/]+$/g, "");
  return isTag(proposed) ? proposed : "";
}
