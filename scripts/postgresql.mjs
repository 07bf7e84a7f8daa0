// Finds PostgreSQL's own programs (initdb, postgres, pg_dump), or installs them,
// for the tests of the shared store.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installSystemPackages } from "./system-packages.mjs";

/** Where packages put them: one folder per version, none of them on PATH. */
const VERSIONED = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"];

/** @returns {string | undefined} the folder of the programs */
export function findPostgresql() {
  const versioned = VERSIONED.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^(?:postgresql@?)?\d+$/.test(name))
          .sort((a, b) => Number(b.replace(/\D/g, "")) - Number(a.replace(/\D/g, "")))
          .map((name) => join(folder, name, "bin"))
      : [],
  );
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  return [process.env["POSTGRESQL"] ?? "", ...versioned, ...onPath].find(
    (folder) => folder !== "" && ["initdb", "postgres", "pg_dump"].every((name) => existsSync(join(folder, name))),
  );
}

/** @returns {string | undefined} */
export function findOrInstallPostgresql() {
  if (findPostgresql() === undefined) {
    if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) forbidCluster();
    installSystemPackages("the tests of the shared store", ["postgresql"]);
  }
  return findPostgresql();
}

/** Debian's package would make a cluster of its own, and start it on the usual port. */
function forbidCluster() {
  const folder = "/etc/postgresql-common/createcluster.d";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "no-main-cluster.conf"), "create_main_cluster = false\n");
}
