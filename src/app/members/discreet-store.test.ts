import { expect, it } from "vitest";
import { openStore, StoreUnavailable } from "../../postgres/postgres.ts";
import { discreetStore } from "./discreet-store.ts";

it("tells members nothing about a database that cannot be reached, and its log everything", async () => {
  const logged: string[] = [];
  // Nothing listens on port 1.
  const store = openStore({ address: "postgres://somebody@127.0.0.1:1/secrets?sslmode=disable", retryFor: 0 });
  const member = discreetStore(store, (text) => void logged.push(text)).forMember("alice");
  for (const ask of [member.transaction, member.reading]) {
    const problem = await ask(async () => {}).catch((error: unknown) => error as StoreUnavailable);
    expect(problem).toBeInstanceOf(StoreUnavailable);
    expect(`${problem!.message} ${problem!.hint}`).not.toMatch(/127|somebody|secrets|ECONN/);
  }
  expect(logged.join("\n")).toContain("127.0.0.1:1 cannot be reached");
  await store.close();
});
