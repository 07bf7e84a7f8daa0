// Checks whether only this terminal has the password of the shared store. What
// other programs start does not get it. Used by connect and push.
import { SETTINGS, type Settings } from "../../settings.ts";

export function isPasswordOfTerminal({ store, origins }: Settings): boolean {
  if (store === undefined) return false;
  const isInVariable = new URL(store.reveal()).password !== "" && origins.store === SETTINGS.store.variable;
  return isInVariable || Boolean(process.env["PGPASSWORD"]);
}
