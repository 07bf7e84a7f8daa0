// Markdown as nodes of the page. The parser's tokens become elements one by one:
// at no point is text read as HTML, so whatever a note holds stays text.
import { h, type ComponentChildren, type VNode } from "preact";
import MarkdownIt, { type Token } from "markdown-it";
import { Icon } from "../components/components.ts";
import { CodeBlock } from "./code-block.tsx";
import { Callout, calloutIn } from "./callout.tsx";
import { addObsidian } from "./obsidian.ts";
import { isPicture, Picture } from "./image.tsx";
import { anchorOf, firstTextIn, plainText } from "./node-text.ts";

/** How the text's links and embeds are shown: that depends on where it stands. */
export interface Surroundings {
  /** The address of a link's target within the page; undefined where it leads nowhere. */
  readonly resolve: (target: string) => string | undefined;
  /** What stands in the place of an embed that is no image. */
  readonly embed?: (target: string) => VNode;
}

export interface Rendered {
  /** The blocks of the text, in order. */
  readonly nodes: readonly ComponentChildren[];
  readonly headings: readonly Heading[];
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Only what is written as an address is one: "notes.md" and "example.com" are words.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
addObsidian(markdown);

export function renderMarkdown(text: string, surroundings: Surroundings): Rendered {
  return new Builder(surroundings).render(text);
}

interface Frame {
  readonly token: Token | undefined;
  readonly children: ComponentChildren[];
}

class Builder {
  readonly #surroundings: Surroundings;
  readonly #headings: Heading[] = [];
  readonly #ids = new Map<string, number>();
  readonly #definitions = new Map<string, string>();
  /** In the order in which they are first referred to. */
  readonly #footnotes: string[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
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
      stack.at(-1)!.children.push(this.#single(token));
    }
    return stack[0]!.children;
  }

  #element(token: Token, children: ComponentChildren[]): ComponentChildren {
    switch (token.type) {
      case "paragraph_open":
        return token.hidden ? children : <p>{children}</p>;
      case "heading_open":
        return this.#heading(token, children);
      case "link_open":
        return this.#link(String(token.attrGet("href") ?? ""), children);
      case "blockquote_open":
        return this.#quote(children);
      case "list_item_open":
        return this.#item(children);
      case "ordered_list_open":
        return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
      case "table_open":
        return (
          <div class="table" tabIndex={0} role="region" aria-label="Table">
            <table>{children}</table>
          </div>
        );
      case "th_open":
      case "td_open": {
        const [, align = ""] = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? "")) ?? [];
        return h(token.tag, align === "" ? {} : { class: `align-${align}` }, children);
      }
      default:
        return h(token.tag, null, children);
    }
  }

  #single(token: Token): ComponentChildren {
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
        return this.#wikilink(content, token.meta?.["shown"] as string | undefined);
      case "embed":
        return this.#embed(content, token.meta?.["shown"] as string | undefined);
      case "tag":
        return (
          <a class="tag" href={`/search?q=${encodeURIComponent(`tag:#${content}`)}`}>
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
    return h(token.tag, { id }, children);
  }

  /** What leads out of the page says so, and opens apart; nothing but the web and mail is followed. */
  #link(target: string, children: ComponentChildren[]): VNode {
    if (/^(?:https?:\/\/|mailto:)/i.test(target)) {
      return (
        <a class="outside" href={target} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    }
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return <span class="broken">{children}</span>;
    return this.#inside(decoded(target), children);
  }

  #wikilink(target: string, shown: string | undefined): VNode {
    return this.#inside(target, [shown || target.replace(/#\^?/g, " › ").replace(/^ › /, "")]);
  }

  #inside(target: string, children: ComponentChildren[]): VNode {
    const [path = "", ...subpath] = target.split("#");
    const heading = subpath.at(-1) ?? "";
    const anchor = heading === "" ? "" : `#${encodeURIComponent(anchorOf(heading))}`;
    const address = path === "" ? anchor : this.#surroundings.resolve(path.trim());
    if (address === undefined)
      return (
        <span class="broken" title="Nothing has this name">
          {children}
        </span>
      );
    return <a href={path === "" ? anchor : address + anchor}>{children}</a>;
  }

  #image(source: string, description: string): VNode {
    if (/^https?:/i.test(source)) return <Picture remote={source} description={description} />;
    const address = /^[a-z][a-z\d+.-]*:/i.test(source) ? undefined : this.#surroundings.resolve(decoded(source));
    return <Picture local={address} description={description || nameIn(source)} />;
  }

  #embed(target: string, shown: string | undefined): ComponentChildren {
    const [path = ""] = target.split("#");
    if (isPicture(path)) {
      const [, width] = /^(\d+)(?:x\d+)?$/.exec(shown ?? "") ?? [];
      const local = this.#surroundings.resolve(path.trim());
      return <Picture local={local} description={width ? nameIn(path) : (shown ?? nameIn(path))} width={width} />;
    }
    return this.#surroundings.embed?.(target) ?? this.#wikilink(target, shown);
  }

  #quote(children: ComponentChildren[]): VNode {
    const callout = calloutIn(children);
    return callout === undefined ? <blockquote>{children}</blockquote> : <Callout {...callout} />;
  }

  /** `- [ ]` and its kin. */
  #item(children: ComponentChildren[]): VNode {
    const first = firstTextIn(children);
    const [mark, state = " "] = /^\[(.)\]\s/.exec(first?.text ?? "") ?? [];
    if (first === undefined || mark === undefined) return <li>{children}</li>;
    first.replace(first.text.slice(mark.length));
    const isDone = state !== " ";
    return (
      <li class={`task${isDone && state !== "/" ? " is-done" : ""}`} data-state={state}>
        <span
          class="box"
          role="img"
          aria-label={isDone ? "Done" : "To do"}
          data-state={isDone ? "checked" : "unchecked"}
        >
          {isDone && <Icon name="done" />}
        </span>
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
    // A footnote may refer to another, which then joins the list.
    for (const name of this.#footnotes) {
      const content = this.#build(markdown.parse(this.#definitions.get(name)!, {}));
      items.push(<li id={anchorOf(`footnote ${name}`)}>{content}</li>);
    }
    return (
      <section class="footnotes" aria-label="Footnotes">
        <ol>{items}</ol>
      </section>
    );
  }
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ content }) => content).join("");
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
