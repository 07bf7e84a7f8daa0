import { expect, it } from "vitest";
import { openStore, StoreUnavailable } from "../../shared/shared.ts";
import { discreetStore } from "./discreet-store.ts";

it("tells members nothing about a database that cannot be reached, and its log everything", async () => {
  const logged: string[] = [];
  // Nothing listens on port 1.
  const store = openStore({ address: "postgres://somebody@127.0.0.1:1/secrets?sslmode=disable", retryFor: 0 });
  const all = discreetStore(store, (text) => void logged.push(text));
  const [alice, bob] = [all.forMember("alice"), all.forMember("bob")];
  const nothing = async () => {};
  for (const asked of [
    alice.transaction(nothing),
    bob.reading(nothing),
    bob.call("version", []),
    all.reading(nothing),
  ]) {
    const problem = await asked.catch((error: unknown) => error as StoreUnavailable);
    expect(problem).toBeInstanceOf(StoreUnavailable);
    const { message, hint } = problem as StoreUnavailable;
    expect(`${message} ${hint}`).not.toMatch(/127|somebody|secrets|ECONN/);
  }
  // Once, not for every request.
  expect(logged).toEqual([expect.stringContaining("127.0.0.1:1 cannot be reached")]);
  await store.close();
});
