// The files that expressions are about, and what they know of each other.
// Implemented by query/ from the note index.

export interface FileFacts {
  readonly path: string;
  readonly size: number;
  /** Milliseconds. */
  readonly mtime: number;
  readonly ctime: number;
  /** Without `#`, as written. */
  readonly tags: readonly string[];
  /** As in the frontmatter. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: readonly FileLink[];
}

export interface FileLink {
  readonly target: string;
  readonly subpath: string;
  readonly isEmbed: boolean;
}

export interface World {
  /** The file that a link in a note leads to; undefined if there is none. */
  readonly resolve: (target: string, from: string) => string | undefined;
  readonly file: (path: string) => FileFacts | undefined;
  /** The files that a file links to, each once. */
  readonly linked: (file: FileFacts) => ReadonlySet<string>;
  /** The files that link to a file, sorted by path. */
  readonly backlinks: (path: string) => readonly string[];
}
