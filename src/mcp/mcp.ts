// The front door of mcp/: the server over stdio and over HTTP. HTTP is loaded
// only when it is served: it would make every start over stdio slower.
import type { serveHttp as ServeHttp } from "./http/http.ts";
import type { serveMembers as ServeMembers } from "./http/members/members-http.ts";

export { DEFAULT_PORT } from "./http/default-port.ts";
export type { ImportLine } from "./http/archive-upload.ts";
export type { MediaAddress } from "./http/media.ts";
export { serveStdio } from "./stdio.ts";

export const serveHttp: typeof ServeHttp = async (...given) => (await import("./http/http.ts")).serveHttp(...given);
export const serveMembers: typeof ServeMembers = async (...given) =>
  (await import("./http/members/members-http.ts")).serveMembers(...given);
