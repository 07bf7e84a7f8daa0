// The front door of markdown/: what other rooms may use of it.
export { CodeBlock } from "./code-block.tsx";
export { CopyButton } from "./copy-button.tsx";
export { matchMarks, scrollToFirst } from "./match-highlights.ts";
export { type Heading, type Rendered, renderMarkdown } from "./nodes.tsx";
export { isPicture, Picture } from "./image.tsx";
