// The store as members may hear of it: what is wrong with the database is written to
// the log of the server, once, and that it answers again; its address and login are in
// no answer. Used by members.ts.
import type { Log } from "../../kernel/kernel.ts";
import { type Store, StoreProblem, StoreUnavailable } from "../../shared/shared.ts";

/** The state that was last logged. The members of one server share it. */
interface State {
  logged: string | undefined;
}

export function discreetStore(store: Store, log: Log, state: State = { logged: undefined }): Store {
  const discreetly =
    <Given extends readonly unknown[], T>(run: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        const result = await run(...given);
        if (state.logged !== undefined) log("The database of the shared store answers again.");
        state.logged = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof StoreProblem)) throw error;
        // While it is away every request fails, not all of them in the same words.
        const isKnown = error instanceof StoreUnavailable ? state.logged !== undefined : state.logged === error.message;
        if (!isKnown) log((state.logged = error.message));
        throw new StoreUnavailable("The shared store cannot be used at the moment.", "Try again in a moment.");
      }
    };
  return {
    ...store,
    transaction: (work) => discreetly(() => store.transaction(work))(),
    reading: (work) => discreetly(() => store.reading(work))(),
    call: discreetly(store.call),
    forMember: (name) => discreetStore(store.forMember(name), log, state),
  };
}
