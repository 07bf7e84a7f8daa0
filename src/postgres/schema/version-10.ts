// What members have taken back stays away, and files have a path, a size and times
// that every machine can use. Released versions are never changed: see versions.ts.
//
// - unshared: which conversations and projects a member does not share with a space any
//   more, so that no other machine of theirs pushes them again. Only a hash of their names
//   is kept (src/postgres/unsharing.ts), and only its member sees it
//
// A member with a login of the database can add rows to `file` without this program. A
// time that is no number, or a path that leads out of the space, would stop the tools
// of everybody else in the space.
import { ACCESS_ROLE } from "./roles.ts";

/** Times that a date in JavaScript can have, in milliseconds. */
const TIMES = "BETWEEN -8.64e15 AND 8.64e15";
/** An empty name in a path, or one that means a folder. */
const NO_NAME = "'(^|/)[.]{0,2}(/|$)'";

export const VERSION_10 = `
  CREATE TABLE unshared (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    name bytea NOT NULL CHECK (length(name) = 32),
    PRIMARY KEY (space, member, name)
  );
  CREATE INDEX unshared_member ON unshared (member);
  ALTER TABLE unshared ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_their_member ON unshared TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('reader')));
  GRANT SELECT, INSERT, DELETE ON unshared TO ${ACCESS_ROLE};

  -- Who migrates sees the files only for these statements, which change none that this program has written.
  ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
  UPDATE file SET created = 0 WHERE NOT created ${TIMES};
  UPDATE file SET modified = 0 WHERE NOT modified ${TIMES};
  UPDATE file SET size = coalesce(octet_length(bytes), 0) WHERE size <> coalesce(octet_length(bytes), 0);
  ALTER TABLE file FORCE ROW LEVEL SECURITY;
  ALTER TABLE file
    ADD CONSTRAINT file_times CHECK (created ${TIMES} AND modified ${TIMES}),
    ADD CONSTRAINT file_size CHECK (size = coalesce(octet_length(bytes), 0)),
    -- What is there already stays, and is skipped by an export.
    ADD CONSTRAINT file_path CHECK (path !~ ${NO_NAME} AND key !~ ${NO_NAME}) NOT VALID;`;
