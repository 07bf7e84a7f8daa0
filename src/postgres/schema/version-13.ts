// A read of a file in one statement. Released versions are never changed: see
// versions.ts.
//
// - begin_reading: says that it is done instead of which version this is, so that one
//   statement can begin and ask, in this order (src/postgres/single-call.ts)
// - read_file: a file as one text. Bytes are sent in hexadecimal, twice as many, and the
//   database sends 8 kB at a time: most notes come as one piece if they come as text
import { OTHER_VERSION } from "../errors.ts";
import { ACCESS_ROLE } from "./roles.ts";

/** What is known of a file, then a line feed, then its bytes unless they are too many. */
const answer = (isText: boolean, encoded: string) => `
        SELECT json_build_array(space, ${isText}, path, kind, id, size, version, created, modified, hash)::text
          || E'\\n' || coalesce(${encoded}, '') INTO answer FROM file WHERE space = own AND key = of_key;`;

const BYTES = "CASE WHEN size <= most THEN bytes END";

export const VERSION_13 = `
  DROP FUNCTION begin_reading(text);
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

  -- As its caller, for whom policies decide. The number that the space is known to have saves asking for it: numbers are
  -- not used again, and who is not in the space finds nothing by it. Null if the space is not theirs, [number] if nothing
  -- is there.
  DROP FUNCTION file_at(text, text, bigint);
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

  -- Its plan is kept. One that is made for the folder seems cheaper, and making it takes longer than the listing.
  ALTER FUNCTION files_below(text, text, boolean) SET plan_cache_mode = force_generic_plan;

  REVOKE ALL ON FUNCTION begin_reading(text, integer), read_file(text, bigint, text, bigint) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION begin_reading(text, integer), read_file(text, bigint, text, bigint) TO ${ACCESS_ROLE};`;
