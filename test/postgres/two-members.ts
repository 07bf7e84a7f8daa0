// A store with two members, alice and bob, and spaces that both write. Used by the
// tests of what members share.
import { admitMember, createStore, setRole, type Space, spaceNamed, type Store } from "../../src/shared/shared.ts";
import { SUPERUSER } from "./cluster.ts";
import { newDatabase, newSpaceOf, type TestDatabase } from "./store-fixture.ts";

export interface SharedTestSpace {
  readonly name: string;
  readonly space: Space;
  /** The store as its owner sees it. */
  readonly asAlice: Store;
  /** As a writer does. */
  readonly asBob: Store;
}

export interface TwoMembers {
  readonly database: TestDatabase;
  readonly admin: Store;
  /** The login of each. */
  readonly alice: string;
  readonly bob: string;
  /** A space of its own for each test, with both as members. */
  readonly newSpace: () => Promise<SharedTestSpace>;
}

export async function twoMembers(): Promise<TwoMembers> {
  const database = await newDatabase();
  const admin = database.open(SUPERUSER);
  await createStore(admin);
  const [alice, bob] = [await database.newLogin("alice"), await database.newLogin("bob")];
  await admitMember(admin, { name: "alice", login: alice });
  await admitMember(admin, { name: "bob", login: bob });
  let count = 0;
  const newSpace = async () => {
    const name = `space ${count++}`;
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    await newSpaceOf("alice", admin, name);
    const space = await spaceNamed(asAlice, name);
    await setRole(asAlice, space, "bob", "writer");
    return { name, space, asAlice, asBob };
  };
  return { database, admin, alice, bob, newSpace };
}
