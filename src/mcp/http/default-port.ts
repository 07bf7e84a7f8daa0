// The port of `serve --http` where none is named and nothing else has it.
export const DEFAULT_PORT = 4127;
