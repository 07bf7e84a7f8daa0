// The front door of outline/: what other rooms may use of it.
export { addRow, deleteRow, insertRows, moveRow, namedWithChildren, updateRow } from "./row-changes.ts";
export { checkedRows, type CheckedRow } from "./check-boxes.ts";
export { isGuideOutline, makeEmbeddedOutline } from "./embedded-outline.ts";
export { rowsOfContent, withoutSectionNote } from "./inserted-content.ts";
export { inspectOutline } from "./file/inspection.ts";
export type { NewRow, Outline, OutlineDocument, Row } from "./model.ts";
export { isOutlineMissing } from "./missing-outline.ts";
export { openAppDocuments } from "./omnioutliner/documents.ts";
export { inspectApplication } from "./omnioutliner/inspection.ts";
export { AppProblem } from "./omnioutliner/problem.ts";
export { openOutlines, type OpenedOutline, type Outlines } from "./outlines.ts";
export { rankRows } from "./search/ranking.ts";
export { ancestorsOf, isRowOf, rowOf, rowsBelow, rowWithId } from "./rows.ts";
export { searchPattern, searchRows } from "./search/row-search.ts";
export { markdownText, markdownWithIds, plainText, sectionOf } from "./section-texts.ts";
