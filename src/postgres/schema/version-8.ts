// The feed of the files of a space: which of them have changed after a number, so that
// every process keeps an index of its own (src/vault/note-index/kept-space.ts).
//
// - file_feed: the number of the last change of each file; that of a file which is gone
//   stays, without its name
//
// Triggers write it, so that it has every change that a member makes, however that is
// done. The number is that of the space (file_state), taken under the lock of that row in the
// transaction that changes the file: who sees a number sees everything up to it.
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

export const VERSION_8 = `
  CREATE TABLE file_feed (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    file bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (space, file)
  );
  CREATE INDEX file_feed_number ON file_feed (space, number);

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
  CREATE FUNCTION file_added() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM feed_files(array_agg(space), array_agg(id)) FROM added WHERE kind = 'file' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE FUNCTION file_removed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM feed_files(array_agg(space), array_agg(id)) FROM removed WHERE kind = 'file' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER file_added AFTER INSERT ON file
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_added();
  CREATE TRIGGER file_removed AFTER DELETE ON file
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION file_removed();
  CREATE TRIGGER file_changed AFTER UPDATE ON file
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_added();

  -- Differs in a store that was restored from a backup, or is another server's after a failover: numbers do not go on there.
  CREATE FUNCTION store_epoch() RETURNS text LANGUAGE plpgsql STABLE ${SAFE} AS $$
  BEGIN
    RETURN concat_ws('.', (pg_control_system()).system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      'file_feed'::regclass::oid, pg_relation_filenode('file_feed'::regclass));
  END $$;
  -- As its caller, for whom policies decide: [number of the space, what no other space ever was, number of the newest
  -- change]; null if the space is not theirs.
  CREATE FUNCTION standing_in(of_space text) RETURNS json LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN (
      SELECT json_build_array(space.id, concat_ws(' ', space.id, extract(epoch FROM space.created), store_epoch()),
        coalesce(number, 0))
      FROM space LEFT JOIN file_state ON file_state.space = space.id WHERE name = of_space
    );
  END $$;

  -- As its caller, for whom policies decide: by key, the texts of the files that have no more bytes; null if one of them
  -- is no text. As texts they are half as long as in hexadecimal.
  CREATE FUNCTION read_texts(of_space bigint, keys text[], most bigint) RETURNS json
    LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN (SELECT coalesce(json_object_agg(key, convert_from(bytes, 'UTF8')), '{}') FROM file
      WHERE space = of_space AND key = ANY(keys) AND kind = 'file' AND size <= most);
  EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN NULL;
  END $$;

  ALTER TABLE file_feed ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_owner ON file_feed TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('reader')));
  CREATE POLICY read_by_members ON file_feed FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));

  REVOKE ALL ON FUNCTION feed_files(bigint[], bigint[]), file_added(), file_removed(), store_epoch(), standing_in(text),
    read_texts(bigint, text[], bigint)
    FROM PUBLIC;
  GRANT SELECT ON file_feed TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION store_epoch(), standing_in(text), read_texts(bigint, text[], bigint) TO ${ACCESS_ROLE};`;
