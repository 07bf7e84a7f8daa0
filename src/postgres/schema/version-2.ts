// The second version of the store's tables: conversations, and their full text.
// Released versions are never changed: see versions.ts.
//
// - conversation: what is known of one beside its messages; of each (program and id)
//   a space has one, which belongs to the member that pushed it first. `content` is
//   a hash of all of it, `stamps` say what machines had it from (pushed-conversation.ts),
//   `number` is that of its last change (take_numbers)
// - conversation_page: its title, consecutive messages, or what tools did; packed
// - conversation_whole: the whole texts of tools, of which pages have the beginnings
// - conversation_text: the terms of a page, where they stand, and how many there are
// - conversation_word: in how many texts of a space a term is, and how often; counted
//   by triggers, as conversation_total is: how many texts a space has, and their length
//
// A search states its terms as a setting of the transaction, and a restrictive policy
// compares them. In a condition of the statement they could not use the index: what
// is not leakproof, as the operator of full text, may only be asked of rows that the
// policies have let through. A policy that restricts comes first.
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

const TABLES = [
  "conversation",
  "conversation_page",
  "conversation_whole",
  "conversation_text",
  "conversation_word",
  "conversation_total",
];

/** Those that members write themselves, below a conversation that is theirs. */
const PARTS = ["conversation_page", "conversation_whole", "conversation_text"];

