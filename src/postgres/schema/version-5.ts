// What is asked most, made quicker. Released versions are never changed: see versions.ts.
//
// - What policies ask of every statement, and reading a file: a function in SQL is
//   planned again by each statement that calls it, one in PL/pgSQL once per connection.
//   A statement about two tables took 0.55 ms, and takes 0.31; as a function of its own,
//   0.25
// - conversation_text.tokens: most fit into their rows. Fetching them from elsewhere took
//   ten times as long as counting words in them
// - conversation.continues is looked up whenever a conversation is read
import { ACCESS_ROLE, SERVER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

export const VERSION_5 = `
  -- A server works for the member that it names, and for nobody else: not for its own login either.
  CREATE OR REPLACE FUNCTION current_member() RETURNS bigint LANGUAGE plpgsql STABLE ${SAFE} AS $$
  DECLARE
    named text := coalesce(current_setting('commonplace.member', true), '');
  BEGIN
    IF named <> '' AND pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER') THEN
      RETURN (SELECT id FROM member WHERE name = named);
    END IF;
    RETURN (SELECT id FROM member WHERE login = session_user);
  END $$;
  CREATE OR REPLACE FUNCTION spaces_as(at_least text) RETURNS SETOF bigint LANGUAGE plpgsql STABLE ${SAFE} AS $$
  DECLARE
    own bigint := current_member();
  BEGIN
    RETURN QUERY SELECT space FROM membership WHERE member = own
      AND (role = 'owner' OR at_least = 'reader' OR role = at_least);
  END $$;

  -- As its caller, for whom policies decide. No row if the space is not theirs; one without a path if nothing is there.
  CREATE FUNCTION file_at(of_space text, of_key text, most bigint) RETURNS TABLE (path text, key text, kind text, id bigint,
    size bigint, version bigint, created double precision, modified double precision, hash text, bytes bytea)
    LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN QUERY
      SELECT file.path, file.key::text, file.kind, file.id, file.size, file.version, file.created, file.modified, file.hash,
        CASE WHEN file.size <= most THEN file.bytes END
      FROM space LEFT JOIN file ON file.space = space.id AND file.key = of_key WHERE space.name = of_space;
  END $$;
  ALTER TABLE conversation_text SET (toast_tuple_target = 8160);
  -- Nobody is a member who migrates, so that policies would show no row. They are in force again before anybody else looks.
  ALTER TABLE conversation_text NO FORCE ROW LEVEL SECURITY;
  UPDATE conversation_text SET tokens = setweight(tokens, 'D');
  ALTER TABLE conversation_text FORCE ROW LEVEL SECURITY;
  CREATE INDEX conversation_text_titles ON conversation_text USING gin (tokens) WITH (fastupdate = off) WHERE kind = 'title';
  CREATE INDEX conversation_continues ON conversation (continues) WHERE continues IS NOT NULL;

  REVOKE ALL ON FUNCTION file_at(text, text, bigint) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION file_at(text, text, bigint) TO ${ACCESS_ROLE};`;
