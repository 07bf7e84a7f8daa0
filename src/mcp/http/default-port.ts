// The port of `serve --http` if none is named and it is free. Used by address.ts
// and the commands.
export const DEFAULT_PORT = 4127;
