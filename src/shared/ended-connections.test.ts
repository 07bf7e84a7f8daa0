// A database that ends connections when it has just accepted them, as one that is
// being stopped does.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreUnavailable } from "./errors.ts";
import { openStore } from "./store.ts";

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ACCEPTED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const ENDED = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"));

describe("a store whose database ends every connection in the packet that accepts it", () => {
  let connections = 0;
  const database = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      connections++;
      socket.end(Buffer.concat([ACCEPTED, READY, ENDED]));
    });
  });
  beforeAll(async () => {
    database.listen(0, "127.0.0.1");
    await once(database, "listening");
  });
  afterAll(() => database.close());

  it("cannot be used, and says so, and the program goes on", async () => {
    const { port } = database.address() as AddressInfo;
    const store = openStore({ address: `postgres://me@127.0.0.1:${port}/notes`, retryFor: 300 });
    for (const ask of [store.transaction, store.reading, store.asLogin])
      await expect(ask((sql) => sql`SELECT 1`)).rejects.toBeInstanceOf(StoreUnavailable);
    await store.close();
    expect(connections).toBeGreaterThanOrEqual(3);
  });
});
