// The front door of files/: what other rooms may use of it.
export {
  AT_ONCE,
  checkWritable,
  contentHash,
  contentHashOf,
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
} from "./disk/atomic.ts";
export { makeFolders } from "./disk/make-folders.ts";
export {
  DEFLATED,
  DESCRIPTOR,
  directoryEnd,
  directoryPlace,
  ENCRYPTED,
  MAX_END_LENGTH,
  STORED,
  zipEntries,
  type ZipEntry,
} from "./archives/zip-directory.ts";
export { createWhole, replaceWhole } from "./own/create-whole.ts";
export { openOnDesktop } from "./desktop.ts";
export { floatOfInode, identityAt, identityOf, isSameFile, millisecondsOf } from "./disk/file-identity.ts";
export { foldersOf, type Folders } from "./own/own-folders.ts";
export { holdFolders, type HeldRoot } from "./vault/held-root.ts";
export { accessRules, matcherOf, NO_RULES, type AccessRules, type ReadOnly } from "./vault/access-rules.ts";
export { outOfReach, visibleFiles } from "./vault/visible-files.ts";
export { checkNewNames } from "./vault/new-names.ts";
export {
  FileTooLarge,
  MAX_FILE_BYTES,
  copyTo,
  createNew,
  isNoFile,
  megabytes,
  openFolder,
  openForAppending,
  openForOverwriting,
  openForReading,
  openForSyncing,
  piecesOf,
  readBeginning,
  readBytes,
  readPart,
  readText,
} from "./disk/open-file.ts";
export { openForWriting } from "./disk/open-writers.ts";
export {
  closeToOthers,
  createOwnFile,
  makeOwnFolder,
  makeOwnTemporaryFolder,
  openOwnFileForAppending,
  tightenFiles,
  tightenFolders,
  writeOwnFile,
} from "./own/own-files.ts";
export { changeInReal, listReal, makeInReal, readReal, realPath } from "./disk/real-path.ts";
export { FailedCall, FullDisk, asProblem, codeOf, isSystemError, mayPass } from "./disk/system-errors.ts";
export { sync, syncBeside } from "./disk/sync.ts";
export { keptToken } from "./own/token.ts";
export { UnreadableFile, reasonOf } from "./disk/unreadable-file.ts";
export {
  TRASH,
  below,
  comparable,
  isInTrash,
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
} from "./vault/vault-path.ts";
export {
  InvalidPath,
  UnreachablePath,
  type Content,
  type EntryKind,
  type FileStats,
  type ListedEntry,
  type ListOptions,
  type Located,
  type OpenedFile,
  type PlannableFiles,
  type StoredEntry,
  type StoredFiles,
} from "./vault/stored-files.ts";
export { folderFiles } from "./vault/folder-files.ts";
export { openVaultRoot, type CheckContent, type VaultRoot } from "./vault/vault-root.ts";
