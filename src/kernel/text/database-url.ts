// Reads the address of a database, which may contain a password. Used by settings/,
// which shows it without that, and by shared/, which connects.
import { Problem } from "../problem.ts";

const FORM = /^postgres(?:ql)?:\/\//i;
/** The part before the first of these characters holds login, password and host: an @ behind it belongs to a password. */
const CUT_PASSWORD = /^[^/?#]*[/?#].*@/s;
const OPTION = "sslmode";

/**
 * Throws a problem that repeats nothing of the address.
 * @param named what the address is called there: a setting
 */
export function databaseUrl(text: string, named: string): URL {
  const address = text.trim();
  const rest = address.replace(FORM, "");
  if (rest !== address && CUT_PASSWORD.test(rest))
    throw new Problem(
      "invalid",
      `${named} has a password that is not escaped: there is an @ behind the host.`,
      "Write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25 in it; or leave it out, and put it into ~/.pgpass or PGPASSWORD.",
    );
  const url = rest !== address && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hash !== "")
    throw new Problem("invalid", `${named} must have the form postgres://LOGIN@HOST/DATABASE.`);
  if ([...url.searchParams.keys()].some((name) => name !== OPTION))
    throw new Problem("invalid", `${named} has an unknown option.`, `It takes ${OPTION}.`);
  return url;
}
