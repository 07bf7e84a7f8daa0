// Errors of a database or the way to it, in words for people. No message
// repeats what PostgreSQL says about a value, and none contains a password. Used
// by store.ts.
import { codeOf } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { StoreAddress } from "./address.ts";
import { PASSWORD_PLACES } from "./password.ts";

/** About the database itself, for the person who runs it: may name its address or the login. */
export class StoreProblem extends Problem {}

/** The store cannot be used at the moment; later it may. */
export class StoreUnavailable extends StoreProblem {
  constructor(message: string, hint?: string) {
    super("timeout", message, hint);
  }
}

/** The client has no code of its own for a connection that ended, or was never answered. */
export class ConnectionLost extends Error {
  readonly code = "CONNECTION_LOST";
}

/** Errors of the database and of the system have a code; without one, the client itself gave up. */
export function withCode(error: unknown): never {
  throw codeOf(error) === "" ? new ConnectionLost("The connection was lost.", { cause: error }) : error;
}

/** The connection was refused, lost or not answered. */
const CONNECTION =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|CONNECTION_LOST|08\w{3})$/;
/** The database ends, starts or ended the connection. */
const RESTART = /^57P0\d$/;
/** Two transactions were in each other's way: one was rolled back. */
const COLLISION = /^(?:40001|40P01)$/;
const FULL = /^(?:53300|53400)$/;
const CERTIFICATE = /CERT|^ERR_TLS|^ERR_SSL|SIGNATURE$/;

/** Raised by functions of our own schema, with a sentence for people. */
export const OWN_ERROR = "CP001";
/** Raised by them if the tables have another version than the program knows. */
export const OTHER_VERSION = "CP002";

/** Returns whether the same work may succeed if it is tried again. @param wasConnected whether the address is known to be right */
export function mayPassSoon(error: unknown, wasConnected: boolean): boolean {
  const code = codeOf(error);
  return COLLISION.test(code) || FULL.test(code) || RESTART.test(code) || (wasConnected && CONNECTION.test(code));
}

/** The error as a problem; one that is not the database's, or a fault of ours, unchanged. */
export function storeProblem(error: unknown, { shown, host, port, login, database }: StoreAddress): unknown {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (code === OWN_ERROR) return new Problem("denied", (error as Error).message);
  if (CERTIFICATE.test(code))
    return new StoreProblem(
      "denied",
      `The connection to ${shown} is not safe: its certificate cannot be verified (${code}).`,
      "Have Node trust it with NODE_EXTRA_CA_CERTS; or, on a network that you trust, add ?sslmode=require to the address.",
    );
  if (CONNECTION.test(code))
    return new StoreUnavailable(
      `The shared store at ${host}:${port} cannot be reached (${code}).`,
      "Check the address, and whether the database runs.",
    );
  if (RESTART.test(code))
    return new StoreUnavailable("The database of the shared store is restarting or was stopped.", "Try again.");
  if (FULL.test(code))
    return new StoreUnavailable(
      "The database of the shared store has no free connection.",
      "Try again, or raise its max_connections.",
    );
  if (COLLISION.test(code)) return new StoreUnavailable("Others are changing the same in the store.", "Try again.");
  if (code === "57014")
    return new StoreUnavailable("The database of the shared store took too long to answer.", "Try again.");
  if (code === "53100" || code === "53200")
    return new StoreUnavailable("The database of the shared store has no room left.", "Nothing was changed.");
  if (code === "25006")
    return new StoreProblem(
      "denied",
      "The database of the shared store is read-only.",
      "Use the address of its primary.",
    );
  if (code.startsWith("28"))
    return new StoreProblem("denied", `The database refused the login ${login}.`, PASSWORD_PLACES);
  if (code === "3D000") return new StoreProblem("not_found", `There is no database ${database} at ${host}:${port}.`);
  return error;
}
