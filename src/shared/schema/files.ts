// The files of a space, their journal, and the feed from which every process keeps an
// index of its own (src/vault/note-index/kept-space.ts). A part of version-1.ts.
//
// - file: a file or folder. `key` is its path as paths are compared (NFC), `folder`
//   the key of the folder that it is in, '' for the top; `version` is the number of
//   the change that wrote its bytes, `member` who changed it last
// - file_change: the journal, as src/journal/entries.ts has it; numbers grow with
//   time. `nonce` is by which a process finds out whether its change was committed
// - file_state: the number of the newest change of a space; who locks this row
//   changes its files
// - file_feed: the number of the last change of each file; that of a file which is gone
//   stays, without its name
//
// Files belong to their space: writers may change each other's, every change is
// recorded with its member, and entries are never changed but for whether they are
// undone. They are kept for 30 days and up to 500 MB, as those of a folder are
// (src/journal/open-journal.ts), by the clock of the database; only owners delete
// younger ones.
//
// A member with a login of the database can add rows without this program. A time that is
// no number, or a path that leads out of the space, would stop the tools of everybody else
// in the space; and triggers write the feed, so that it has every change, however it is
// made. Its number is that of the space, taken under the lock of that row in the
// transaction that changes the file: who sees a number sees everything up to it.
import { ACCESS_ROLE, ofSpaces, ownerActsFor, SAFE } from "./roles.ts";

/** Times that a date in JavaScript can have, in milliseconds. */
const TIMES = "BETWEEN -8.64e15 AND 8.64e15";
/** An empty name in a path, or one that means a folder. */
const NO_NAME = "'(^|/)[.]{0,2}(/|$)'";

/** Of the changes of a space. */
const DAYS = 30;
const MAX_BYTES = 500 * 1024 * 1024;

/** Two lists of paths, each null if it is empty: a third quicker than a list of pairs. */
const FILES_AND_FOLDERS =
  "json_build_array(json_agg(path) FILTER (WHERE kind = 'file'), json_agg(path) FILTER (WHERE kind = 'folder'))";

/** Encodes a file: its facts, a line feed, then its bytes unless they are too many. */
const answer = (isText: boolean, encoded: string) => `
        SELECT json_build_array(space, ${isText}, path, kind, id, size, version, created, modified, hash)::text
          || E'\\n' || coalesce(${encoded}, '') INTO answer FROM file WHERE space = own AND key = of_key;`;

const BYTES = "CASE WHEN size <= most THEN bytes END";