export const VERSION_2 = `
  CREATE TABLE conversation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    member bigint REFERENCES member ON DELETE SET NULL,
    source text NOT NULL,
    key text NOT NULL,
    number bigint NOT NULL,
    content text NOT NULL,
    stamps text[] NOT NULL,
    redaction bigint NOT NULL,
    pushed timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL,
    folder text,
    project text,
    root text,
    project_name text,
    workspace text,
    branch text,
    model text,
    created double precision NOT NULL,
    updated double precision NOT NULL,
    time_known text NOT NULL,
    messages integer NOT NULL,
    type text NOT NULL,
    keywords text NOT NULL,
    opening text NOT NULL,
    files text NOT NULL,
    touched json NOT NULL,
    abandoned json NOT NULL,
    continues text,
    shared_until double precision,
    unavailable text,
    has_dropped boolean NOT NULL,
    UNIQUE (space, source, key),
    UNIQUE (id, space)
  );
  CREATE INDEX conversation_updated ON conversation (updated);
  CREATE INDEX conversation_key ON conversation (key text_pattern_ops);
  CREATE INDEX conversation_member ON conversation (member);
  CREATE TABLE conversation_page (
    conversation bigint NOT NULL,
    page integer NOT NULL,
    space bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('title', 'prose', 'tools')),
    content text NOT NULL,
    first double precision NOT NULL,
    last double precision NOT NULL,
    parts bytea NOT NULL,
    PRIMARY KEY (conversation, page),
    UNIQUE (conversation, page, space, kind),
    FOREIGN KEY (conversation, space) REFERENCES conversation (id, space) ON DELETE CASCADE
  );
  CREATE TABLE conversation_whole (
    conversation bigint NOT NULL,
    page integer NOT NULL,
    space bigint NOT NULL,
    kind text NOT NULL,
    texts bytea NOT NULL,
    PRIMARY KEY (conversation, page),
    FOREIGN KEY (conversation, page, space, kind) REFERENCES conversation_page (conversation, page, space, kind)
      ON DELETE CASCADE
  );
  CREATE TABLE conversation_text (
    conversation bigint NOT NULL,
    page integer NOT NULL,
    part integer NOT NULL,
    space bigint NOT NULL,
    kind text NOT NULL,
    length integer NOT NULL,
    tokens tsvector NOT NULL,
    PRIMARY KEY (conversation, page, part),
    FOREIGN KEY (conversation, page, space, kind) REFERENCES conversation_page (conversation, page, space, kind)
      ON DELETE CASCADE
  );
  -- Unpacking them would take longer than comparing them.
  ALTER TABLE conversation_text ALTER COLUMN tokens SET STORAGE EXTERNAL;
  ALTER TABLE conversation_page ALTER COLUMN parts SET STORAGE EXTERNAL;
  ALTER TABLE conversation_whole ALTER COLUMN texts SET STORAGE EXTERNAL;
  -- Each push merges what it adds: a list of what is pending would be read by every search.
  CREATE INDEX conversation_text_said ON conversation_text USING gin (tokens) WITH (fastupdate = off) WHERE kind <> 'tools';
  CREATE INDEX conversation_text_tools ON conversation_text USING gin (tokens) WITH (fastupdate = off) WHERE kind = 'tools';
  CREATE TABLE conversation_word (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    term text COLLATE "C" NOT NULL,
    texts bigint NOT NULL,
    occurrences bigint NOT NULL,
    PRIMARY KEY (term, space)
  );
  CREATE INDEX conversation_word_space ON conversation_word (space);
  CREATE TABLE conversation_total (
    space bigint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    texts bigint NOT NULL,
    words bigint NOT NULL
  );

  CREATE FUNCTION count_words(sign integer, of_space bigint[], terms text[], in_texts bigint[], often bigint[])
  RETURNS void LANGUAGE sql ${SAFE} AS $$
    -- In order: two transactions that count the same words wait for each other, and never in a circle.
    INSERT INTO conversation_word AS known (space, term, texts, occurrences)
      SELECT space, term, sign * texts, sign * occurrences
      FROM unnest(of_space, terms, in_texts, often) AS counted (space, term, texts, occurrences) ORDER BY term, space
      ON CONFLICT (term, space) DO UPDATE
        SET texts = known.texts + excluded.texts, occurrences = known.occurrences + excluded.occurrences
  $$;
  CREATE FUNCTION conversation_text_added() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM count_words(1, array_agg(space), array_agg(lexeme), array_agg(texts), array_agg(occurrences)) FROM (
      SELECT space, lexeme, count(*) AS texts, sum(coalesce(cardinality(positions), 1))::bigint AS occurrences
      FROM changed, unnest(tokens) WHERE kind <> 'tools' GROUP BY space, lexeme
    ) AS counted HAVING count(*) > 0;
    INSERT INTO conversation_total AS known (space, texts, words)
      SELECT space, count(*), sum(length) FROM changed WHERE kind <> 'tools' GROUP BY space ORDER BY space
      ON CONFLICT (space) DO UPDATE SET texts = known.texts + excluded.texts, words = known.words + excluded.words;
    RETURN NULL;
  END $$;
  CREATE FUNCTION conversation_text_removed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    -- The words of a space that is deleted, or that one has left, go with it or are nobody's to count.
    IF NOT EXISTS (SELECT 1 FROM changed WHERE space IN (SELECT spaces_as('reader'))) THEN RETURN NULL; END IF;
    PERFORM count_words(-1, array_agg(space), array_agg(lexeme), array_agg(texts), array_agg(occurrences)) FROM (
      SELECT space, lexeme, count(*) AS texts, sum(coalesce(cardinality(positions), 1))::bigint AS occurrences
      FROM changed, unnest(tokens) WHERE kind <> 'tools' GROUP BY space, lexeme
    ) AS counted HAVING count(*) > 0;
    DELETE FROM conversation_word WHERE texts <= 0 AND (term, space) IN (
      SELECT lexeme COLLATE "C", space FROM changed, unnest(tokens) WHERE kind <> 'tools'
    );
    UPDATE conversation_total AS known SET texts = known.texts - gone.texts, words = known.words - gone.words
      FROM (SELECT space, count(*) AS texts, sum(length) AS words FROM changed WHERE kind <> 'tools' GROUP BY space) AS gone
      WHERE known.space = gone.space;
    RETURN NULL;
  END $$;
  CREATE TRIGGER conversation_text_added AFTER INSERT ON conversation_text
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION conversation_text_added();
  CREATE TRIGGER conversation_text_removed AFTER DELETE ON conversation_text
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION conversation_text_removed();

  -- Deletes some conversations that one has pushed; their texts first and all at once, so that words are counted once.
  CREATE FUNCTION unshare_conversations(of_space bigint, most integer, of_project text, OUT deleted integer)
  LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    chosen bigint[];
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('reader')) THEN PERFORM refuse('You are not in this space.'); END IF;
    -- Nobody else adds to the space until the transaction ends; readers see that something has changed.
    UPDATE space_state SET number = number + 1 WHERE space = of_space;
    SELECT coalesce(array_agg(id), '{}') INTO chosen FROM (
      SELECT id FROM conversation WHERE space = of_space AND member = current_member()
        AND (of_project IS NULL OR project_name = of_project) ORDER BY id LIMIT most
    ) AS own;
    DELETE FROM conversation_text WHERE conversation = ANY(chosen);
    DELETE FROM conversation WHERE id = ANY(chosen);
    deleted := cardinality(chosen);
  END $$;

  ${TABLES.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`).join("\n  ")}

  -- For the functions above, which work for one member: the owner by itself is none, and sees nothing.
  ${TABLES.map((table) => `CREATE POLICY of_owner ON ${table} TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('reader')));`).join("\n  ")}
  ${TABLES.map((table) => `CREATE POLICY read_by_members ON ${table} FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));`).join("\n  ")}
  CREATE POLICY searched ON conversation_text AS RESTRICTIVE FOR SELECT TO ${ACCESS_ROLE}
    USING (tokens @@ current_setting('commonplace.words', true)::tsquery);

  CREATE POLICY added_by_writers ON conversation FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY changed_by_their_member ON conversation FOR UPDATE TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('writer')))
    WITH CHECK (member = current_member() AND space IN (SELECT spaces_as('writer')));
  ${PARTS.map(
    (table) => `CREATE POLICY added_by_writers ON ${table} FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer'))
      AND EXISTS (SELECT 1 FROM conversation WHERE conversation.id = ${table}.conversation AND member = current_member()));`,
  ).join("\n  ")}
  CREATE POLICY deleted_by_their_member ON conversation_page FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('writer'))
      AND EXISTS (SELECT 1 FROM conversation WHERE conversation.id = conversation_page.conversation AND member = current_member()));

  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA commonplace FROM PUBLIC;
  GRANT SELECT ON ${TABLES.join(", ")} TO ${ACCESS_ROLE};
  GRANT INSERT, UPDATE ON conversation TO ${ACCESS_ROLE};
  GRANT INSERT, DELETE ON conversation_page TO ${ACCESS_ROLE};
  GRANT INSERT ON conversation_whole, conversation_text TO ${ACCESS_ROLE};
  GRANT EXECUTE ON FUNCTION unshare_conversations(bigint, integer, text) TO ${ACCESS_ROLE};`;
