// The address of a shared store, which may contain a password: only what connects
// gets that. Used by settings.ts.
import { databaseUrl, Problem } from "../kernel/kernel.ts";
import { type Given, textFrom } from "./values.ts";

/** Whatever prints, logs or serialises it shows the address without its password. */
export class StoreSetting {
  readonly shown: string;
  readonly #address: string;

  constructor(address: string, url: URL) {
    url.password = "";
    this.shown = url.href;
    this.#address = address;
  }

  /** The address as it was given. */
  reveal(): string {
    return this.#address;
  }

  toString(): string {
    return this.shown;
  }
}

/** Throws a problem that repeats nothing of the value. */
export function storeFrom(given: Given): StoreSetting {
  const address = textFrom(given);
  const url = databaseUrl(address, given.origin);
  if (given.origin.startsWith("--") && url.password !== "")
    throw new Problem(
      "invalid",
      `${given.origin} must not contain a password: every user of this machine can see it there.`,
      "Leave it out, and put it into ~/.pgpass or PGPASSWORD; or put the whole address into COMMONPLACE_STORE or the config file.",
    );
  return new StoreSetting(address, url);
}
