// Names a project: the shortest end of its path, or of the address of
// its repository, that no other project has. Pure; ingest writes the names into
// the store, and questions may use them.

/** @returns a name for each project, by its identity (`git:host/owner/name`, `root:/path`, `path:/path`) */
export function projectNames(projects: Iterable<string>): Map<string, string> {
  const paths = new Map([...new Set(projects)].map((project) => [project, componentsOf(project)]));
  const names = new Map<string, string>();
  let unnamed = [...paths.keys()];
  for (let length = 1; unnamed.length > 0; length++) {
    const ends = Map.groupBy(unnamed, (project) => endOf(paths.get(project)!, length).toLowerCase());
    unnamed = [];
    for (const sharing of ends.values()) {
      // Two can have the same path (a repository, and a folder that once was
      // there): nothing longer distinguishes them.
      const isWhole = sharing.every((project) => paths.get(project)!.length <= length);
      if (sharing.length > 1 && !isWhole) unnamed.push(...sharing);
      else for (const project of sharing) names.set(project, endOf(paths.get(project)!, length));
    }
  }
  return names;
}

function componentsOf(project: string): string[] {
  const components = project
    .replace(/^(?:git|root|path):/, "")
    .split("/")
    .filter((component) => component !== "");
  return components.length === 0 ? ["/"] : components;
}

function endOf(components: readonly string[], length: number): string {
  return components.slice(-length).join("/");
}
