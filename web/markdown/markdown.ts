// The front door of markdown/: Markdown as nodes of the page, and what is shown
// with it. Loaded with the first view that needs it, mostly for markdown-it.
export { CodeBlock } from "./code-block.tsx";
export { isImagePath, MarkdownImage } from "./image.tsx";
export { highlightMatches, scrollToFirstMatch } from "./match-highlights.ts";
export { renderMarkdown, type Heading, type RenderContext, type Rendered, type Resolved } from "./render.tsx";
