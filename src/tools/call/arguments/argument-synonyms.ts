// The names under which models send arguments, as data: what is taken for which
// argument of a tool. Case and separators do not count:
// `file_path` is `filePath`. Used by argument-names.ts.

export interface Synonyms {
  /** Names of the field in the tools: each is taken for the others, too. */
  readonly fields: readonly string[];
  /** Other names, with spaces between them. */
  readonly names: string;
  /** Only of tools that have one of these arguments as well. */
  readonly beside?: readonly string[];
  /** Only of tools that read: a name is too little to write by. */
  readonly isForReading?: true;
  /** Converts the value for the field. */
  readonly meaning?: (value: unknown) => unknown;
}

export const PREVIEW_NAMES = "preview previewOnly dryRun dry simulate simulation whatIf testRun";

export const FOLDERS = "folder folderPath folderName directory directoryPath dir inFolder";
export const OUTLINES = "document documentPath outline outlineName outlinePath file fileName filePath path";

/** A name stands for the first field of the first row that the tool has, that was not sent, and that can read the value. */
export const SYNONYMS: readonly Synonyms[] = [
  // Places and times.
  {
    fields: ["since"],
    names: "from after start startDate dateFrom fromDate sinceDate newerThan",
  },
  { fields: ["until"], names: "to before end endDate dateTo toDate untilDate olderThan" },
  { fields: ["days_lookback"], names: "days lookback lookbackDays daysBack lastDays pastDays" },
  { fields: ["startLine"], names: "start fromLine lineStart firstLine lineNumber line from" },
  { fields: ["endLine"], names: "end toLine lineEnd lastLine to" },

  // Notes and folders.
  {
    fields: ["path", "filePath"],
    names: "file fileName note notePath noteName page document documentPath outline filePaths paths files notes",
  },
  {
    fields: ["path", "sourcePath"],
    names: "from source src oldPath fromPath currentPath sourceFile",
    beside: ["newPath", "targetPath"],
  },
  { fields: ["documentName"], names: `${OUTLINES} inDocument` },
  {
    fields: ["newPath", "targetPath"],
    names: "to toPath target destination dest destinationPath newLocation newFilePath newFile new",
  },
  {
    fields: ["path", "rootFolder", "paths", "output_dir"],
    names: FOLDERS,
  },
  {
    fields: ["newPath", "targetPath"],
    names: `${FOLDERS} targetFolder destinationFolder newFolder toFolder into`,
    // A note that is put into a folder keeps its name.
    meaning: (value) => (typeof value === "string" && !value.endsWith("/") ? `${value}/` : value),
  },
  { fields: ["paths"], names: "path filePath folders directories in within" },
  { fields: ["depth", "maxDepth"], names: "levels level maxLevel maxLevels" },
  { fields: ["filter"], names: "pattern glob match query search name" },
  { fields: ["filePath"], names: "title name", isForReading: true },
  { fields: ["rowId"], names: "heading title topic name", isForReading: true },
  { fields: ["heading"], names: "section header sectionName headingName underHeading under" },
  { fields: ["overwrite"], names: "force replace overwriteExisting" },
  { fields: ["type"], names: "kind direction linkType operation op action" },

  // Text.
  {
    fields: ["oldContent", "findText"],
    names: "old oldText oldString oldStr find search searchText original from",
  },
  {
    fields: ["newContent", "replaceText"],
    names: "new newText newString newStr replace replacement replaceWith replacementText with to content text",
  },
  {
    fields: ["content"],
    names: "text body markdown contents noteContent newContent value data rows items",
  },
  { fields: ["topic"], names: "text title name label content item task newTopic newText" },
  { fields: ["note"], names: "notes description details comment body text content" },
  {
    fields: ["set"],
    names: "properties frontmatter metadata props fields values updates update yaml",
  },
  { fields: ["unset"], names: "remove delete removeProperties keysToRemove" },

  // Rows.
  {
    fields: ["newParentId", "parentId"],
    names:
      "parent newParent parentRow parentRowId newParentRowId targetParent targetParentId under underId target targetId destination destinationId to toId into within",
  },
  {
    fields: ["siblingId"],
    names: "sibling siblingRowId relativeTo reference referenceId anchor anchorId",
  },
  { fields: ["under"], names: "parentId parent rowId id within in below section sectionId" },
  {
    fields: ["rowId", "id"],
    names: "row node nodeId item itemId section sectionId parentId parent",
    beside: ["rowId"],
  },
  { fields: ["state"], names: "status checkbox checkState" },
  { fields: ["confirm", "confirmed"], names: "confirmation confirmDelete" },
  { fields: ["preview"], names: PREVIEW_NAMES },

  // Conversations and projects.
  {
    fields: ["id"],
    names: "ids conversation conversationId conversationIds chat chatId session sessionId thread threadId uuid",
    beside: ["around", "conversation_filter"],
  },
  { fields: ["id"], names: "undoId changeId entryId entry change historyId operationId" },
  { fields: ["id", "rowId"], names: "" },
  { fields: ["count"], names: "steps times last number n", beside: ["session"] },
  { fields: ["around"], names: "message messageId aroundMessage near" },
  { fields: ["roles"], names: "role speaker author" },
  {
    fields: ["includeTools", "include_tools"],
    names: "tools withTools toolCalls includeToolCalls showTools thinking includeThinking",
  },
  {
    fields: ["tools"],
    names: "tool source sources sourceTool assistant assistants app apps program agent",
  },
  { fields: ["conversation_types"], names: "type types conversationType category categories" },
  { fields: ["conversation_filter"], names: "query title name filter search searchQuery keyword" },
  { fields: ["workspace_filter"], names: "workspace workspaceId workspaceHash project" },
  {
    fields: ["output_dir"],
    names: "output out outputPath outputFolder outputDirectory destination dest path saveTo",
  },
  { fields: ["format"], names: "type outputFormat fileFormat as" },
  {
    fields: ["project"],
    names: "repo repository projectPath projectName workspace workspacePath cwd folder",
  },
  { fields: ["file"], names: "path filePath fileName note" },
  { fields: ["file_types", "fileTypes"], names: "extension extensions ext fileExtensions types type" },
  { fields: ["include_stats"], names: "stats statistics includeStatistics" },
  { fields: ["tags"], names: "tag" },

  // Tasks.
  { fields: ["dueBy"], names: "dueBefore before beforeDate due dueDate dueOn dueUntil deadline until untilDate" },

  // Searches and lists.
  { fields: ["kinds"], names: "kind type types in scope" },
  {
    fields: ["query", "search_query"],
    names: "q search searchTerm searchText searchString term terms keyword keywords words phrase text question topic",
  },
  {
    fields: ["limit", "max_files", "maxResults"],
    names: "max count top topK n num numResults maxCount maxItems pageSize lines",
  },
  { fields: ["name"], names: "title sessionName workspaceName stateName" },
  { fields: ["sessionGoal"], names: "goal" },
  { fields: ["targetSessionId"], names: "id session sessionId" },
];

