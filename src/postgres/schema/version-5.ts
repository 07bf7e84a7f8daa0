// What policies ask of every statement, and reading a file, made quicker: a function
// in SQL is planned again by each statement that calls it, one in PL/pgSQL once per
// connection. A statement about two tables took 0.55 ms, and takes 0.31; as a function
// of its own, 0.25. Released versions are never changed: see versions.ts.
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
  REVOKE ALL ON FUNCTION file_at(text, text, bigint) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION file_at(text, text, bigint) TO ${ACCESS_ROLE};`;
