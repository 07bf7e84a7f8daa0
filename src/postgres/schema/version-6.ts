// The outline that a member who comes through a server has open: the next call may
// reach another server. Released versions are never changed: see versions.ts.
//
// - open_outline: one for each member. It goes with the membership, so that nothing
//   is left of a space that the member is no longer in
import { ACCESS_ROLE } from "./roles.ts";

export const VERSION_6 = `
  CREATE TABLE open_outline (
    member bigint PRIMARY KEY,
    space bigint NOT NULL,
    path text NOT NULL CHECK (path <> ''),
    FOREIGN KEY (space, member) REFERENCES membership (space, member) ON DELETE CASCADE
  );
  CREATE INDEX open_outline_space ON open_outline (space, member);

  ALTER TABLE open_outline ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_its_member ON open_outline TO ${ACCESS_ROLE}
    USING (member = current_member())
    WITH CHECK (member = current_member() AND space IN (SELECT spaces_as('reader')));
  GRANT SELECT, INSERT, UPDATE, DELETE ON open_outline TO ${ACCESS_ROLE};`;
