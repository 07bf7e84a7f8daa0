// What the program has to say beside its answers goes to standard error:
// over stdio, standard output belongs to the protocol.

export type Log = (message: string) => void;

export const log: Log = (message) => {
  process.stderr.write(`commonplace: ${message}\n`);
};
