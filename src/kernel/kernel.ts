// The front door of kernel/: small things that every room needs.
export { byteCount } from "./text/byte-count.ts";
export { blockingPause } from "./blocking-pause.ts";
export { databaseUrl } from "./text/database-url.ts";
export { escapePattern } from "./text/escape-pattern.ts";
export { editDistance, forgivenErrors } from "./text/edit-distance.ts";
export { isRecord, parseJson } from "./json.ts";
export { isLoopback } from "./text/loopback.ts";
export { localDay } from "./text/local-day.ts";
export { log, type Log } from "./terminal/log.ts";
export { nearest, nearestFirst, nearestOrLonger, shortened } from "./text/nearest.ts";
export { folderIn, nameIn } from "./text/path-names.ts";
export { nodeCrypto } from "./node-crypto.ts";
export { once } from "./once.ts";
export { Previewed } from "./previewed.ts";
export { AlreadyExists, Ambiguous, Problem, type ProblemCode } from "./problem.ts";
export {
  CAPABILITIES,
  ENVELOPE_VERSIONS,
  MAX_CALLS_AT_ONCE,
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSIONS,
} from "./protocol.ts";
export { countIssuerKeys, IssuerFault, issuerKeysAddress } from "./issuer-metadata.ts";
export { isRunning } from "./running-process.ts";
export { hash32, mixed, quickHash } from "./text/quick-hash.ts";
export {
  ask,
  bold,
  canAsk,
  coloured,
  hasColour,
  inverse,
  isWatched,
  joined,
  multiline,
  print,
  printError,
  printJson,
  printPaged,
  printable,
  showStatus,
  type Printable,
} from "./terminal/terminal.ts";
export { estimateTokens } from "./text/tokens.ts";
export { finished, Turns, type Steps } from "./turns.ts";
export { operatingSystem, type OperatingSystem, type SystemFamily } from "./system/operating-system.ts";
export { mayRun, programOnPath } from "./system/program-on-path.ts";
export { systemFolders, type UserPlace } from "./system/system-folders.ts";
export { expandHome, isPortableName, isPossibleName, mountedPath, pathWithin } from "./system/system-paths.ts";
export { NAME, VERSION } from "./version.ts";
export { counted } from "./text/counted.ts";
