// Finds nginx, or installs it, for the tests of servers behind a proxy.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installSystemPackages } from "./system-packages.mjs";

/** Debian asks it before a package starts its service. */
const POLICY = "/usr/sbin/policy-rc.d";

/** @returns {string | undefined} the program */
export function findNginx() {
  const folders = ["/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, "nginx")).find((path) => existsSync(path));
}

/** @returns {string | undefined} */
export function findOrInstallNginx() {
  if (findNginx() === undefined) {
    // The package would serve on port 80 at once.
    const forbids = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !existsSync(POLICY);
    if (forbids) writeFileSync(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    try {
      installSystemPackages("the tests of servers behind a proxy", ["nginx"]);
    } finally {
      if (forbids) rmSync(POLICY);
    }
  }
  return findNginx();
}
