// Events of memory, and conversations with the feed from which every process keeps an
// index of its own (src/conversations/shared/). A part of version-1.ts.
//
// - memory_event: events of memory, as their lines in the log; never changed
// - conversation: what is known of one beside its messages; of each (program and id)
//   a space has one, which belongs to the member that pushed it first. `content` is
//   a hash of all of it, `stamps` say what machines had it from (pushed-conversation.ts),
//   `tokens` what models took in and gave
// - conversation_page: consecutive messages, or what tools did; packed
// - conversation_whole: the whole texts of tools, of which pages have the beginnings
// - conversation_feed: the number of the last change of each conversation; that of one
//   which is gone stays, without its name
// - unshared: which conversations and projects a member does not share with a space any
//   more, so that no other machine of theirs pushes them again. Only a hash of their names
//   is kept (src/shared/unsharing.ts), and only its member sees it
//
// Triggers write the feed, so that it has every change, however it is made. Its number is
// that of the space (space_state), taken under the lock of that row in the transaction that
// changes the conversation: who sees a number sees everything up to it.
import { ACCESS_ROLE, ofSpaces, ownerActsFor, SAFE, withRowSecurity } from "./roles.ts";

/** By an index, whatever the planner thinks: a plan is kept, and may have been made when a table had few rows. */
const OURS = "SET search_path = commonplace, pg_temp SET enable_seqscan = off SET jit = off";

/** Selects the parts of a summary, and its member and space. */
const SUMMARY = `SELECT conversation.id, source, key, redaction, title, folder, project_name, workspace, branch, model,
    conversation.created, updated, time_known, messages, type, keywords, opening, files, shared_until, unavailable, has_dropped,
    abandoned, tokens, member.name AS member_name, space.name AS space_name, (
      SELECT earlier.key FROM conversation AS earlier
      WHERE earlier.space = conversation.space AND earlier.source = conversation.source AND earlier.key = conversation.continues
    ) AS continued
    FROM conversation JOIN space ON space.id = conversation.space LEFT JOIN member ON member.id = conversation.member`;

/** The parameters of those that read a conversation, by its key and perhaps the program. */
const OF_KEY = "of_key text, of_source text";
const HAS_KEY = "conversation.key = of_key AND (of_source IS NULL OR conversation.source = of_source)";

const related = (how: string, isEarlier: boolean) => `
      SELECT conversation.id AS conversation, other.key, other.source, other.title, other.updated, ${isEarlier} AS "isEarlier"
      FROM conversation JOIN conversation AS other
        ON ${how} AND other.space = conversation.space AND other.source = conversation.source AND other.id <> conversation.id
      WHERE ${HAS_KEY}`;

/** Columns that say nothing about a conversation itself. */
const ASIDE = "- 'stamps' - 'pushed' - 'member'";

/** A trigger that feeds the conversations of the rows of a table which a statement has added or removed. */
const fed = (table: string, event: "INSERT" | "DELETE") => `
  CREATE TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON ${table}
    REFERENCING ${event === "INSERT" ? "NEW" : "OLD"} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${table}_changed();`;

