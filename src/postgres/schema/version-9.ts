// Reading, made quicker: what is asked most is a function in PL/pgSQL, whose plans a
// connection keeps, also behind a pooler. A statement that is sent by itself is planned
// each time, with the policies of its tables. Released versions are never changed: see
// versions.ts.
//
// - begin_reading: the settings of a transaction that reads, in one call; they end with
//   the transaction (src/postgres/reading.ts)
// - files_below: the files and folders of a space, or of one of its folders
// - text_…: what a search asks of the full text of conversations
//   (src/conversations/shared/text-queries.ts)
// - found_…, read_…: what is known of conversations that were found, or are read
//
// All of them work as their caller, for whom policies decide. Many rows come as one
// value: a row of its own for each takes the client longer.
import { ACCESS_ROLE } from "./roles.ts";

/**
 * By an index, whatever the planner thinks. A plan is kept, and may have been made when a table had few rows. Comparing
 * words is taken for cheap: all texts of a few thousand would be compared, instead of asking the index. And what is
 * compiled for a large store takes longer than a search.
 */
const OURS = "SET search_path = commonplace, pg_temp SET enable_seqscan = off SET jit = off";

/** Words, and beginnings of words, that can be counted by one call; of the others the frequency is null, and left out. */
export const MAX_COUNTED = 8;
const COUNTED = Array.from({ length: MAX_COUNTED }, (_, i) => i + 1);

/** Two lists of paths, each null if it is empty: a third quicker than a list of pairs. */
const FILES_AND_FOLDERS =
  "json_build_array(json_agg(path) FILTER (WHERE kind = 'file'), json_agg(path) FILTER (WHERE kind = 'folder'))";

