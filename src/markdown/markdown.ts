// The front door of markdown/: what other rooms may use of it.
export { lastAtMost } from "./ascending.ts";
export { findBlock } from "./blocks.ts";
export { canvasText } from "./canvas-text.ts";
export { describeCanvas } from "./canvas-words.ts";
export {
  appendText,
  appendToSection,
  deleteOnce,
  findAndReplace,
  prependText,
  prependToSection,
  replaceAllOf,
  replaceLines,
  replaceOnce,
  rewriteText,
  type FindAndReplace,
} from "./edits/edits.ts";
export { isOnlyInCloud, kindOfFile, placeholderFor, type DocumentKind } from "./file-names.ts";
export { findLinks, linkedTextOf, type Link } from "./links/links.ts";
export { linkPlanner, namesTouchedBy, targetRuleOf, type LinkFormat, type MovePlan } from "./links/move-plan.ts";
export { NameTable, linkName, type TargetRule } from "./links/resolution.ts";
export { factsInSteps, factsOf, noteLinkOf, taskBoxes, type NoteLink, type Task } from "./note-facts.ts";
export {
  BinaryFile,
  lineEndingOf,
  lineNumberAt,
  lineStartsOf,
  readNoteText,
  writeNoteText,
  type NoteText,
} from "./note-text.ts";
export { proseOf } from "./prose.ts";
export { updateProperties } from "./properties/edits.ts";
export { isListProperty, itemsOf, newValues, type PropertyChange } from "./properties/list-properties.ts";
export { knownPropertyType, PROPERTY_TYPES, propertyType, type PropertyType } from "./properties/property-type.ts";
export { frontmatterRange, readProperties, readYaml } from "./properties/frontmatter.ts";
export { findFrontmatter, scanMarkdown, type CheckBox, type Heading, type Passage } from "./scanner/scanner.ts";
export { isWhiteLine, trimWhite, trimWhiteEnd, trimWhiteStart } from "./scanner/white-space.ts";
export { findSection } from "./sections.ts";
export { renameHeadingsInLinks, type HeadingRename } from "./tags/heading-links.ts";
export { foldedTag, readTagRename, type TagRename } from "./tags/tag-name.ts";
export { renameTagIn } from "./tags/tags.ts";
export { type TextEdit, withEdits } from "./tags/text-edit.ts";
