// Renders Markdown as nodes of the page. Each token of the parser becomes an
// element; text is never parsed as HTML, so hostile notes stay text. Used for
// notes and messages.
import { h, type ComponentChildren, type VNode } from "preact";
import MarkdownIt, { type Token } from "markdown-it";
import { Icon } from "../components/components.ts";
import { nameIn } from "../../src/kernel/kernel.ts";
import { addressOf, anchorOf, decodeText, noteAddress, SEARCH } from "../navigation/navigation.ts";
import { CodeBlock } from "./code-block.tsx";
import { Callout, calloutIn } from "./callout.tsx";
import { addObsidian } from "./obsidian.ts";
import { isImagePath, MarkdownImage } from "./image.tsx";
import { firstTextIn, plainText } from "./node-text.ts";

/** How links and embeds are resolved, which depends on the note. */
export interface RenderContext {
  /** Finds the target of a link. */
  readonly resolve: (target: string) => Resolved;
  /** Renders an embed that is not an image. */
  readonly embed?: (target: string) => VNode;
  /** Renders the box of the task in a line, counted from 0; without it, boxes cannot be ticked. */
  readonly box?: (line: number, state: string) => VNode | undefined;
  /** Marks each block with the line that it begins in, counted from 0. */
  readonly marksLines?: true;
}

/** The page's address of a link's target, that there is no such file, or that it is not known yet. */
export type Resolved = { readonly address: string } | "missing" | "unknown";

export interface Rendered {
  /** The blocks of the text. */
  readonly nodes: readonly ComponentChildren[];
  readonly headings: readonly Heading[];
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Without this, "notes.md" and "example.com" would become links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
addObsidian(markdown);

export function renderMarkdown(text: string, context: RenderContext): Rendered {
  return new Builder(context).render(text);
}

interface Frame {
  readonly token: Token | undefined;
  readonly children: ComponentChildren[];
}

class Builder {
  readonly #context: RenderContext;
  readonly #headings: Heading[] = [];
  readonly #ids = new Map<string, number>();
  readonly #definitions = new Map<string, string>();
  /** In the order of their first references. */
  readonly #footnotes: string[] = [];
  #isInFootnotes = false;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  render(text: string): Rendered {
    const tokens = markdown.parse(text, {});
    for (const { type, content, meta } of tokens)
      if (type === "footnote_definition") this.#definitions.set(String(meta!["name"]), content);
    const nodes = this.#build(tokens);
    return { nodes: [...nodes, this.#footnoteList()], headings: this.#headings };
  }

  #build(tokens: readonly Token[]): ComponentChildren[] {
    const stack: Frame[] = [{ token: undefined, children: [] }];
    for (const token of tokens) {
      if (token.nesting === 1) {
        stack.push({ token, children: [] });
        continue;
      }
      if (token.nesting === -1) {
        const { token: opening, children } = stack.pop()!;
        stack.at(-1)!.children.push(this.#element(opening!, children));
        continue;
      }
      stack.at(-1)!.children.push(this.#leaf(token));
    }
    return stack[0]!.children;
  }

  #element(token: Token, children: ComponentChildren[]): ComponentChildren {
    switch (token.type) {
      case "paragraph_open":
        return token.hidden ? children : <p {...this.#line(token)}>{children}</p>;
      case "heading_open":
        return this.#heading(token, children);
      case "link_open":
        return this.#link(String(token.attrGet("href") ?? ""), children);
      case "blockquote_open":
        return this.#quote(children);
      case "list_item_open":
        return this.#item(children, token);
      case "ordered_list_open":
        return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
      case "table_open":
        return (
          <div class="table" tabIndex={0} role="group" aria-label="Table">
            <table>{children}</table>
          </div>
        );
      case "th_open":
      case "td_open": {
        const [, align = ""] = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? "")) ?? [];
        return h(token.tag, align === "" ? {} : { class: `align-${align}` }, children);
      }
      default:
        return h(token.tag, token.type === "tr_open" ? this.#line(token) : null, children);
    }
  }

  /** Footnotes are parsed by themselves: their lines are not those of the note. */
  #line({ map }: Token): { readonly "data-line"?: number } {
    const isMarked = this.#context.marksLines === true && !this.#isInFootnotes && map;
    return isMarked ? { "data-line": map[0] } : {};
  }

  #leaf(token: Token): ComponentChildren {
    const { type, content } = token;
    switch (type) {
      case "inline":
        return this.#build(token.children ?? []);
      case "text":
      case "text_special":
        return content;
      case "softbreak":
      case "hardbreak":
        return <br />;
      case "code_inline":
        return <code>{content}</code>;
      case "fence":
      case "code_block":
        return <CodeBlock text={content.replace(/\n$/, "")} language={token.info.trim().split(/\s/)[0] ?? ""} />;
      case "hr":
        return <hr />;
      case "image":
        return this.#image(String(token.attrGet("src") ?? ""), textOf(token.children ?? []) || token.content);
      case "wikilink":
        return this.#wikilink(content, token.meta?.["label"] as string | undefined);
      case "embed":
        return this.#embed(content, token.meta?.["label"] as string | undefined);
      case "tag":
        return (
          <a class="tag" href={addressOf({ ...SEARCH, query: `tag:#${content}` })}>
            #{content}
          </a>
        );
      case "math":
        return <code class="math">{content}</code>;
      case "block_id":
        return <span id={anchorOf(`^${content}`)} />;
      case "footnote_ref":
        return this.#footnoteReference(content);
      default:
        return null;
    }
  }

