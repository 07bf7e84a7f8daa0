// Folders of other people's code or of a machine's making that nobody means by
// "the files of this project", even where no ignore file says so.
export const SKIPPED_FOLDERS: readonly string[] = [
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".git",
  ".hg",
  ".svn",
];
