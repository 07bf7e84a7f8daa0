import { expect, it } from "vitest";
import { withoutCredentials } from "./git-output.ts";

it.each([
  ["https://user:token@example.com/x.git", "https://example.com/x.git"],
  ["https://token@example.com/x.git?key=1#secret", "https://example.com/x.git"],
  ["https://a@b:c@example.com/x", "https://example.com/x"],
  ["https://example.com/@scope/x.git", "https://example.com/@scope/x.git"],
  ["ssh://git:pw@example.com:22/x.git", "ssh://example.com:22/x.git"],
  ["git@example.com:me/x.git", "git@example.com:me/x.git"],
  ["me:secret@example.com:x.git", "example.com:x.git"],
  ["example.com:x.git", "example.com:x.git"],
  ["/home/me/private/x.git", "(a folder)"],
  ["file:///home/me/x.git", "(a folder)"],
  ["../x.git", "(a folder)"],
  ["C:\\Users\\me\\x.git", "(a folder)"],
  ["ext::ssh -i /home/me/key host", "(a command)"],
  ["hg::https://me:pw@example.com/x", "hg::https://example.com/x"],
])("a remote's address %s is shown as %s", (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown);
});