/** What a summary is made of, and where it is from. */
const SUMMARY = `SELECT conversation.*, member.name AS member_name, space.name AS space_name, (
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

/** By what tells them apart. */
const FUNCTIONS = {
  "begin_reading(text)": `(of_member text) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    done text;
  BEGIN
    -- As one expression each, which needs no plan.
    done := pg_catalog.set_config('transaction_read_only', 'on', true);
    done := pg_catalog.set_config('role', '${ACCESS_ROLE}', true);
    done := pg_catalog.set_config('commonplace.member', of_member, true);
    RETURN commonplace.version();
  END $$`,
  // Null if the space is not theirs.
  "files_below(text, text, boolean)": `(of_space text, of_key text, is_direct boolean) RETURNS json
    LANGUAGE plpgsql STABLE ${OURS} AS $$
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
  END $$`,
  "text_totals()": `(OUT texts bigint, OUT words bigint) LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    SELECT coalesce(sum(total.texts), 0), coalesce(sum(total.words), 0) INTO texts, words FROM conversation_total AS total;
  END $$`,
  // [[term, texts, occurrences], …]: these words, and those from `beginning` to before `ending`.
  "text_words(text[], text, text)": `(terms text[], beginning text, ending text) RETURNS json
    LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(json_build_array(term, texts, occurrences) ORDER BY term), '[]') FROM (
      SELECT term, sum(texts) AS texts, sum(occurrences) AS occurrences FROM conversation_word
        WHERE term = ANY(terms) OR (term >= beginning AND term < ending) GROUP BY term
    ) AS known);
  END $$`,
  // Of each text that the words find: its key, whether it is a title, its length, and how often it has each expression.
  // An occurrence is a cover of its own, which counts 1.
  "text_hits(text, text[])": `(of_words text, counted text[]) RETURNS text LANGUAGE plpgsql ${OURS} AS $$
  DECLARE
    done text := set_config('commonplace.words', of_words, true);
    ${COUNTED.map((i) => `expression_${i} tsquery := counted[${i}];`).join("\n    ")}
  BEGIN
    RETURN (SELECT string_agg(concat_ws(',', conversation, page, part, (kind = 'title')::int, length,
        ${COUNTED.map((i) => `ts_rank_cd('{1,1,1,1}', tokens, expression_${i})::int`).join(",\n        ")}), ',')
      FROM conversation_text WHERE kind <> 'tools');
  END $$`,
  "text_count(text)": `(of_words text) RETURNS bigint LANGUAGE plpgsql ${OURS} AS $$
  DECLARE
    done text := set_config('commonplace.words', of_words, true);
  BEGIN
    RETURN (SELECT count(*) FROM conversation_text WHERE kind <> 'tools');
  END $$`,
  // Where some words are in some of the texts: all others are filtered out by their weight. With unnest, which makes a
  // row of each, it took ten times as long.
  "text_places(text, bigint[], integer[], integer[], text[])": `(of_words text, conversations bigint[], pages integer[],
    parts integer[], terms text[])
    RETURNS TABLE (conversation bigint, page integer, part integer, places text) LANGUAGE plpgsql ${OURS} AS $$
  #variable_conflict use_column
  DECLARE
    done text := set_config('commonplace.words', of_words, true);
  BEGIN
    RETURN QUERY SELECT text.conversation, text.page, text.part,
        ts_filter(setweight(text.tokens, 'A', string_to_array(wanted.terms, ' ')), '{a}')::text
      FROM unnest(conversations, pages, parts, terms) AS wanted (conversation, page, part, terms)
      JOIN conversation_text AS text USING (conversation, page, part) WHERE text.kind <> 'tools';
  END $$`,
  "text_among(text, bigint[], integer[], integer[])": `(of_words text, conversations bigint[], pages integer[], parts integer[])
    RETURNS TABLE (conversation bigint, page integer, part integer) LANGUAGE plpgsql ${OURS} AS $$
  #variable_conflict use_column
  DECLARE
    done text := set_config('commonplace.words', of_words, true);
  BEGIN
    RETURN QUERY SELECT text.conversation, text.page, text.part
      FROM unnest(conversations, pages, parts) AS wanted (conversation, page, part)
      JOIN conversation_text AS text USING (conversation, page, part) WHERE text.kind <> 'tools';
  END $$`,
  // The newest conversations with these words in their titles: [[id, title], …].
  "text_titles(text, integer)": `(of_words text, most integer) RETURNS json LANGUAGE plpgsql ${OURS} AS $$
  DECLARE
    done text := set_config('commonplace.words', of_words, true);
  BEGIN
    RETURN (SELECT coalesce(json_agg(json_build_array(id, title) ORDER BY updated DESC), '[]') FROM (
      SELECT conversation.id, title, updated FROM conversation_text AS text
        JOIN conversation ON conversation.id = text.conversation
        WHERE text.kind = 'title' ORDER BY updated DESC LIMIT most
    ) AS titled);
  END $$`,
  // What scores are computed from. Which files a conversation touched can be long.
  "found_facts(bigint[], boolean)": `(ids bigint[], with_touched boolean) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(facts ORDER BY id), '[]') FROM (
      SELECT id, source, key, updated, messages, type, project, CASE WHEN with_touched THEN touched END AS touched
        FROM conversation WHERE id = ANY(ids)
    ) AS facts);
  END $$`,
  "found_summaries(bigint[])": `(ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(shown), '[]') FROM (${SUMMARY} WHERE conversation.id = ANY(ids) ORDER BY conversation.id) AS shown);
  END $$`,
  "found_pages(bigint[], integer[])": `(conversations bigint[], pages integer[])
    RETURNS TABLE (conversation bigint, page integer, parts bytea) LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT conversation, page, own.parts FROM unnest(conversations, pages) AS wanted (conversation, page)
      JOIN conversation_page AS own USING (conversation, page);
  END $$`,
  "read_summaries(text, text)": `(${OF_KEY}) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(shown), '[]') FROM (${SUMMARY} WHERE ${HAS_KEY} ORDER BY conversation.id LIMIT 20) AS shown);
  END $$`,
  "read_pages(text, text)": `(${OF_KEY}) RETURNS TABLE (conversation bigint, id integer, kind text,
    first double precision, last double precision, parts bytea) LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT own.conversation, own.page, own.kind, own.first, own.last, own.parts FROM conversation_page AS own
      WHERE own.conversation IN (SELECT conversation.id FROM conversation WHERE ${HAS_KEY}) AND own.kind <> 'title'
      ORDER BY own.first, own.page;
  END $$`,
  "read_wholes(text, text)": `(${OF_KEY}) RETURNS TABLE (conversation bigint, page integer, texts bytea)
    LANGUAGE plpgsql STABLE ${OURS} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT own.conversation, own.page, own.texts FROM conversation_whole AS own
      WHERE own.conversation IN (SELECT conversation.id FROM conversation WHERE ${HAS_KEY});
  END $$`,
  // The newest conversations that it continues, and that continue it.
  "read_relatives(text, text, integer)": `(${OF_KEY}, most integer) RETURNS json LANGUAGE plpgsql STABLE ${OURS} AS $$
  BEGIN
    RETURN (SELECT coalesce(json_agg(related), '[]') FROM (
      ${related("other.key = conversation.continues", true)}
      UNION ALL ${related("other.continues = conversation.key", false)}
      ORDER BY updated DESC LIMIT most
    ) AS related);
  END $$`,
};

export const VERSION_9 = `
  ${Object.entries(FUNCTIONS)
    .map(([signature, definition]) => `CREATE FUNCTION ${signature.replace(/\(.*/s, "")}${definition};`)
    .join("\n  ")}
  REVOKE ALL ON FUNCTION ${Object.keys(FUNCTIONS).join(", ")} FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${Object.keys(FUNCTIONS).join(", ")} TO ${ACCESS_ROLE};`;