export const FILES = `
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
    CHECK ((kind = 'file') = (hash IS NOT NULL)),
    CONSTRAINT file_times CHECK (created ${TIMES} AND modified ${TIMES}),
    CONSTRAINT file_size CHECK (size = coalesce(octet_length(bytes), 0)),
    CONSTRAINT file_path CHECK (path !~ ${NO_NAME} AND key !~ ${NO_NAME})
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
  CREATE TABLE file_feed (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    file bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (space, file)
  );
  CREATE INDEX file_feed_number ON file_feed (space, number);

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
  -- Deletes the oldest changes beyond what is kept, a few at a time. Their numbers are milliseconds.
  CREATE FUNCTION trim_file_changes(of_space bigint) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('writer')) THEN RETURN; END IF;
    DELETE FROM file_change WHERE space = of_space AND number IN (
      SELECT number FROM file_change
        WHERE space = of_space AND number < extract(epoch FROM now() - interval '${DAYS} days') * 1000
        ORDER BY number LIMIT 200);
    DELETE FROM file_change WHERE space = of_space AND number IN (
      SELECT number FROM (
        SELECT number, sum(octet_length(removed) + octet_length(actions)) OVER (ORDER BY number DESC) AS bytes
        FROM file_change WHERE space = of_space
      ) AS counted WHERE bytes > ${MAX_BYTES} ORDER BY number LIMIT 200);
  END $$;

  CREATE FUNCTION feed_files(of_space bigint[], files bigint[]) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    own bigint;
    given bigint;
  BEGIN
    -- The files of a space that is deleted go with it.
    FOR own IN SELECT DISTINCT space.id FROM unnest(of_space) AS changed (id) JOIN space USING (id)
      WHERE space.id IN (SELECT spaces_as('reader')) ORDER BY space.id
    LOOP
      -- A transaction takes one number, and may have taken it before it changed a file.
      SELECT number INTO given FROM file_state WHERE space = own AND xmin = pg_current_xact_id()::xid;
      IF given IS NULL THEN
        INSERT INTO file_state AS known (space, number) VALUES (own, floor(extract(epoch FROM clock_timestamp()) * 1000))
          ON CONFLICT (space) DO UPDATE SET number = greatest(known.number + 1, excluded.number)
          RETURNING number INTO given;
      END IF;
      INSERT INTO file_feed (space, file, number)
        SELECT own, file, given FROM unnest(of_space, files) AS changed (of, file) WHERE of = own
        ON CONFLICT (space, file) DO UPDATE SET number = excluded.number;
    END LOOP;
  END $$;
  CREATE FUNCTION file_changed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM feed_files(array_agg(space), array_agg(id)) FROM changed WHERE kind = 'file' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER file_added AFTER INSERT ON file
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION file_changed();
  CREATE TRIGGER file_removed AFTER DELETE ON file
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION file_changed();
  CREATE TRIGGER file_changed AFTER UPDATE ON file
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION file_changed();

  -- All that follow work as their caller, for whom policies decide.
  -- [number of the space, what no other space ever was, number of the newest change]; null if the space is not theirs.
  CREATE FUNCTION standing_in(of_space text) RETURNS json LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN (
      SELECT json_build_array(space.id, concat_ws(' ', space.id, extract(epoch FROM space.created), store_epoch()),
        coalesce(number, 0))
      FROM space LEFT JOIN file_state ON file_state.space = space.id WHERE name = of_space
    );
  END $$;
  -- The files and folders of a space, or of one of its folders; null if the space is not theirs. By an index, and with a
  -- plan that is kept, whatever the planner thinks: it may have been made when the table had few rows.
  CREATE FUNCTION files_below(of_space text, of_key text, is_direct boolean) RETURNS json
    LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp SET enable_seqscan = off SET jit = off
    SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    own bigint;
    entries json;
  BEGIN
    SELECT id INTO own FROM space WHERE name = of_space;
    IF own IS NULL THEN RETURN NULL; END IF;
    IF is_direct THEN
      SELECT ${FILES_AND_FOLDERS} INTO entries FROM file WHERE space = own AND folder = of_key;
    ELSIF of_key = '' THEN
      SELECT ${FILES_AND_FOLDERS} INTO entries FROM file WHERE space = own;
    ELSE
      SELECT ${FILES_AND_FOLDERS} INTO entries FROM file
        WHERE space = own AND key > of_key || '/' AND key < of_key || '0';
    END IF;
    RETURN entries;
  END $$;
  -- A file as one text: bytes are sent in hexadecimal, twice as many, and the database sends 8 kB at a time. The number
  -- that the space is known to have saves asking for it: numbers are not used again, and who is not in the space finds
  -- nothing by it. Null if the space is not theirs, [number] if nothing is there.
  CREATE FUNCTION read_file(of_space text, known bigint, of_key text, most bigint) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  DECLARE
    own bigint := known;
    named bigint;
    answer text;
  BEGIN
    LOOP
      BEGIN${answer(true, `convert_from(${BYTES}, 'UTF8')`)}
      EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN${answer(false, `encode(${BYTES}, 'hex')`)}
      END;
      IF answer IS NOT NULL THEN RETURN answer; END IF;
      SELECT id INTO named FROM space WHERE name = of_space;
      IF named IS NULL THEN RETURN NULL; END IF;
      IF named = own THEN RETURN json_build_array(own); END IF;
      own := named;
    END LOOP;
  END $$;
  -- By key, the texts of the files that have no more bytes; null if one of them is no text. As texts they are half as
  -- long as in hexadecimal.
  CREATE FUNCTION read_texts(of_space bigint, keys text[], most bigint) RETURNS json
    LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN (SELECT coalesce(json_object_agg(key, convert_from(bytes, 'UTF8')), '{}') FROM file
      WHERE space = of_space AND key = ANY(keys) AND kind = 'file' AND size <= most);
  EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN NULL;
  END $$;

  ${ofSpaces(["file", "file_change", "file_state", "file_feed"])}
  ${ownerActsFor(["file_state", "file_feed"])}
  ${ownerActsFor(["file_change"], "writer")}
  CREATE POLICY added_by_writers ON file FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY changed_by_writers ON file FOR UPDATE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('writer')))
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY deleted_by_writers ON file FOR DELETE TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('writer')));
  CREATE POLICY added_by_writers ON file_change FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY undone_by_writers ON file_change FOR UPDATE TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('writer')));
  CREATE POLICY deleted_by_owners ON file_change FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('owner')));

  GRANT SELECT ON file, file_change, file_state, file_feed TO ${ACCESS_ROLE};
  GRANT INSERT, UPDATE, DELETE ON file TO ${ACCESS_ROLE};
  GRANT INSERT, DELETE ON file_change TO ${ACCESS_ROLE};
  GRANT UPDATE (undone, latest) ON file_change TO ${ACCESS_ROLE};`;

export const FILE_FUNCTIONS = [
  "begin_file_change(bigint)",
  "trim_file_changes(bigint)",
  "standing_in(text)",
  "files_below(text, text, boolean)",
  "read_file(text, bigint, text, bigint)",
  "read_texts(bigint, text[], bigint)",
];
