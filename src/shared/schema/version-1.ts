// The first version of the store's tables. Once it is released it is never changed: see
// versions.ts.
//
// The store holds what is true and nothing of search: every process feeds an index of its
// own. Every table has row-level security, forced: also for their owner. Policies ask
// current_member(), which is null for a connection that has not said who it is. Functions
// that must see more than their caller run as the owner, for whom members, spaces and
// their states have policies; nobody but its members sees data.
import { CONVERSATION_FUNCTIONS, CONVERSATIONS } from "./conversations.ts";
import { FILE_FUNCTIONS, FILES } from "./files.ts";
import { MEMBER_FUNCTIONS, MEMBERS } from "./members.ts";
import { ACCESS_ROLE } from "./roles.ts";

export const VERSION_1 = [
  MEMBERS,
  FILES,
  CONVERSATIONS,
  `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA commonplace FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${[...MEMBER_FUNCTIONS, ...FILE_FUNCTIONS, ...CONVERSATION_FUNCTIONS].join(", ")} TO ${ACCESS_ROLE};`,
].join("\n");
