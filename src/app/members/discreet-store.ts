// The store as members may hear of it: what is wrong with the database is written to
// the log of the server, and its address and login are in no answer. Used by
// members.ts.
import type { Log } from "../../kernel/kernel.ts";
import { type Store, StoreProblem, StoreUnavailable } from "../../postgres/postgres.ts";

export function discreetStore(store: Store, log: Log): Store {
  const discreetly =
    <Given extends readonly unknown[], T>(run: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        return await run(...given);
      } catch (error) {
        if (!(error instanceof StoreProblem)) throw error;
        log(error.message);
        throw new StoreUnavailable("The shared store cannot be used at the moment.", "Try again in a moment.");
      }
    };
  return {
    ...store,
    transaction: (work) => discreetly(() => store.transaction(work))(),
    reading: (work) => discreetly(() => store.reading(work))(),
    call: discreetly(store.call),
    forMember: (name) => discreetStore(store.forMember(name), log),
  };
}
