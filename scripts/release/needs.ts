// What a publication needs, and whether it is there. Pure, but for what it is
// given; used by `npm run release-check`.

/** The files that say something about a release, as text; undefined if there is none. */
export interface ReleaseFiles {
  readonly "package.json": string;
  readonly "server.json": string;
  readonly "CHANGELOG.md": string;
  readonly LICENSE: string | undefined;
  readonly "plugin/.claude-plugin/plugin.json": string | undefined;
  readonly ".github/workflows/release.yml": string | undefined;
}

/** What the registry of npm says about the name: whose it is, or that it could not be asked. */
export type NameOnNpm = { readonly repository: string | undefined } | "free" | "not asked";

export interface Need {
  readonly what: string;
  readonly isThere: boolean;
  /** What to do if it is missing. */
  readonly todo: string;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly mcpName?: string;
  readonly repository?: string | { readonly url?: string };
  readonly homepage?: string;
  readonly bugs?: unknown;
  readonly publishConfig?: { readonly provenance?: boolean; readonly access?: string };
}

interface Server {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url?: string; readonly source?: string };
  readonly packages: readonly { readonly identifier: string; readonly version: string }[];
}

export function releaseNeeds(files: ReleaseFiles, name: NameOnNpm): Need[] {
  const own = JSON.parse(files["package.json"]) as Package;
  const server = JSON.parse(files["server.json"]) as Server;
  const plugin = JSON.parse(files["plugin/.claude-plugin/plugin.json"] ?? "{}") as { readonly version?: string };
  const workflow = files[".github/workflows/release.yml"] ?? "";
  const url = addressOf(typeof own.repository === "string" ? own.repository : own.repository?.url);
  const owner = /^github\.com\/([^/]+)\//.exec(url ?? "")?.[1];
  return [
    need(
      "package.json has a repository",
      url !== undefined,
      'add "repository": {"type": "git", "url": "git+https://…"}',
    ),
    need("package.json has homepage and bugs", own.homepage !== undefined && own.bugs !== undefined, "add both"),
    need(
      "package.json asks for provenance and public access",
      own.publishConfig?.provenance === true && own.publishConfig.access === "public",
      'add "publishConfig": {"provenance": true, "access": "public"}',
    ),
    need(
      `the name ${own.name} on npm is ours or free`,
      name === "free" || (typeof name === "object" && url !== undefined && addressOf(name.repository) === url),
      name === "not asked" ? "the registry could not be asked: try again with a network" : "choose another name",
    ),
    need(
      "server.json has a repository",
      addressOf(server.repository?.url) === url && url !== undefined,
      "add it, the same as in package.json",
    ),
    need(
      "the name in the MCP registry belongs to the repository's owner",
      owner !== undefined && server.name.startsWith(`io.github.${owner}/`),
      `${server.name} can only be registered by its owner: rename it in server.json and as mcpName in package.json`,
    ),
    need("mcpName is the name in server.json", own.mcpName === server.name, "make them equal"),
    need(
      "all versions are the same",
      new Set([own.version, server.version, plugin.version, ...server.packages.map(({ version }) => version)]).size ===
        1,
      `set ${own.version} everywhere, and run npm run plugin`,
    ),
    need(
      "server.json names the package",
      server.packages.some(({ identifier }) => identifier === own.name),
      `add ${own.name} to its packages`,
    ),
    need(
      "CHANGELOG.md has the version, and nothing unreleased",
      new RegExp(`^## ${own.version.replaceAll(".", "\\.")}\\b`, "m").test(files["CHANGELOG.md"]) &&
        !/^## Unreleased\n+- /m.test(files["CHANGELOG.md"]),
      `move what is under "## Unreleased" to "## ${own.version}"`,
    ),
    need("there is a licence", files.LICENSE !== undefined, "add LICENSE"),
    need(
      "a workflow publishes a tag with provenance",
      /id-token: write/.test(workflow) && /npm publish --provenance/.test(workflow),
      "add .github/workflows/release.yml",
    ),
  ];
}

function need(what: string, isThere: boolean, todo: string): Need {
  return { what, isThere, todo };
}

/** `git+https://github.com/a/b.git` and `https://github.com/a/b` are one address. */
function addressOf(url: string | undefined): string | undefined {
  const found = url?.replace(/^(?:git\+)?(?:https?|ssh):\/\/(?:git@)?|^github:/, (start) =>
    start === "github:" ? "github.com/" : "",
  );
  return found?.replace(/\.git$|\/$/g, "").toLowerCase();
}
