// The script that osascript runs: reads one request from standard input, carries it
// out in OmniOutliner and returns the answer as JSON. Data becomes part of a script
// only as one string literal, which is parsed as JSON. With edits.js and
// dictionary.js before it, this is a complete script of JavaScript for Automation.

ObjC.import("Foundation");

function run() {
  return answerTo(JSON.parse(standardInput()));
}

function standardInput() {
  const data = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
  return ObjC.unwrap($.NSString.alloc.initWithDataEncoding(data, $.NSUTF8StringEncoding));
}

function answerTo(request) {
  const app = Application("OmniOutliner");
  // Any other property would start the application.
  if (!app.running()) return JSON.stringify({ isRunning: false });
  const open = app.documents();
  const at = request.paths === null ? 0 : open.findIndex((doc) => isAt(doc, request.paths));
  const doc = open[at];
  if (doc === undefined) return JSON.stringify({ isRunning: true, isOpen: false });
  // Omni Automation can access the frontmost document only.
  const way = at === 0 ? request.way || probe(app) : "dictionary";
  const name = doc.name();
  const facts = { isRunning: true, isOpen: true, way, isFrontmost: at === 0, name, path: pathOf(doc) };
  const body = { ...request, name };
  const answer =
    request.do === "look"
      ? JSON.stringify({ version: app.version(), modified: doc.modified() })
      : (way === "automation" && byAutomation(app, body)) || byDictionary(app, doc, body);
  // Not parsed and serialised again, since the answer may be long.
  return `{"facts":${JSON.stringify(facts)},"answer":${answer}}`;
}

function pathOf(doc) {
  const file = doc.file();
  return file ? file.toString() : null;
}

/** By its path, or by its name, which is without a slash. File names may be in either Unicode normalisation form. */
function isAt(doc, paths) {
  const path = pathOf(doc);
  return paths.some((each) =>
    each.includes("/")
      ? path !== null && each.normalize("NFC") === path.normalize("NFC")
      : plainName(each) === plainName(doc.name()),
  );
}

function plainName(name) {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/\.(?:ooutline|oo3|opml)$/, "");
}

/** Returns whether the application supports Omni Automation; the caller remembers the answer. */
function probe(app) {
  try {
    return app.evaluateJavascript("typeof document.outline.rootItem.children") === "object"
      ? "automation"
      : "dictionary";
  } catch (error) {
    if (isOfTheSystem(error)) throw error;
    return "dictionary";
  }
}

/** Not allowed, not running, or no answer in time: the other interface would fail too. */
function isOfTheSystem(error) {
  return [-1743, -600, -609, -1712].includes(error.errorNumber);
}

function byDictionary(app, doc, request) {
  try {
    return JSON.stringify(answerOf(dictionaryOutline(app, doc), request));
  } catch (error) {
    if (error.errorNumber !== undefined) throw error;
    return JSON.stringify({ failed: messageOf(error) });
  }
}

/** A script may have about 260,000 characters: long lists of edits are sent in parts. */
const MAX_LENGTH = 250000;

/** Undefined if another document has become frontmost. */
function byAutomation(app, request) {
  const { inside, ...body } = request;
  const sourceOf = (part) => `(${inside})(JSON.parse(${literal(JSON.stringify(part))}))`;
  const source = sourceOf(body);
  if (source.length > MAX_LENGTH && body.do === "change")
    return byParts(body, (part) => app.evaluateJavascript(sourceOf(part)));
  const answer = app.evaluateJavascript(source);
  return answer === ELSEWHERE ? undefined : answer;
}

const ELSEWHERE = JSON.stringify({ isElsewhere: true });

/** Applies one edit after the other; if one fails, those before it are rolled back. */
function byParts(body, ask) {
  const parts = { added: [], renamed: [], inverse: [] };
  let before;
  for (const [at, edit] of body.edits.entries()) {
    const expects = at === 0 ? body.expects : [];
    const part = { ...body, edits: [resolved(edit, parts.added)], expects, from: parts.added.length, withRows: false };
    const text = ask(part);
    const answer = JSON.parse(text);
    if (at === 0 && text === ELSEWHERE) return undefined;
    if (at === 0 && answer.isDone === false) return text;
    if (answer.isDone !== true)
      return rolledBack(answer, parts.inverse, (edits) => ask({ ...part, edits, expects: [] }));
    before = before || answer.before;
    for (const list of Object.keys(parts)) parts[list] = parts[list].concat(answer[list]);
  }
  const done = JSON.stringify({ isDone: true, before, added: parts.added, renamed: parts.renamed });
  return `${done.slice(0, -1)},${ask({ ...body, do: "read", edits: [], expects: [] }).slice(1)}`;
}

/** Fills in the ids of parents that earlier parts have added. */
function resolved(edit, added) {
  if (edit.kind !== "add") return edit;
  const rows = edit.rows.map((row) =>
    row.parent !== -1 && row.parent < added.length ? { ...row, parentId: added[row.parent] } : row,
  );
  return { ...edit, rows };
}

function rolledBack(answer, inverse, ask) {
  const pending = inverse.slice();
  while (pending.length > 0) {
    const edits = [];
    for (
      let length = 0;
      pending.length > 0 && length < 50000;
      length += literal(JSON.stringify(edits[edits.length - 1])).length
    )
      edits.push(pending.pop());
    const { isDone, failed = "BUSY" } = JSON.parse(ask(edits));
    if (isDone !== true) return JSON.stringify({ failed: `HALF DONE: ${answer.failed} Then: ${failed}` });
  }
  return JSON.stringify({ failed: answer.failed || "BUSY" });
}

/** A text as an ASCII string literal: nothing in it can end the literal or become code. */
function literal(text) {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
