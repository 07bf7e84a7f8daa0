// The front door of files/: what other rooms may use of it.
export {
  AT_ONCE,
  checkWritable,
  contentHash,
  discard,
  makeFolder,
  publish,
  putInPlace,
  removeEmptyFolder,
  removeFile,
  replaceFile,
  syncFolder,
  syncFolders,
  temporaryName,
  writeTemporary,
} from "./atomic.ts";
export { createWhole } from "./create-whole.ts";
export { openOnDesktop } from "./desktop.ts";
export { floatOfInode, identityAt, identityOf, isSameFile, millisecondsOf } from "./file-identity.ts";
export { foldersOf, type Folders } from "./folders.ts";
export { holdFolders, type HeldRoot } from "./held-root.ts";
export { checkNewNames } from "./new-names.ts";
export {
  FileTooLarge,
  MOST_FILE_BYTES,
  copyTo,
  createNew,
  isNoFile,
  megabytes,
  openFolder,
  openForAppending,
  openForReading,
  openForSyncing,
  piecesOf,
  readBeginning,
  readBytes,
  readText,
} from "./open-file.ts";
export {
  closeToOthers,
  createOwnFile,
  makeOwnFolder,
  makeOwnTemporaryFolder,
  openOwnFileForAppending,
  tightenFiles,
  tightenFolders,
  writeOwnFile,
} from "./own-files.ts";
export { changeInReal, listReal, makeInReal, readReal, realPath } from "./real-path.ts";
export { FailedCall, asProblem, codeOf, isSystemError, mayPass } from "./refusals.ts";
export { sync, syncBeside } from "./sync.ts";
export { keptToken } from "./token.ts";
export { UnreadableFile, reasonOf } from "./unreadable.ts";
export {
  TRASH,
  below,
  comparable,
  isPortableName,
  isTemporaryName,
  nameOf,
  parentOf,
  parseEntryPath,
  parseFolderPath,
  parseNewPath,
  parseNotePath,
  parseVaultPath,
  type EntryPath,
  type VaultPath,
} from "./vault-path.ts";
export {
  UnreachablePath,
  openVaultRoot,
  type Content,
  type Entry,
  type EntryKind,
  type Located,
  type VaultRoot,
} from "./vault-root.ts";
export { walk, type WalkedEntry } from "./walk.ts";
