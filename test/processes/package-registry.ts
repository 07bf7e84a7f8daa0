// A registry of npm on this machine, which serves the packages that the checkout
// has installed: a first start can be repeated without a network.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

interface Stored {
  readonly folder: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

export interface PackageRegistry {
  readonly url: string;
  /** From now on so many requests are answered; connections of all others are cut in the middle. */
  cutAfter(requests: number): void;
  close(): Promise<void>;
}

/** @param folders with a node_modules each */
export async function servePackages(...folders: readonly string[]): Promise<PackageRegistry> {
  const stored = folders.flatMap((folder) => packagesBelow(join(folder, "node_modules")));
  const tarballs = new Map<string, Buffer>();
  let left = Infinity;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const archived = /^\/tarballs\/(\d+)\.tgz$/.exec(path)?.[1];
    const body =
      archived === undefined ? packument(path.slice(1)) : tarballOf(stored[Number(archived)]!.folder, tarballs);
    if (body === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-length": body.length });
    if (left-- > 0) return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function packument(name: string): Buffer | undefined {
    const found = stored.flatMap(({ manifest }, i) =>
      manifest.name === name
        ? [[manifest.version, { ...manifest, scripts: {}, dist: { tarball: `${url}tarballs/${i}.tgz` } }] as const]
        : [],
    );
    if (found.length === 0) return undefined;
    return Buffer.from(
      JSON.stringify({ name, "dist-tags": { latest: found[0]![0] }, versions: Object.fromEntries(found) }),
    );
  }

  return {
    url,
    cutAfter: (requests) => void (left = requests),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function packagesBelow(folder: string): Stored[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith(".")) return [];
    if (entry.name.startsWith("@")) return packagesBelow(path);
    const manifest = join(path, "package.json");
    const own = existsSync(manifest) ? [{ folder: path, manifest: JSON.parse(readFileSync(manifest, "utf8")) }] : [];
    return [...own, ...packagesBelow(join(path, "node_modules"))];
  });
}

/** The folder in an archive may have any name: npm drops the first one of each path. */
function tarballOf(folder: string, tarballs: Map<string, Buffer>): Buffer {
  const name = basename(folder);
  const made =
    tarballs.get(folder) ??
    execFileSync("tar", ["-cf", "-", `--exclude=${name}/node_modules`, "-C", dirname(folder), name], {
      maxBuffer: 1024 ** 3,
    });
  tarballs.set(folder, made);
  return made;
}
