// Members, spaces and who is in which; and people who come through a server: how they
// prove who they are, and what the servers share about them, so that any server answers
// any request. A part of version-1.ts.
//
// - member: a person. `login` is the database login that is this person; null for
//   people who come through a server
// - space: what is shared among its members; a person's own, or a team's
// - membership: who may read (reader), add (writer) and decide who else may (owner).
//   `from_groups`: the issuer put the member there, and takes it out again
// - space_state: `number` counts rows as they are added, so that a reader asks for
//   what is new; `epoch` changes whenever events are deleted, so that it forgets them
// - personal_token: a token that a member made for a program; its SHA-256 alone
// - identity: who a member is at an issuer of tokens (OpenID Connect). `groups_at`
//   is when the newest token that was seen was issued: an older one changes nothing
// - client_session: what an older client said about itself when it began
// - open_outline: the outline that a session has open. It goes with its session, and with
//   the membership, so that nothing is left of a space that the member is no longer in
// - request_count: the requests of a member in one minute. Not logged: a crash of
//   the database may forget it
// - ticket_key: keys with which servers sign addresses of files (src/mcp/http/members/
//   member-tickets.ts). A new one is made every day, so that a key in an old backup signs
//   nothing; the one before it is good for another day
//
// Policies ask functions in PL/pgSQL, which are planned once per
// connection: a function in SQL is planned again by each statement that calls it.
import { OTHER_VERSION, OWN_ERROR } from "../errors.ts";
import { ACCESS_ROLE, OWNER_ROLE, SAFE, SERVER_ROLE, withRowSecurity } from "./roles.ts";

