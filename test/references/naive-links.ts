// A second, slow and simple reading of links, written only to check the first:
// what each link of a vault means, by the rules of Obsidian, with nothing
// shared with src/markdown.

/** For each note, canvas or base: the path that each of its links means, in order; undefined for none. */
export function naiveLinks(files: Readonly<Record<string, string>>): Map<string, (string | undefined)[]> {
  const paths = Object.keys(files);
  const found = new Map<string, (string | undefined)[]>();
  for (const [path, text] of Object.entries(files)) {
    if (/\.md$/i.test(path))
      found.set(
        path,
        linksIn(text).map((target) => resolve(target, path, paths)),
      );
    else if (/\.canvas$/i.test(path))
      found.set(
        path,
        canvasTargets(text).map((target) => resolve(target, path, paths)),
      );
  }
  return found;
}

function linksIn(text: string): string[] {
  const prose = text
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, (code) => " ".repeat(code.length))
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (code) => " ".repeat(code.length))
    .replace(/%%[\s\S]*?%%|<!--[\s\S]*?-->/g, (comment) => " ".repeat(comment.length));
  const links: { at: number; target: string }[] = [];
  for (const match of prose.matchAll(/\[\[([^\][\n|#]+?)\\?(?:#[^\][\n|]*)?(?:\|[^\][\n]*)?\]\]/g))
    links.push({ at: match.index, target: match[1]!.trim() });
  for (const match of prose.matchAll(/\]\((?:<([^<>\n]+)>|((?:[^\s()<>]|\([^\s()<>]*\))+))(?:\s+"[^"\n]*")?\)/g)) {
    const [path = ""] = (match[1] ?? match[2]!).split("#");
    if (path !== "" && !/^[a-z][a-z\d+.-]+:/i.test(path)) links.push({ at: match.index, target: decode(path) });
  }
  return links.toSorted((a, b) => a.at - b.at).map(({ target }) => target);
}

function canvasTargets(text: string): string[] {
  const { nodes = [] } = JSON.parse(text || "{}") as { nodes?: { type: string; file?: string; text?: string }[] };
  return nodes.flatMap((node) =>
    node.type === "file" ? [node.file!] : node.type === "text" ? linksIn(node.text!) : [],
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function resolve(target: string, source: string, paths: readonly string[]): string | undefined {
  const folder = source.slice(0, Math.max(0, source.lastIndexOf("/")));
  if (/^\.\.?\//.test(target)) return exactly(normalize(`${folder}/${target}`), paths);
  const wanted = target.replace(/^\//, "");
  const whole = exactly(wanted, paths) ?? exactly(folder === "" ? wanted : `${folder}/${wanted}`, paths);
  if (whole !== undefined) return whole;
  return [wanted, `${wanted}.md`]
    .map((name) => paths.filter((path) => same(path, name) || same(path.slice(-name.length - 1), `/${name}`)))
    .find((candidates) => candidates.length > 0)
    ?.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

function exactly(wanted: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => same(path, wanted)) ?? paths.find((path) => same(path, `${wanted}.md`));
}

function same(a: string, b: string): boolean {
  return a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();
}

function normalize(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}
