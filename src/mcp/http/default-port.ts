// The port of `serve --http` if none is named and it is free. Used by http.ts and
// the commands.
export const DEFAULT_PORT = 4127;