export const CONVERSATIONS = `
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
  CREATE TABLE conversation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    member bigint REFERENCES member ON DELETE SET NULL,
    source text NOT NULL,
    key text NOT NULL,
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
    tokens json,
    UNIQUE (space, source, key),
    UNIQUE (id, space)
  );
  CREATE INDEX conversation_key ON conversation (key text_pattern_ops);
  CREATE INDEX conversation_member ON conversation (member);
  CREATE INDEX conversation_continues ON conversation (continues) WHERE continues IS NOT NULL;
  CREATE TABLE conversation_page (
    conversation bigint NOT NULL,
    page integer NOT NULL,
    space bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('prose', 'tools')),
    content text NOT NULL,
    first double precision NOT NULL,
    last double precision NOT NULL,
    parts bytea NOT NULL,
    PRIMARY KEY (conversation, page),
    UNIQUE (conversation, page, space),
    FOREIGN KEY (conversation, space) REFERENCES conversation (id, space) ON DELETE CASCADE
  );
  CREATE TABLE conversation_whole (
    conversation bigint NOT NULL,
    page integer NOT NULL,
    space bigint NOT NULL,
    texts bytea NOT NULL,
    PRIMARY KEY (conversation, page),
    FOREIGN KEY (conversation, page, space) REFERENCES conversation_page (conversation, page, space) ON DELETE CASCADE
  );
  -- They are packed already.
  ALTER TABLE conversation_page ALTER COLUMN parts SET STORAGE EXTERNAL;
  ALTER TABLE conversation_whole ALTER COLUMN texts SET STORAGE EXTERNAL;
  CREATE TABLE conversation_feed (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    conversation bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (space, conversation)
  );
  CREATE INDEX conversation_feed_number ON conversation_feed (space, number);
  CREATE TABLE unshared (
    space bigint NOT NULL REFERENCES space ON DELETE CASCADE,
    member bigint NOT NULL REFERENCES member ON DELETE CASCADE,
    name bytea NOT NULL CHECK (length(name) = 32),
    PRIMARY KEY (space, member, name)
  );
  CREATE INDEX unshared_member ON unshared (member);

  CREATE FUNCTION begin_epoch() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    UPDATE space_state SET epoch = epoch + 1 WHERE space IN (SELECT DISTINCT space FROM deleted);
    RETURN NULL;
  END $$;
  CREATE TRIGGER memory_event_deleted AFTER DELETE ON memory_event
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION begin_epoch();
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

  CREATE FUNCTION feed_conversations(of_space bigint[], conversations bigint[]) RETURNS void LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    own bigint;
    given bigint;
  BEGIN
    -- The conversations of a space that is deleted go with it.
    FOR own IN SELECT DISTINCT space.id FROM unnest(of_space) AS changed (id) JOIN space USING (id)
      WHERE space.id IN (SELECT spaces_as('reader')) ORDER BY space.id
    LOOP
      -- A transaction takes its numbers at once, and may have taken them before it changed a conversation.
      SELECT number INTO given FROM space_state WHERE space = own AND xmin = pg_current_xact_id()::xid;
      IF given IS NULL THEN
        UPDATE space_state SET number = number + 1 WHERE space = own RETURNING number INTO given;
      END IF;
      INSERT INTO conversation_feed (space, conversation, number)
        SELECT DISTINCT own, conversation, given FROM unnest(of_space, conversations) AS changed (of, conversation)
          WHERE of = own
        ON CONFLICT (space, conversation) DO UPDATE SET number = excluded.number;
    END LOOP;
  END $$;
  CREATE FUNCTION conversation_changed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM feed_conversations(array_agg(space), array_agg(id)) FROM changed HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE FUNCTION conversation_updated() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    -- A push from another machine adds its stamp alone.
    PERFORM feed_conversations(array_agg(now.space), array_agg(now.id)) FROM after AS now JOIN before AS was USING (id)
      WHERE to_jsonb(now) ${ASIDE} <> to_jsonb(was) ${ASIDE} HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE FUNCTION conversation_page_changed() RETURNS trigger LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    PERFORM feed_conversations(array_agg(space), array_agg(conversation)) FROM changed HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  ${fed("conversation", "INSERT")}
  ${fed("conversation", "DELETE")}
  ${fed("conversation_page", "INSERT")}
  ${fed("conversation_page", "DELETE")}
  CREATE TRIGGER conversation_update AFTER UPDATE ON conversation
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION conversation_updated();

  -- Deletes some conversations that one has pushed: of a project, one, or all.
  CREATE FUNCTION unshare_conversations(of_space bigint, most integer, of_project text, of_conversation bigint, OUT deleted integer)
  LANGUAGE plpgsql ${SAFE} AS $$
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('reader')) THEN PERFORM refuse('You are not in this space.'); END IF;
    -- Nobody else adds to the space until the transaction ends.
    UPDATE space_state SET number = number + 1 WHERE space = of_space;
    WITH chosen AS (
      SELECT id FROM conversation WHERE space = of_space AND member = current_member()
        AND (of_project IS NULL OR project_name = of_project)
        AND (of_conversation IS NULL OR id = of_conversation) ORDER BY id LIMIT most
    ), gone AS (DELETE FROM conversation WHERE id IN (SELECT id FROM chosen) RETURNING 1)
    SELECT count(*) INTO deleted FROM gone;
  END $$;

  -- All that follow work as their caller, for whom policies decide. Many rows come as one value: a row of its own for
  -- each takes the client longer.
  -- Of each space of the member: [[number of the space, what no other space ever was, number of the newest change], …].
  CREATE FUNCTION conversation_standings() RETURNS json LANGUAGE plpgsql STABLE SET search_path = commonplace, pg_temp AS $$
  BEGIN
    RETURN (
      SELECT coalesce(json_agg(json_build_array(space.id, concat_ws(' ', space.id, extract(epoch FROM space.created), epoch),
        coalesce((SELECT number FROM conversation_feed AS feed WHERE feed.space = space.id ORDER BY number DESC LIMIT 1), 0))
        ORDER BY space.id), '[]')
      FROM space, store_epoch() AS epoch
    );
  END $$;
  CREATE FUNCTION found_summaries(ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(shown), '[]') FROM (${SUMMARY} WHERE conversation.id = ANY(ids) ORDER BY conversation.id) AS shown);
  END $$;
  CREATE FUNCTION found_pages(conversations bigint[], pages integer[])
    RETURNS TABLE (conversation bigint, content text, redaction bigint, parts bytea) LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT conversation, own.content, whole.redaction, own.parts
      FROM unnest(conversations, pages) AS wanted (conversation, page)
      JOIN conversation_page AS own USING (conversation, page) JOIN conversation AS whole ON whole.id = conversation;
  END $$;
  CREATE FUNCTION read_summaries(${OF_KEY}) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(shown), '[]') FROM (${SUMMARY} WHERE ${HAS_KEY} ORDER BY conversation.id LIMIT 20) AS shown);
  END $$;
  CREATE FUNCTION read_pages(${OF_KEY}) RETURNS TABLE (conversation bigint, id integer, kind text,
    first double precision, last double precision, parts bytea) LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT own.conversation, own.page, own.kind, own.first, own.last, own.parts FROM conversation_page AS own
      WHERE own.conversation IN (SELECT conversation.id FROM conversation WHERE ${HAS_KEY}) ORDER BY own.first, own.page;
  END $$;
  CREATE FUNCTION read_wholes(${OF_KEY}) RETURNS TABLE (conversation bigint, page integer, texts bytea)
    LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT own.conversation, own.page, own.texts FROM conversation_whole AS own
      WHERE own.conversation IN (SELECT conversation.id FROM conversation WHERE ${HAS_KEY});
  END $$;
  -- The newest conversations that it continues, and that continue it.
  CREATE FUNCTION read_relatives(${OF_KEY}, most integer) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(related), '[]') FROM (
      ${related("other.key = conversation.continues", true)}
      UNION ALL ${related("other.continues = conversation.key", false)}
      ORDER BY updated DESC LIMIT most
    ) AS related);
  END $$;

  ${ofSpaces(["memory_event", "conversation", "conversation_page", "conversation_whole", "conversation_feed"])}
  ${ownerActsFor(["conversation", "conversation_page", "conversation_whole", "conversation_feed"])}
  ${withRowSecurity(["unshared"])}
  CREATE POLICY added_by_writers ON memory_event FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY deleted_by_their_member ON memory_event FOR DELETE TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('reader')));
  CREATE POLICY added_by_writers ON conversation FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer')) AND member = current_member());
  CREATE POLICY changed_by_their_member ON conversation FOR UPDATE TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('writer')))
    WITH CHECK (member = current_member() AND space IN (SELECT spaces_as('writer')));
  ${["conversation_page", "conversation_whole"]
    .map(
      (table) => `CREATE POLICY added_by_writers ON ${table} FOR INSERT TO ${ACCESS_ROLE}
    WITH CHECK (space IN (SELECT spaces_as('writer'))
      AND EXISTS (SELECT 1 FROM conversation WHERE conversation.id = ${table}.conversation AND member = current_member()));`,
    )
    .join("\n  ")}
  CREATE POLICY deleted_by_their_member ON conversation_page FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('writer'))
      AND EXISTS (SELECT 1 FROM conversation WHERE conversation.id = conversation_page.conversation AND member = current_member()));
  CREATE POLICY of_their_member ON unshared TO ${ACCESS_ROLE}
    USING (member = current_member() AND space IN (SELECT spaces_as('reader')));

  GRANT SELECT ON memory_event, conversation, conversation_page, conversation_whole, conversation_feed, unshared TO ${ACCESS_ROLE};
  GRANT INSERT, DELETE ON memory_event, conversation_page, unshared TO ${ACCESS_ROLE};
  GRANT INSERT, UPDATE ON conversation TO ${ACCESS_ROLE};
  GRANT INSERT ON conversation_whole TO ${ACCESS_ROLE};`;

export const CONVERSATION_FUNCTIONS = [
  "add_event(bigint, text, text, text)",
  "unshare_conversations(bigint, integer, text, bigint)",
  "conversation_standings()",
  "found_summaries(bigint[])",
  "found_pages(bigint[], integer[])",
  "read_summaries(text, text)",
  "read_pages(text, text)",
  "read_wholes(text, text)",
  "read_relatives(text, text, integer)",
];
