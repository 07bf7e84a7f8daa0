// What members take back, and what is kept of changes. Released versions are never
// changed: see versions.ts.
//
// - conversation.tokens: what models took in and gave, {"input": …, "output": …,
//   "cached": …}; null if its program has counted nothing
//
// One conversation can be unshared. Changes of files are kept for 30 days and up to
// 500 MB, as those of a folder are (src/journal/open-journal.ts), by the clock of the
// database: members cannot delete younger ones, whatever their own clock says.
import { ACCESS_ROLE, OWNER_ROLE } from "./roles.ts";

const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

/** Of the changes of a space. */
const DAYS = 30;
const MAX_BYTES = 500 * 1024 * 1024;

export const VERSION_7 = `
  ALTER TABLE conversation ADD COLUMN tokens json;

  -- Deletes some conversations that one has pushed: of a project, one, or all. Their texts first and all at once, so
  -- that words are counted once.
  DROP FUNCTION unshare_conversations(bigint, integer, text);
  CREATE FUNCTION unshare_conversations(of_space bigint, most integer, of_project text, of_conversation bigint, OUT deleted integer)
  LANGUAGE plpgsql ${SAFE} AS $$
  DECLARE
    chosen bigint[];
  BEGIN
    IF of_space NOT IN (SELECT spaces_as('reader')) THEN PERFORM refuse('You are not in this space.'); END IF;
    -- Nobody else adds to the space until the transaction ends; readers see that something has changed.
    UPDATE space_state SET number = number + 1 WHERE space = of_space;
    SELECT coalesce(array_agg(id), '{}') INTO chosen FROM (
      SELECT id FROM conversation WHERE space = of_space AND member = current_member()
        AND (of_project IS NULL OR project_name = of_project)
        AND (of_conversation IS NULL OR id = of_conversation) ORDER BY id LIMIT most
    ) AS own;
    DELETE FROM conversation_text WHERE conversation = ANY(chosen);
    DELETE FROM conversation WHERE id = ANY(chosen);
    deleted := cardinality(chosen);
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
  DROP POLICY trimmed_by_writers ON file_change;
  CREATE POLICY deleted_by_owners ON file_change FOR DELETE TO ${ACCESS_ROLE}
    USING (space IN (SELECT spaces_as('owner')));
  -- For the function above, which works for one member: the owner by itself is none, and sees nothing.
  CREATE POLICY of_owner ON file_change TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('writer')));

  REVOKE ALL ON FUNCTION unshare_conversations(bigint, integer, text, bigint), trim_file_changes(bigint) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION unshare_conversations(bigint, integer, text, bigint), trim_file_changes(bigint)
    TO ${ACCESS_ROLE};`;
