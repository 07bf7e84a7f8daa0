// The socket of a connection to the database: what is asked at once is sent at once,
// and as one piece. The client writes each message by itself; a write can take as long
// as a short question takes to be answered, and one of many pieces longer than one of a
// single piece. (If the connection is encrypted, the client writes past it.) Used by
// store.ts.
import { Socket } from "node:net";

/** Bytes; copying more than that would take longer than it saves. */
const MAX_JOINED = 64 * 1024;

export function questionSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let pieces: Uint8Array[] = [];
  const send = () => {
    const all = pieces;
    pieces = [];
    const bytes = all.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= MAX_JOINED) return write(Buffer.concat(all, bytes));
    socket.cork();
    for (const piece of all) write(piece);
    socket.uncork();
    return true;
  };
  const collect = ((...given: Parameters<typeof write>) => {
    const [piece] = given;
    if (given.length === 1 && piece instanceof Uint8Array) {
      if (pieces.push(piece) === 1) process.nextTick(() => pieces.length > 0 && send());
      return true;
    }
    // A caller that waits for its write goes after what was written before.
    if (pieces.length > 0) send();
    return write(...given);
  }) as Socket["write"];
  // Not before: connecting takes away any other way of writing than a socket's own.
  return socket.once("connect", () => {
    socket.write = collect;
  });
}