export const MEMBERS = `
  CREATE TABLE member (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name <> ''),
    login text UNIQUE,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE space (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name <> ''),
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE membership (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('reader', 'writer', 'owner')),
    from_groups boolean NOT NULL DEFAULT false,
    PRIMARY KEY (space, member)
  );
  CREATE INDEX membership_member ON membership (member);
  CREATE TABLE space_state (
    space bigint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    number bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0
  );
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
  CREATE TABLE open_outline (
    session bytea PRIMARY KEY REFERENCES client_session ON DELETE CASCADE,
    member bigint NOT NULL,
    space bigint NOT NULL,
    path text NOT NULL CHECK (path <> ''),
    FOREIGN KEY (space, member) REFERENCES membership (space, member) ON DELETE CASCADE
  );
  CREATE INDEX open_outline_space ON open_outline (space, member);
  CREATE UNLOGGED TABLE request_count (
    member bigint PRIMARY KEY,
    minute timestamptz NOT NULL,
    requests integer NOT NULL
  );
  CREATE TABLE ticket_key (
    key bytea PRIMARY KEY CHECK (length(key) = 32),
    created timestamptz NOT NULL DEFAULT clock_timestamp()
  );

  -- A server works for the member that it names, and for nobody else: not for its own login either.
  CREATE FUNCTION current_member() RETURNS bigint LANGUAGE plpgsql STABLE ${SAFE} AS $$
  DECLARE
    named text := coalesce(current_setting('commonplace.member', true), '');
  BEGIN
    IF named <> '' AND pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER') THEN
      RETURN (SELECT id FROM member WHERE name = named);
    END IF;
    RETURN (SELECT id FROM member WHERE login = session_user);
  END $$;
  CREATE FUNCTION spaces_as(at_least text) RETURNS SETOF bigint LANGUAGE plpgsql STABLE ${SAFE} AS $$
  DECLARE
    own bigint := current_member();
  BEGIN
    RETURN QUERY SELECT space FROM membership WHERE member = own
      AND (role = 'owner' OR at_least = 'reader' OR role = at_least);
  END $$;
  -- The settings of a transaction that reads, in one call; they end with the transaction (src/shared/reading.ts).
  CREATE FUNCTION begin_reading(of_member text, known integer) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    done text;
  BEGIN
    -- As one expression each, which needs no plan.
    done := pg_catalog.set_config('transaction_read_only', 'on', true);
    done := pg_catalog.set_config('role', '${ACCESS_ROLE}', true);
    done := pg_catalog.set_config('commonplace.member', of_member, true);
    IF known OPERATOR(pg_catalog.<>) commonplace.version() THEN
      RAISE EXCEPTION USING MESSAGE = 'This store has another version.', ERRCODE = '${OTHER_VERSION}';
    END IF;
    RETURN true;
  END $$;
  -- Differs in a store that was restored from a backup, or is another server's after a failover: numbers do not go on there.
  CREATE FUNCTION store_epoch() RETURNS text LANGUAGE plpgsql STABLE ${SAFE} AS $$
  BEGIN
    RETURN concat_ws('.', (pg_control_system()).system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      'file_feed'::regclass::oid, pg_relation_filenode('file_feed'::regclass));
  END $$;

  CREATE FUNCTION refuse(message text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION USING MESSAGE = message, ERRCODE = '${OWN_ERROR}';
  END $$;
  CREATE FUNCTION create_space(called text, OUT made bigint) LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF current_member() IS NULL THEN PERFORM refuse('You are no member of this store.'); END IF;
    IF EXISTS (SELECT 1 FROM space WHERE name = called) THEN
      PERFORM refuse('There is a space of that name already.');
    END IF;
    INSERT INTO space (name) VALUES (called) RETURNING id INTO made;
    INSERT INTO space_state (space) VALUES (made);
    INSERT INTO membership VALUES (made, current_member(), 'owner');
  END $$;
  CREATE FUNCTION set_role(of_space bigint, called text, as_role text) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    whom bigint;
  BEGIN
    PERFORM check_owner(of_space);
    SELECT id INTO whom FROM member WHERE name = called;
    IF whom IS NULL THEN PERFORM refuse('There is no member of that name in this store.'); END IF;
    INSERT INTO membership VALUES (of_space, whom, as_role)
      ON CONFLICT (space, member) DO UPDATE SET role = as_role;
    PERFORM check_ownership(of_space);
  END $$;
  CREATE FUNCTION end_membership(of_space bigint, called text) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    whom bigint;
  BEGIN
    SELECT id INTO whom FROM member WHERE name = called;
    IF whom IS DISTINCT FROM current_member() THEN PERFORM check_owner(of_space); END IF;
    PERFORM 1 FROM space WHERE id = of_space FOR UPDATE;
    DELETE FROM membership WHERE space = of_space AND member = whom;
    -- A second attempt, after the answer to the first was lost.
    IF NOT FOUND THEN RETURN; END IF;
    -- Nobody could read what is left.
    IF NOT EXISTS (SELECT 1 FROM membership WHERE space = of_space) THEN DELETE FROM space WHERE id = of_space;
    ELSE PERFORM check_ownership(of_space);
    END IF;
  END $$;
  CREATE FUNCTION check_owner(of_space bigint) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('owner')) THEN
      PERFORM refuse('Only an owner of the space may do this.');
    END IF;
    -- One change of members at a time: two owners could remove each other.
    PERFORM 1 FROM space WHERE id = of_space FOR UPDATE;
  END $$;
  CREATE FUNCTION check_ownership(of_space bigint) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM membership WHERE space = of_space AND role = 'owner') THEN
      PERFORM refuse('The space would have no owner: make another member its owner first.');
    END IF;
  END $$;
  -- Locks the space until the transaction ends, so that numbers become visible in their order.
  CREATE FUNCTION take_numbers(of_space bigint, amount integer) RETURNS bigint LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    last bigint;
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('writer')) THEN
      PERFORM refuse('You may not add anything to this space.');
    END IF;
    UPDATE space_state SET number = number + amount WHERE space = of_space RETURNING number INTO last;
    RETURN last - amount;
  END $$;

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
  -- each member's text is made as that member. What open pages ask every few seconds is one question for all of them.
  CREATE FUNCTION newest_changes(names text[], tokens bytea[]) RETURNS TABLE (place integer, changes text)
    LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
  BEGIN
    PERFORM check_server();
    FOR place IN 1 .. cardinality(names) LOOP
      changes := NULL;
      IF tokens[place] IS NULL OR member_of_token(tokens[place]) = names[place] THEN
        PERFORM set_config('commonplace.member', names[place], true);
        -- Without memory, which the page does not show: every call of an assistant adds to it.
        SELECT string_agg(concat_ws(' ', own.space, own.role, files.number, (
            SELECT number FROM conversation_feed AS feed WHERE feed.space = own.space ORDER BY number DESC LIMIT 1
          )), ', ' ORDER BY own.space) INTO changes
        FROM membership AS own LEFT JOIN file_state AS files ON files.space = own.space
        WHERE own.member = current_member();
      END IF;
      RETURN NEXT;
    END LOOP;
    PERFORM set_config('commonplace.member', '', true);
  END $$;

  ${withRowSecurity([
    "member",
    "space",
    "membership",
    "space_state",
    "personal_token",
    "identity",
    "client_session",
    "open_outline",
    "request_count",
    "ticket_key",
  ])}
  ${["member", "space", "membership", "space_state", "personal_token", "identity", "request_count", "ticket_key"]
    .map((table) => `CREATE POLICY of_owner ON ${table} TO ${OWNER_ROLE} USING (true);`)
    .join("\n  ")}
  CREATE POLICY of_members ON space FOR SELECT TO ${ACCESS_ROLE} USING (id IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON space_state FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON membership FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON member FOR SELECT TO ${ACCESS_ROLE}
    USING (id = current_member() OR id IN (SELECT member FROM membership));
  CREATE POLICY of_its_member ON personal_token TO ${ACCESS_ROLE}
    USING (member = current_member()) WITH CHECK (member = current_member());
  CREATE POLICY of_its_member ON identity FOR SELECT TO ${ACCESS_ROLE} USING (member = current_member());
  CREATE POLICY of_its_member ON client_session TO ${ACCESS_ROLE}
    USING (member = current_member()) WITH CHECK (member = current_member());
  CREATE POLICY of_its_member ON open_outline TO ${ACCESS_ROLE}
    USING (member = current_member())
    WITH CHECK (
      member = current_member() AND space IN (SELECT spaces_as('reader')) AND session IN (SELECT id FROM client_session)
    );
  CREATE POLICY of_its_member ON request_count FOR SELECT TO ${ACCESS_ROLE} USING (member = current_member());

  GRANT USAGE ON SCHEMA commonplace TO ${ACCESS_ROLE};
  -- No policy shows a key of tickets to anybody.
  GRANT SELECT ON member, space, membership, space_state, identity, request_count, ticket_key TO ${ACCESS_ROLE};
  GRANT SELECT, INSERT, DELETE ON personal_token TO ${ACCESS_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON client_session, open_outline TO ${ACCESS_ROLE};`;

/** Functions that members may call. Only an administrator creates spaces: groups of an issuer are given them by name. */
export const MEMBER_FUNCTIONS = [
  "current_member()",
  "spaces_as(text)",
  "begin_reading(text, integer)",
  "store_epoch()",
  "set_role(bigint, text, text)",
  "end_membership(bigint, text)",
  "take_numbers(bigint, integer)",
  "check_server()",
  "member_of_token(bytea)",
  "spaces_of(text)",
  "member_of_identity(text, text, text, json, timestamptz)",
  "count_requests(integer)",
  "ticket_keys(bytea)",
  "newest_changes(text[], bytea[])",
];
