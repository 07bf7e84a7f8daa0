// The first version of the store's tables: members, spaces, and the events of
// memory. Released versions are never changed: see versions.ts.
//
// - member: a person. `login` is the database login that is this person; null for
//   people who come through a server.
// - space: what is shared among its members; a person's own, or a team's
// - membership: who may read (reader), add (writer) and decide who else may (owner)
// - space_state: `number` counts rows as they are added, so that a reader asks for
//   what is new; `epoch` changes whenever rows are deleted, so that it forgets them
// - memory_event: events of memory, as their lines in the log; never changed
//
// Every table has row-level security, forced: also for their owner. Policies ask
// current_member(), which is null for a connection that has not said who it is.
// Functions that must see more than their caller run as the owner, for whom
// members, spaces and their states have policies; nobody but its members sees data.
import { ACCESS_ROLE, OWNER_ROLE, SERVER_ROLE } from "./roles.ts";
import { OWN_ERROR } from "../errors.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

export const VERSION_1 = `
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
    PRIMARY KEY (space, member)
  );
  CREATE INDEX membership_member ON membership (member);
  CREATE TABLE space_state (
    space bigint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    number bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE memory_event (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    vault text NOT NULL,
    id text NOT NULL,
    number bigint NOT NULL,
    line text NOT NULL,
    member bigint REFERENCES member ON DELETE SET NULL,
    pushed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (space, vault, id)
  );
  CREATE INDEX memory_event_number ON memory_event (space, vault, number);
  CREATE INDEX memory_event_member ON memory_event (member);

  CREATE FUNCTION current_member() RETURNS bigint LANGUAGE sql STABLE ${SAFE} AS $$
    SELECT coalesce(
      (SELECT id FROM member WHERE login = session_user),
      (SELECT id FROM member WHERE name = nullif(current_setting('commonplace.member', true), '')
        AND pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER'))
    )
  $$;
  CREATE FUNCTION spaces_as(at_least text) RETURNS SETOF bigint LANGUAGE sql STABLE ${SAFE} AS $$
    SELECT space FROM membership WHERE member = current_member()
      AND (role = 'owner' OR at_least = 'reader' OR role = at_least)
  $$;

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
  CREATE FUNCTION begin_epoch() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    UPDATE space_state SET epoch = epoch + 1 WHERE space IN (SELECT DISTINCT space FROM deleted);
    RETURN NULL;
  END $$;
  CREATE TRIGGER memory_event_deleted AFTER DELETE ON memory_event
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION begin_epoch();

  ALTER TABLE member ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE space ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE membership ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE space_state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ALTER TABLE memory_event ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

  CREATE POLICY of_owner ON member TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_owner ON space TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_owner ON membership TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_owner ON space_state TO ${OWNER_ROLE} USING (true);
  CREATE POLICY of_members ON space FOR SELECT TO ${ACCESS_ROLE} USING (id IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON space_state FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON membership FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY of_members ON member FOR SELECT TO ${ACCESS_ROLE}
    USING (id = current_member() OR id IN (SELECT member FROM membership));
  CREATE POLICY read_by_members ON memory_event FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY added_by_writers ON memory_event FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY deleted_by_their_member ON memory_event FOR DELETE TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('reader')));

  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA commonplace FROM PUBLIC;
  GRANT USAGE ON SCHEMA commonplace TO ${ACCESS_ROLE};
  GRANT SELECT ON member, space, membership, space_state, memory_event TO ${ACCESS_ROLE};
  GRANT INSERT, DELETE ON memory_event TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION current_member(), spaces_as(text), create_space(text), set_role(bigint, text, text),
    end_membership(bigint, text), take_numbers(bigint, integer) TO ${ACCESS_ROLE};`;
