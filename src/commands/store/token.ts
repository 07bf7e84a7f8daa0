// commonplace store token: personal tokens, with which programs use a server over
// HTTP as their member.
import { counted, joined, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import {
  createToken,
  listTokens,
  revokeToken,
  tokenHolder,
  type PersonalToken,
  type Store,
} from "../../shared/shared.ts";
import type { Invocation } from "../command.ts";

const USAGE = "store token create NAME [--expires 90d] | list | revoke NAME";
const DEFAULT_DAYS = 90;
const MAX_DAYS = 366;

/** @param login the store as its login sees it */
export async function manageTokens(
  login: Store,
  { flags }: Invocation,
  [action = "list", name = "", ...more]: readonly string[],
): Promise<number> {
  const { member: named, expires, json } = flags;
  const isList = action === "list";
  if (more.length > 0 || isList !== (name === "") || !["create", "list", "revoke"].includes(action))
    throw new Problem("invalid", "Say what to do with tokens.", USAGE);
  if (expires !== undefined && action !== "create")
    throw new Problem("invalid", "--expires belongs to store token create.");
  if (named === "") throw new Problem("invalid", "--member names nobody.");
  const days = daysIn(expires);
  const other = typeof named === "string" ? named : undefined;
  const { name: member, store } = await tokenHolder(login, other);
  if (action === "revoke") {
    await revokeToken(store, name, other);
    if (json) printJson({ member, revoked: name });
    else print(printable`The token ${name} of ${member} is revoked: it opens nothing any more.`);
  } else if (isList) {
    const tokens = await listTokens(store);
    if (json) printJson({ member, tokens });
    else print(joined([printable`${counted(tokens.length, "token")} of ${member}`, ...tokens.map(lineOf)]));
  } else {
    const token = await createToken(store, name, days, other);
    if (json) printJson({ member, name, token, days });
    else
      print(printable`${token}
The token ${name} of ${member} is shown once: keep it like a password. It is good for ${counted(days, "day")}, or until 'store token revoke ${name}${named === undefined ? "" : ` --member ${member}`}'.`);
  }
  return 0;
}

function daysIn(expires: unknown): number {
  if (expires === undefined) return DEFAULT_DAYS;
  const days = Number(/^(\d{1,3})d?$/.exec(String(expires))?.[1] ?? 0);
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new Problem("invalid", `--expires is a number of days from 1d to ${MAX_DAYS}d.`);
}

const day = (time: string) => time.slice(0, 10);

function lineOf({ name, created, expires, hasExpired, used }: PersonalToken): Printable {
  const end = `${hasExpired ? "expired" : "expires"} ${day(expires)}`;
  return printable`  ${name}: made ${day(created)}, ${end}, ${used === undefined ? "never used" : `last used ${used}`}`;
}
