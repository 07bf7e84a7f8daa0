// The front door of shared/: a shared store on PostgreSQL: connection, schema, members,
// files and feeds. Loaded only if a store is named; the client itself is a file of its own
// in the package.
export {
  admitMember,
  admitPerson,
  createStore,
  ensureSpace,
  linkMember,
  migrateStore,
  type Migrated,
} from "./administration.ts";
export {
  clientOfSession,
  endClientSession,
  keepClientSession,
  keepOpenedOutline,
  openedOutlineOf,
} from "./client-sessions.ts";
export { StoreProblem, StoreUnavailable } from "./errors.ts";
export { checkName, isName } from "./names.ts";
export { newestChanges, ticketKeys, type PageListener } from "./page-access.ts";
export {
  createToken,
  hashOfToken,
  isPersonalToken,
  listTokens,
  revokeToken,
  tokenHolder,
  type PersonalToken,
} from "./personal-tokens.ts";
export {
  checkServerLogin,
  countRequests,
  isServerLogin,
  memberNamed,
  memberOfIdentity,
  memberOfToken,
  memberOfTokenHash,
  schemaOf,
  type CountedRequests,
  type Entered,
  type Identity,
} from "./server-access.ts";
export {
  countFiles,
  listSpaces,
  ownName,
  removeMember,
  ROLES,
  setRole,
  spaceIdentity,
  spaceNamed,
  type Role,
  type Space,
  type SpaceFiles,
} from "./spaces.ts";
export { Standing } from "./standing.ts";
export {
  conversationFeed,
  type ChangedConversation,
  type ConversationFeed,
  type FedConversation,
} from "./conversation-feed.ts";
export { sharedSpace, type SharedSpace, type StoredEntryName } from "./space-files.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";
export type { Row, TaggedQuery } from "./tagged-query.ts";
export {
  countOwnRows,
  leaveSpace,
  ownConversation,
  ownConversationsNamed,
  shareAgain,
  unshare,
  unsharedAmong,
  unsharedConversation,
  unsharedProject,
  type OwnRows,
} from "./unsharing.ts";
export { NEWEST as NEWEST_STORE_VERSION } from "./schema/versions.ts";
