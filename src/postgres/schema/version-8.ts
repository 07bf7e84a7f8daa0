// The eighth version of the store's tables: the index of the notes of a space, so that
// no server has to build one. Released versions are never changed: see versions.ts.
//
// - note: what is known of a file; `ordinal` is its number in the tables below, `terms`
//   are the words by which it is found, with fingerprints of where they are, so that
//   only what changes is written
// - note_key: by what else it is found: names, tags, properties, links
// - note_place: in which notes of a block a word is, how often, and where
//   (src/search/postings/)
// - note_word: in how many notes of a space a word is, and how often
// - note_block: the lengths and times of the notes of a block
// - note_pdf: the text of a PDF file; without it a server has undertaken to read it
// - note_vector: what the passages of a note mean, by a model
// - note_state: counts what was indexed, so that what was read is read again only after
//   a change; who locks this row changes the index
// - note_waiting: the files that changed since they were indexed; `mark` grows with every
//   change, so that a change during the indexing is not taken for indexed
//
// The index is what writers say that files contain. So writers write it, and servers,
// which read the files themselves; readers with a login of their own do not.
import { ACCESS_ROLE, OWNER_ROLE, SERVER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

const WRITTEN = ["note", "note_key", "note_place", "note_word", "note_block", "note_pdf", "note_vector", "note_state"];
const TABLES = [...WRITTEN, "note_waiting"];

export const VERSION_8 = `
  CREATE TABLE note_state (
    space bigint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    number bigint NOT NULL DEFAULT 0,
    ordinals integer NOT NULL DEFAULT 0,
    texts bigint NOT NULL DEFAULT 0,
    words bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE note_waiting (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    file bigint NOT NULL,
    mark bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (space, file)
  );
  CREATE TABLE note (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    file bigint NOT NULL,
    ordinal integer NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    unread text,
    length integer NOT NULL,
    facts text NOT NULL,
    terms text NOT NULL,
    PRIMARY KEY (space, file),
    UNIQUE (space, ordinal)
  );
  CREATE INDEX note_number ON note (space, number);
  CREATE INDEX note_unread ON note (space) WHERE unread IS NOT NULL;
  CREATE INDEX note_of_pdf ON note (space, file) WHERE kind = 'pdf';
  CREATE TABLE note_key (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    file bigint NOT NULL,
    value text COLLATE "C" NOT NULL
  );
  CREATE INDEX note_key_key ON note_key (space, kind, key);
  CREATE INDEX note_key_file ON note_key (space, file);
  CREATE TABLE note_place (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    term text COLLATE "C" NOT NULL,
    block integer NOT NULL,
    counts bytea NOT NULL,
    places bytea NOT NULL,
    PRIMARY KEY (space, term, block)
  );
  -- Numbers of one byte each: packing them saves little.
  ALTER TABLE note_place ALTER COLUMN counts SET STORAGE EXTERNAL;
  ALTER TABLE note_place ALTER COLUMN places SET STORAGE EXTERNAL;
  CREATE TABLE note_word (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    term text COLLATE "C" NOT NULL,
    texts bigint NOT NULL,
    occurrences bigint NOT NULL,
    PRIMARY KEY (space, term)
  );
  CREATE TABLE note_block (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    block integer NOT NULL,
    number bigint NOT NULL,
    documents bytea NOT NULL,
    PRIMARY KEY (space, block)
  );
  CREATE TABLE note_pdf (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    file bigint NOT NULL,
    taken timestamptz NOT NULL DEFAULT now(),
    unread text,
    text text,
    PRIMARY KEY (space, file)
  );
  CREATE TABLE note_vector (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    model text NOT NULL,
    file bigint NOT NULL,
    ordinal integer NOT NULL,
    number bigint NOT NULL,
    passages bytea NOT NULL,
    PRIMARY KEY (space, model, file)
  );
  CREATE INDEX note_vector_number ON note_vector (space, model, number);
  ALTER TABLE note_vector ALTER COLUMN passages SET STORAGE EXTERNAL;

  -- The spaces whose index one may write.
  CREATE FUNCTION spaces_to_index() RETURNS SETOF bigint LANGUAGE plpgsql STABLE ${SAFE} AS $$
  BEGIN
    RETURN QUERY SELECT spaces_as(
      CASE WHEN pg_has_role(session_user, '${SERVER_ROLE}', 'MEMBER') THEN 'reader' ELSE 'writer' END
    );
  END $$;
  -- Hidden files, and those in hidden folders, are not indexed.
  CREATE FUNCTION is_hidden(key text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT key ~ '(^|/)\\.' $$;
  CREATE FUNCTION wait_for_index(of_space bigint[], files bigint[]) RETURNS void LANGUAGE sql ${SAFE} AS $$
    INSERT INTO note_waiting AS known (space, file)
      SELECT of, file FROM unnest(of_space, files) AS changed (of, file)
      -- The files of a space that is deleted go with it.
      WHERE of IN (SELECT spaces_to_index()) AND of IN (SELECT id FROM space) ORDER BY of, file
      ON CONFLICT (space, file) DO UPDATE SET mark = known.mark + 1
  $$;
  CREATE FUNCTION file_added() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM wait_for_index(array_agg(space), array_agg(id)) FROM added WHERE kind = 'file' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE FUNCTION file_removed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM wait_for_index(array_agg(space), array_agg(id)) FROM removed WHERE kind = 'file' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  -- What is below a folder that is moved keeps its name, and need not be read again.
  CREATE FUNCTION file_changed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM wait_for_index(array_agg(added.space), array_agg(added.id)) FROM added JOIN removed USING (id)
      WHERE added.kind = 'file' AND (added.hash <> removed.hash OR added.modified <> removed.modified
        OR regexp_replace(added.path, '^.*/', '') <> regexp_replace(removed.path, '^.*/', '')
        OR is_hidden(added.key) <> is_hidden(removed.key))
      HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER file_added AFTER INSERT ON file
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_added();
  CREATE TRIGGER file_removed AFTER DELETE ON file
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION file_removed();
  CREATE TRIGGER file_changed AFTER UPDATE ON file
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_changed();

  -- What is there already; who migrates sees it only for this statement.
  ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
  INSERT INTO note_waiting (space, file) SELECT space, id FROM file WHERE kind = 'file';
  ALTER TABLE file FORCE ROW LEVEL SECURITY;

  ${TABLES.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`).join("\n  ")}
  CREATE POLICY of_owner ON note_waiting TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('reader')));
  ${TABLES.map((table) => `CREATE POLICY read_by_members ON ${table} FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));`).join("\n  ")}
  ${WRITTEN.map(
    (table) => `CREATE POLICY added_for_the_index ON ${table} FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_to_index()));
  CREATE POLICY changed_for_the_index ON ${table} FOR UPDATE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_to_index())) WITH CHECK (space IN (SELECT spaces_to_index()));
  CREATE POLICY deleted_for_the_index ON ${table} FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_to_index()));`,
  ).join("\n  ")}
  CREATE POLICY indexed ON note_waiting FOR DELETE TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_to_index()));

  REVOKE ALL ON FUNCTION spaces_to_index(), is_hidden(text), wait_for_index(bigint[], bigint[]), file_added(),
    file_removed(), file_changed() FROM PUBLIC;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${WRITTEN.join(", ")} TO ${ACCESS_ROLE};
  GRANT SELECT, DELETE ON note_waiting TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION spaces_to_index(), wait_for_index(bigint[], bigint[]) TO ${ACCESS_ROLE};`;
