// The socket of a connection to the database: what is asked at once is sent at once.
// The client writes each question by itself, and a write can take as long as a short
// question takes to be answered. (If the connection is encrypted, the client writes
// past it.) Used by store.ts.
import { Socket } from "node:net";

export function questionSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let isCollecting = false;
  socket.write = ((...given: Parameters<typeof write>) => {
    if (!isCollecting) {
      isCollecting = true;
      socket.cork();
      process.nextTick(() => {
        isCollecting = false;
        socket.uncork();
      });
    }
    return write(...given);
  }) as Socket["write"];
  return socket;
}