  #heading(token: Token, children: ComponentChildren[]): VNode {
    const text = plainText(children);
    const anchor = anchorOf(text);
    const count = this.#ids.get(anchor) ?? 0;
    this.#ids.set(anchor, count + 1);
    const id = count === 0 ? anchor : `${anchor}-${count}`;
    this.#headings.push({ level: Number(token.tag.slice(1)), text, id });
    return h(token.tag, { id, ...this.#line(token) }, children);
  }

  /** External links are marked and open in a new tab. Of other schemes only mailto is allowed. */
  #link(target: string, children: ComponentChildren[]): VNode {
    if (/^(?:https?:\/\/|mailto:)/i.test(target)) {
      return (
        <a class="external" href={target} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    }
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return <span class="broken">{children}</span>;
    return this.#internalLink(decodeText(target), children);
  }

  #wikilink(target: string, label: string | undefined): VNode {
    return this.#internalLink(target, [label || target.replace(/#\^?/g, " › ").replace(/^ › /, "")]);
  }

  #internalLink(target: string, children: ComponentChildren[]): VNode {
    const [path = "", ...subpath] = target.split("#");
    const heading = subpath.at(-1) ?? "";
    const anchor = heading === "" ? "" : `#${encodeURIComponent(anchorOf(heading))}`;
    if (path === "") return <a href={anchor}>{children}</a>;
    const resolved = this.#context.resolve(path.trim());
    if (resolved === "unknown") return <span class="unresolved">{children}</span>;
    if (resolved === "missing")
      // In a conversation a link often names a file of a project, and not a note to make.
      return this.#context.marksLines !== true ? (
        <span class="broken" title="There is no file with this name">
          {children}
        </span>
      ) : (
        <a class="broken" href={noteAddress(nameOfNew(path))} title="There is no note of this name yet: make it">
          {children}
        </a>
      );
    return <a href={resolved.address + anchor}>{children}</a>;
  }

  #image(target: string, description: string): VNode {
    if (/^https?:/i.test(target)) return <MarkdownImage remote={target} description={description} />;
    const isForeign = /^[a-z][a-z\d+.-]*:/i.test(target);
    const file = isForeign ? "missing" : this.#context.resolve(decodeText(target));
    return <MarkdownImage file={file} description={description || nameIn(target)} />;
  }

  #embed(target: string, label: string | undefined): ComponentChildren {
    const [path = ""] = target.split("#");
    if (isImagePath(path)) {
      const [, width] = /^(\d+)(?:x\d+)?$/.exec(label ?? "") ?? [];
      const file = this.#context.resolve(path.trim());
      return <MarkdownImage file={file} description={width ? nameIn(path) : (label ?? nameIn(path))} width={width} />;
    }
    return this.#context.embed?.(target) ?? this.#wikilink(target, label);
  }

  #quote(children: ComponentChildren[]): VNode {
    const callout = calloutIn(children);
    return callout === undefined ? <blockquote>{children}</blockquote> : <Callout {...callout} />;
  }

  /** A list item; a task if it starts with `[ ]` or another state. */
  #item(children: ComponentChildren[], token: Token): VNode {
    const line = token.map?.[0];
    const first = firstTextIn(children);
    const [mark, state = " "] = /^\[(.)\]\s/.exec(first?.text ?? "") ?? [];
    if (first === undefined || mark === undefined) return <li {...this.#line(token)}>{children}</li>;
    first.replace(first.text.slice(mark.length));
    const isDone = state !== " ";
    const box = line === undefined ? undefined : this.#context.box?.(line, state);
    return (
      <li class={`task${isDone && state !== "/" ? " is-done" : ""}`} data-state={state} {...this.#line(token)}>
        {box ?? (
          <span
            class="box"
            role="img"
            aria-label={isDone ? "Done" : "To do"}
            data-state={isDone ? "checked" : "unchecked"}
          >
            {isDone && <Icon name="done" />}
          </span>
        )}
        <div>{children}</div>
      </li>
    );
  }

  #footnoteReference(name: string): ComponentChildren {
    if (!this.#definitions.has(name)) return `[^${name}]`;
    if (!this.#footnotes.includes(name)) this.#footnotes.push(name);
    const number = this.#footnotes.indexOf(name) + 1;
    return (
      <sup class="footnote-ref">
        <a href={`#${anchorOf(`footnote ${name}`)}`} aria-label={`Footnote ${number}`}>
          {number}
        </a>
      </sup>
    );
  }

  #footnoteList(): ComponentChildren {
    if (this.#footnotes.length === 0) return null;
    const items: VNode[] = [];
    this.#isInFootnotes = true;
    // A footnote may refer to another one, which is then appended to the list.
    for (const name of this.#footnotes) {
      const content = this.#build(markdown.parse(this.#definitions.get(name)!, {}));
      items.push(<li id={anchorOf(`footnote ${name}`)}>{content}</li>);
    }
    return (
      <section class="footnotes" role="group" aria-label="Footnotes">
        <ol>{items}</ol>
      </section>
    );
  }
}

/** The path that a note gets whose name is all that is known of it. */
function nameOfNew(target: string): string {
  const path = target.trim();
  return /\.[\p{L}\p{N}]{1,8}$/u.test(path) ? path : `${path}.md`;
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ content }) => content).join("");
}