interface Expansion {
  readonly names: string;
  /** Splits the value into arguments; undefined if it has none. */
  readonly arguments: (value: unknown) => Readonly<Record<string, unknown>> | undefined;
}

/** Names that stand for several arguments, or for another kind of value. Taken if the tool has all of the arguments. */
export const EXPANSIONS: readonly Expansion[] = [
  {
    names: "after afterId afterRow afterRowId afterSibling afterSiblingId insertAfter below",
    arguments: (value) => ({ siblingId: value, relativePosition: "after" }),
  },
  {
    names: "before beforeId beforeRow beforeRowId beforeSibling insertBefore above",
    arguments: (value) => ({ siblingId: value, relativePosition: "before" }),
  },
  {
    names: "done isDone checked isChecked complete completed finished",
    arguments: (value) => yesOrNo(value, { state: "checked" }, { state: "unchecked" }),
  },
  {
    names: "done isDone checked isChecked complete completed finished",
    arguments: (value) => yesOrNo(value, { status: "done" }, { status: "open" }),
  },
  {
    names: "unchecked open isOpen pending incomplete",
    arguments: (value) => yesOrNo(value, { state: "unchecked" }, { state: "checked" }),
  },
  {
    names: "unchecked open isOpen pending incomplete",
    arguments: (value) => yesOrNo(value, { status: "open" }, { status: "done" }),
  },
  {
    names: "includeDone includeCompleted showDone showCompleted withDone",
    arguments: (value) => (isYes(value) ? { status: "all" } : undefined),
  },
  { names: "recursive recurse", arguments: (value) => (isYes(value) ? { depth: 100 } : undefined) },
  { names: "lines lineRange viewRange range", arguments: linesIn },
];

function yesOrNo<T>(value: unknown, yes: T, no: T): T | undefined {
  if (isYes(value)) return yes;
  return value === false || value === "false" ? no : undefined;
}

function isYes(value: unknown): boolean {
  return value === true || value === "true";
}

/** `[10, 20]`, or `10-20`. */
function linesIn(value: unknown) {
  const written =
    Array.isArray(value) && value.length === 2 ? value.filter((one) => typeof one !== "object").join("-") : value;
  const [, first, last] =
    /^\s*(\d{1,9})\s*(?:-|,|:|to)\s*(\d{1,9})\s*$/.exec(typeof written === "string" ? written : "") ?? [];
  return first === undefined ? undefined : { startLine: Number(first), endLine: Number(last) };
}

interface Pair {
  readonly field: string;
  readonly names: string;
  readonly values: string;
}

/** A name and its value that were sent apart, for an argument that is an object of these. */
export const PAIRS: readonly Pair[] = [
  {
    field: "set",
    names: "property propertyName propertyKey name key field fieldName",
    values: "value propertyValue newValue to",
  },
];

/** An object of all arguments, as some models wrap them. */
export const WRAPPERS = "arguments args params parameters input kwargs";
