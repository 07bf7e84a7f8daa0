// The front door of diff/: changes of texts as people read them. Loaded with the
// first view that shows one.
export { countLines, stepsBetween } from "./line-steps.ts";
export { LineDifference } from "./line-difference.tsx";
export { TextDifference } from "./text-difference.tsx";
