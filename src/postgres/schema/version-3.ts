// The third version of the store's tables: the files of a space, and their
// journal. Released versions are never changed: see versions.ts.
//
// - file: a file or folder. `key` is its path as paths are compared (NFC), `folder`
//   the key of the folder that it is in, '' for the top; `version` is the number of
//   the change that wrote its bytes, `member` who changed it last
// - file_change: the journal, as src/journal/entries.ts has it; numbers grow with
//   time. `nonce` is by which a process finds out whether its change was committed
// - file_state: the number of the newest change of a space; who locks this row
//   changes its files
//
// Files belong to their space: writers may change each other's, every change is
// recorded with its member, and entries are never changed but for whether they are
// undone. Only owners delete entries that are younger than their retention.
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

const TABLES = ["file", "file_change", "file_state"];

export const VERSION_3 = `
  CREATE TABLE file_state (
    space bigint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    number bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE file (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    path text NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (key <> ''),
    folder text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('file', 'folder')),
    hash text,
    size bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL,
    created double precision NOT NULL,
    modified double precision NOT NULL,
    member bigint REFERENCES member ON DELETE SET NULL,
    bytes bytea,
    UNIQUE (space, key),
    CHECK ((kind = 'file') = (bytes IS NOT NULL)),
    CHECK ((kind = 'file') = (hash IS NOT NULL))
  );
  CREATE INDEX file_folder ON file (space, folder);
  CREATE INDEX file_member ON file (member);
  CREATE TABLE file_change (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    number bigint NOT NULL,
    nonce text NOT NULL,
    time double precision NOT NULL,
    member bigint REFERENCES member ON DELETE SET NULL,
    tool text NOT NULL,
    message text NOT NULL,
    origin bigint,
    latest bigint,
    undone boolean NOT NULL DEFAULT false,
    actions text NOT NULL,
    removed bytea NOT NULL,
    asker text,
    PRIMARY KEY (space, number),
    UNIQUE (space, nonce)
  );
  CREATE INDEX file_change_member ON file_change (member);

  -- Locks the files of a space until the transaction ends, and gives the number of the change.
  CREATE FUNCTION begin_file_change(of_space bigint) RETURNS bigint LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    given bigint;
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('writer')) THEN
      PERFORM refuse('You may not change the files of this space. Nothing was changed.');
    END IF;
    INSERT INTO file_state (space) VALUES (of_space) ON CONFLICT DO NOTHING;
    UPDATE file_state SET number = greatest(number + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      WHERE space = of_space RETURNING number INTO given;
    RETURN given;
  END $$;

  ${TABLES.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`).join("\n  ")}
  -- For functions, which work for one member: the owner by itself is none, and sees nothing.
  CREATE POLICY of_owner ON file_state TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('reader')));
  ${TABLES.map((table) => `CREATE POLICY read_by_members ON ${table} FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));`).join("\n  ")}
  CREATE POLICY added_by_writers ON file FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY changed_by_writers ON file FOR UPDATE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('writer')))
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY deleted_by_writers ON file FOR DELETE TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('writer')));
  CREATE POLICY added_by_writers ON file_change FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY undone_by_writers ON file_change FOR UPDATE TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('writer')));
  CREATE POLICY trimmed_by_writers ON file_change FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('owner')) OR (space IN (SELECT spaces_as('writer'))
      AND time < extract(epoch FROM now() - interval '30 days') * 1000));

  REVOKE ALL ON FUNCTION begin_file_change(bigint) FROM PUBLIC;
  GRANT SELECT ON file, file_change, file_state TO ${ACCESS_ROLE};
  GRANT INSERT, UPDATE, DELETE ON file TO ${ACCESS_ROLE};
  GRANT INSERT, DELETE ON file_change TO ${ACCESS_ROLE};
  GRANT UPDATE (undone, latest) ON file_change TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION begin_file_change(bigint) TO ${ACCESS_ROLE};`;
