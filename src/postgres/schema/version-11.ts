// The page for members: what servers share to serve it. Released versions are never
// changed: see versions.ts.
//
// - ticket_key: keys with which servers sign addresses of files (src/mcp/http/members/
//   member-tickets.ts). A new one is made every day, so that a key in an old backup signs
//   nothing; the one before it is good for another day
//
// What open pages ask every few seconds is one question for all of them.
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

export const VERSION_11 = `
  CREATE TABLE ticket_key (
    key bytea PRIMARY KEY CHECK (length(key) = 32),
    created timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  -- The keys, the newest first. The candidate becomes the newest if that one is a day old.
  CREATE FUNCTION ticket_keys(candidate bytea) RETURNS SETOF bytea LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM check_server();
    IF NOT EXISTS (SELECT 1 FROM ticket_key WHERE created > now() - interval '1 day') THEN
      -- Several servers may find that out at the same moment.
      PERFORM pg_advisory_xact_lock(4127003);
      INSERT INTO ticket_key (key) SELECT candidate
        WHERE NOT EXISTS (SELECT 1 FROM ticket_key WHERE created > now() - interval '1 day');
      DELETE FROM ticket_key WHERE created < now() - interval '2 days';
    END IF;
    RETURN QUERY SELECT key FROM ticket_key ORDER BY created DESC;
  END $$;

  -- For each of several members, a text that differs after every change of what the page shows them; null for one that
  -- is in no space, or whose token (its hash; null for none) is no longer good. As its caller, for whom policies decide:
  -- each member's text is made as that member.
  CREATE FUNCTION newest_changes(names text[], tokens bytea[]) RETURNS TABLE (place integer, changes text)
    LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
  BEGIN
    PERFORM check_server();
    FOR place IN 1 .. cardinality(names) LOOP
      changes := NULL;
      IF tokens[place] IS NULL OR member_of_token(tokens[place]) = names[place] THEN
        PERFORM set_config('commonplace.member', names[place], true);
        -- Without memory, which the page does not show: every call of an assistant adds to it.
        SELECT string_agg(concat_ws(' ', own.space, own.role, files.number, said.texts, said.words), ', ' ORDER BY own.space)
          || coalesce((SELECT concat(' ', space, path) FROM open_outline), '') INTO changes
        FROM membership AS own
          LEFT JOIN file_state AS files ON files.space = own.space
          LEFT JOIN conversation_total AS said ON said.space = own.space
        WHERE own.member = current_member();
      END IF;
      RETURN NEXT;
    END LOOP;
    PERFORM set_config('commonplace.member', '', true);
  END $$;

  ALTER TABLE ticket_key ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_owner ON ticket_key TO ${OWNER_ROLE} USING (true);
  -- No policy shows anybody else a row.
  GRANT SELECT ON ticket_key TO ${ACCESS_ROLE};
  REVOKE ALL ON FUNCTION ticket_keys(bytea), newest_changes(text[], bytea[]) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ticket_keys(bytea), newest_changes(text[], bytea[]) TO ${ACCESS_ROLE};`;
