// The roles of a store, in the whole database server. None of them can log in:
// logins are given one of them. Used by the versions beside it, and by what opens
// or administers a store.

/** Owns the schema and runs migrations. Row-level security is forced, so that it sees nobody's data. */
export const OWNER_ROLE = "commonplace_owner";
/** The role of every transaction: it may read and write what row-level security leaves. */
export const ACCESS_ROLE = "commonplace_access";
/** A login that may say for which member it works: a server that has authenticated people itself. */
export const SERVER_ROLE = "commonplace_server";

/**
 * Run by a login that may create roles. They may exist already, for another database of the server, or be created for
 * one at the same moment: locks belong to a database.
 */
export const CREATE_ROLES = `
  DO $$
  DECLARE
    statement text;
  BEGIN
    FOR statement IN
      SELECT format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', wanted)
        FROM unnest(ARRAY['${OWNER_ROLE}', '${ACCESS_ROLE}', '${SERVER_ROLE}']) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted)
    LOOP
      BEGIN
        EXECUTE statement;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END LOOP;
    IF NOT pg_has_role('${SERVER_ROLE}', '${ACCESS_ROLE}', 'MEMBER') THEN
      BEGIN
        GRANT ${ACCESS_ROLE} TO ${SERVER_ROLE};
      EXCEPTION WHEN unique_violation THEN NULL;
      END;
    END IF;
    -- From PostgreSQL 16 on, who creates a role is its member, and may not yet act as it.
    IF NOT pg_has_role(current_user, '${OWNER_ROLE}', 'USAGE') THEN
      BEGIN
        EXECUTE format('GRANT ${OWNER_ROLE} TO %I', current_user);
      EXCEPTION WHEN unique_violation THEN NULL;
      END;
    END IF;
  END $$`;

/** Of a function that must see more than its caller: it runs as the owner, and finds no functions but ours. */
export const SAFE = "SECURITY DEFINER SET search_path = commonplace, pg_temp";

/** Row-level security of tables, forced: also for their owner. */
export function withRowSecurity(tables: readonly string[]): string {
  return tables
    .map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`)
    .join("\n  ");
}

/** The same of tables with the rows of spaces, which all members of a space may read. */
export function ofSpaces(tables: readonly string[]): string {
  const policies = tables.map(
    (table) =>
      `CREATE POLICY read_by_members ON ${table} FOR SELECT TO ${ACCESS_ROLE} USING (space IN (SELECT spaces_as('reader')));`,
  );
  return [withRowSecurity(tables), ...policies].join("\n  ");
}

/** For functions that run as the owner and work for one member: the owner by itself is none, and sees nothing. */
export function ownerActsFor(tables: readonly string[], role: "reader" | "writer" = "reader"): string {
  return tables
    .map(
      (table) => `CREATE POLICY of_owner ON ${table} TO ${OWNER_ROLE} USING (space IN (SELECT spaces_as('${role}')));`,
    )
    .join("\n  ");
}
