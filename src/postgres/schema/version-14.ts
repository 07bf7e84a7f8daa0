// The outline that a session has open, instead of one for each member: what somebody
// opens on the page or with one client decides nothing for another. Released versions
// are never changed: see versions.ts.
//
// - open_outline: goes with its session, and with the membership, so that nothing is
//   left of a space that the member is no longer in
// - newest_changes: as in version 11, without the outline, which the page names itself
import { ACCESS_ROLE } from "./roles.ts";

export const VERSION_14 = `
  DROP TABLE open_outline;
  CREATE TABLE open_outline (
    session bytea PRIMARY KEY REFERENCES client_session ON DELETE CASCADE,
    member bigint NOT NULL,
    space bigint NOT NULL,
    path text NOT NULL CHECK (path <> ''),
    FOREIGN KEY (space, member) REFERENCES membership (space, member) ON DELETE CASCADE
  );
  CREATE INDEX open_outline_space ON open_outline (space, member);

  ALTER TABLE open_outline ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_its_member ON open_outline TO ${ACCESS_ROLE}
    USING (member = current_member())
    WITH CHECK (
      member = current_member() AND space IN (SELECT spaces_as('reader')) AND session IN (SELECT id FROM client_session)
    );
  GRANT SELECT, INSERT, UPDATE, DELETE ON open_outline TO ${ACCESS_ROLE};

  CREATE OR REPLACE FUNCTION newest_changes(names text[], tokens bytea[]) RETURNS TABLE (place integer, changes text)
    LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
  BEGIN
    PERFORM check_server();
    FOR place IN 1 .. cardinality(names) LOOP
      changes := NULL;
      IF tokens[place] IS NULL OR member_of_token(tokens[place]) = names[place] THEN
        PERFORM set_config('commonplace.member', names[place], true);
        -- Without memory, which the page does not show: every call of an assistant adds to it.
        SELECT string_agg(concat_ws(' ', own.space, own.role, files.number, said.texts, said.words), ', ' ORDER BY own.space)
          INTO changes
        FROM membership AS own
          LEFT JOIN file_state AS files ON files.space = own.space
          LEFT JOIN conversation_total AS said ON said.space = own.space
        WHERE own.member = current_member();
      END IF;
      RETURN NEXT;
    END LOOP;
    PERFORM set_config('commonplace.member', '', true);
  END $$;`;
