// Whom the server is for: one person on their own machine, or the members of a
// shared store, who have nothing of the machine that the server runs on. The
// document says so, since the sign-in form has to know. Used by every view that
// would ask for the machine.

export const IS_FOR_MEMBERS =
  document.querySelector<HTMLMetaElement>('meta[name="commonplace-serves"]')?.content === "members";

/** Where the page remembers what was opened. Members may use a browser that others use after them: their tab forgets it. */
export const VISITS: Storage = IS_FOR_MEMBERS ? sessionStorage : localStorage;
