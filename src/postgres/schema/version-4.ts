// People who come through a server: how they prove who they are, and what the
// servers share about them, so that any server answers any request. Released
// versions are never changed: see versions.ts.
//
// - personal_token: a token that a member made for a program; its SHA-256 alone
// - identity: who a member is at an issuer of tokens (OpenID Connect). `groups_at`
//   is when the newest token that was seen was issued: an older one changes nothing
// - client_session: what an older client said about itself when it began
// - request_count: the requests of a member in one minute. Not logged: a crash of
//   the database may forget it
//
// membership.from_groups: the issuer put the member there, and takes it out again.
import { OWN_ERROR } from "../errors.ts";
import { ACCESS_ROLE, OWNER_ROLE, SERVER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

export const VERSION_4 = `
  ALTER TABLE membership ADD COLUMN from_groups boolean NOT NULL DEFAULT false;
  CREATE TABLE personal_token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    name text NOT NULL CHECK (name <> ''),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    used date,
    UNIQUE (member, name)
  );
  CREATE TABLE identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    groups_at timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (issuer, subject)
  );
  CREATE INDEX identity_member ON identity (member);
  CREATE TABLE client_session (
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    client text NOT NULL,
    used timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX client_session_member ON client_session (member, used);
  CREATE UNLOGGED TABLE request_count (
    member bigint PRIMARY KEY,
    minute timestamptz NOT NULL,
    requests integer NOT NULL
  );

  -- A server works for the member that it names, and for nobody else: not for its own login either.
  CREATE OR REPLACE FUNCTION current_member() RETURNS bigint LANGUAGE sql STABLE ${SAFE} AS $$
    SELECT CASE
      WHEN coalesce(current_setting('commonplace.member', true), '') <> ''
        AND pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER')
      THEN (SELECT id FROM member WHERE name = current_setting('commonplace.member', true))
      ELSE (SELECT id FROM member WHERE login = session_user)
    END
  $$;

  CREATE FUNCTION check_server() RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF NOT pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER') THEN
      RAISE EXCEPTION USING MESSAGE = 'Only a server may ask for this.', ERRCODE = '${OWN_ERROR}';
    END IF;
  END $$;
  -- The member whose token has this hash, or nothing. Its use is recorded by the day.
  CREATE FUNCTION member_of_token(given bytea) RETURNS text LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    found_token record;
  BEGIN
    PERFORM check_server();
    SELECT token.id, token.used, member.name INTO found_token
      FROM personal_token AS token JOIN member ON member.id = token.member
      WHERE token.hash = given AND token.expires > now();
    IF found_token.id IS NOT NULL AND found_token.used IS DISTINCT FROM current_date THEN
      UPDATE personal_token SET used = current_date WHERE id = found_token.id;
    END IF;
    RETURN found_token.name;
  END $$;
  -- The spaces of a member: [{"id": …, "name": …, "role": …}].
  CREATE FUNCTION spaces_of(called text) RETURNS json LANGUAGE plpgsql STABLE ${SAFE} AS $$
  BEGIN
    PERFORM check_server();
    RETURN (SELECT coalesce(json_agg(json_build_object('id', space.id, 'name', space.name, 'role', role) ORDER BY space.id), '[]')
      FROM membership JOIN space ON space.id = membership.space
      WHERE member = (SELECT id FROM member WHERE name = called));
  END $$;
  -- The member that an issuer calls so, with the memberships that its groups give: [{"space": …, "role": …}].
  -- Someone new becomes a member if their groups give any. Nothing for anybody else.
  CREATE FUNCTION member_of_identity(of_issuer text, of_subject text, called text, granted json, issued timestamptz)
    RETURNS text LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    known identity;
    found_name text;
  BEGIN
    PERFORM check_server();
    SELECT * INTO known FROM identity WHERE issuer = of_issuer AND subject = of_subject;
    IF known.member IS NULL THEN
      IF json_array_length(granted) = 0 THEN RETURN NULL; END IF;
      -- One newcomer at a time: several servers may see the same first token.
      PERFORM pg_advisory_xact_lock(4127002);
      SELECT * INTO known FROM identity WHERE issuer = of_issuer AND subject = of_subject;
      IF known.member IS NULL THEN
        IF EXISTS (SELECT 1 FROM member WHERE lower(name) = lower(called)) THEN
          PERFORM refuse('Another member has this name already.');
        END IF;
        WITH made AS (INSERT INTO member (name) VALUES (called) RETURNING id)
        INSERT INTO identity (issuer, subject, member) SELECT of_issuer, of_subject, id FROM made RETURNING * INTO known;
      END IF;
    END IF;
    -- What a member was given by an owner is not the issuer's to change.
    IF known.groups_at < issued OR (known.groups_at = issued AND EXISTS (
      SELECT 1 FROM json_to_recordset(granted) AS want (space text, role text) JOIN space ON space.name = want.space
        WHERE NOT EXISTS (SELECT 1 FROM membership WHERE membership.space = space.id
          AND member = known.member AND (NOT from_groups OR membership.role = want.role))
      UNION ALL
      SELECT 1 FROM membership JOIN space ON space.id = membership.space WHERE member = known.member AND from_groups
        AND NOT EXISTS (SELECT 1 FROM json_to_recordset(granted) AS want (space text, role text)
          WHERE want.space = space.name)
    )) THEN
      UPDATE identity SET groups_at = issued
        WHERE issuer = of_issuer AND subject = of_subject AND groups_at <= issued;
      IF FOUND THEN
        DELETE FROM membership WHERE member = known.member AND from_groups AND space NOT IN (
          SELECT space.id FROM json_to_recordset(granted) AS want (space text, role text)
            JOIN space ON space.name = want.space);
        INSERT INTO membership (space, member, role, from_groups)
          SELECT space.id, known.member, want.role, true
          FROM json_to_recordset(granted) AS want (space text, role text) JOIN space ON space.name = want.space
          ON CONFLICT (space, member) DO UPDATE SET role = excluded.role WHERE membership.from_groups;
      END IF;
    END IF;
    SELECT name INTO found_name FROM member WHERE id = known.member;
    RETURN found_name;
  END $$;
  -- Adds to the requests of the current minute. Old minutes are overwritten.
  CREATE FUNCTION count_requests(amount integer, OUT total integer, OUT seconds_left integer)
    LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    INSERT INTO request_count AS known VALUES (current_member(), date_trunc('minute', clock_timestamp()), amount)
      ON CONFLICT (member) DO UPDATE SET
        requests = CASE WHEN known.minute = excluded.minute THEN known.requests ELSE 0 END + amount,
        minute = excluded.minute
      RETURNING requests INTO total;
    seconds_left = 60 - floor(extract(second FROM clock_timestamp()))::integer;
  END $$;

  -- As its caller, for whom policies decide. One way to the database instead of three.
  CREATE FUNCTION add_event(of_space bigint, of_vault text, of_id text, of_line text) RETURNS void
    LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
  BEGIN
    -- A second attempt, after the answer to the first was lost.
    IF EXISTS (SELECT 1 FROM memory_event WHERE space = of_space AND vault = of_vault AND id = of_id) THEN RETURN; END IF;
    INSERT INTO memory_event (space, vault, id, number, line, member)
      VALUES (of_space, of_vault, of_id, take_numbers(of_space, 1) + 1, of_line, current_member())
      ON CONFLICT (space, vault, id) DO NOTHING;
  END $$;

  ALTER TABLE personal_token ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE identity ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE client_session ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE request_count ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_owner ON personal_token TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_owner ON identity TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_owner ON request_count TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_its_member ON personal_token TO ${ACCESS_ROLE}
    USING (member = current_member()) WITH CHECK (member = current_member());
  CREATE POLICY of_its_member ON identity FOR SELECT TO ${ACCESS_ROLE} USING (member = current_member());
  CREATE POLICY of_its_member ON client_session TO ${ACCESS_ROLE}
    USING (member = current_member()) WITH CHECK (member = current_member());
  CREATE POLICY of_its_member ON request_count FOR SELECT TO ${ACCESS_ROLE} USING (member = current_member());

  REVOKE ALL ON FUNCTION check_server(), member_of_token(bytea), spaces_of(text),
    member_of_identity(text, text, text, json, timestamptz), count_requests(integer), add_event(bigint, text, text, text)
    FROM PUBLIC;
  -- Who runs the store creates spaces: their names say who is where, and groups of an issuer are given spaces by name.
  REVOKE EXECUTE ON FUNCTION create_space(text) FROM ${ACCESS_ROLE};
  GRANT SELECT, INSERT, DELETE ON personal_token TO ${ACCESS_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON client_session TO ${ACCESS_ROLE};
  GRANT SELECT ON identity, request_count TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION check_server(), member_of_token(bytea), spaces_of(text),
    member_of_identity(text, text, text, json, timestamptz), count_requests(integer), add_event(bigint, text, text, text)
    TO ${ACCESS_ROLE};`;
