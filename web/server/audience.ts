// Whom the server is for: one person on their own machine, or the members of a
// shared store, who have nothing of the machine that the server runs on. The
// document says so, since the sign-in form has to know. Used by every view that
// would ask for the machine.

/** Modules that only compute are tested without a document. */
const page = (globalThis as { readonly document?: Document }).document;
export const IS_FOR_MEMBERS =
  page?.querySelector<HTMLMetaElement>('meta[name="commonplace-serves"]')?.content === "members";

/** Returns the storage that remembers what was opened. Members may use a browser that others use after them: their tab forgets it. */
export function visits(): Storage {
  return IS_FOR_MEMBERS ? sessionStorage : localStorage;
}
