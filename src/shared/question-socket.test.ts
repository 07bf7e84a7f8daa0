import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { questionSocket } from "./question-socket.ts";

it("a connection sends what is written at once as one piece, and everything in its order", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const socket = questionSocket();
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  const received = buffer((await accepted)[0]);
  socket.write(Buffer.from("one "));
  socket.write(Buffer.from("two "));
  expect(socket.bytesWritten).toBe(0);
  await new Promise(setImmediate);
  expect(socket.bytesWritten).toBe(8);
  const long = Buffer.alloc(100_000, "x");
  socket.write(long);
  socket.write(Buffer.from("three "));
  // As the client does with its last message.
  socket.write(Buffer.from("end"), () => socket.end());
  expect((await received).toString()).toBe(`one two ${long.toString()}three end`);
  server.close();
});
