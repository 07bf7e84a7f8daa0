// The functions and fields of files and links.
import { EvaluationFault } from "../language/problems.ts";
import type { Scope } from "../language/scope.ts";
import { DateValue } from "../values/dates.ts";
import { linkOf, parseLink, propertiesOf } from "../values/properties.ts";
import { bareTag, FileValue, LinkValue, TagValue, textOf, type Value } from "../values/value.ts";
import type { FileFacts, FileLink } from "../values/world.ts";
import { ANY_NUMBER, described, method, textFrom, type Methods } from "./function-table.ts";

export const FILE_METHODS: Methods = {
  asLink: method<FileValue>(
    0,
    1,
    ({ facts }, [display], { world }) =>
      new LinkValue(
        world,
        "",
        facts.path.replace(/\.md$/i, ""),
        "",
        display === undefined ? undefined : textOf(display),
      ),
  ),
  hasLink: method<FileValue>(1, 1, ({ facts }, [other], scope) => linksTo(facts, other!, scope)),
  hasProperty: method<FileValue>(1, 1, ({ facts }, [name]) =>
    Object.hasOwn(facts.properties, textFrom(name, "hasProperty()")),
  ),
  hasTag: method<FileValue>(1, ANY_NUMBER, ({ facts }, tags) => tags.some((tag) => hasTag(facts, textOf(tag)))),
  inFolder: method<FileValue>(1, 1, ({ facts }, [folder]) => inFolder(facts.path, textFrom(folder, "inFolder()"))),
};

/** A nested tag counts for those that it is below. */
export function hasTag(facts: FileFacts, wanted: string): boolean {
  const name = bareTag(wanted);
  return facts.tags.some((tag) => {
    const own = bareTag(tag);
    return own === name || (own.length > name.length && own.startsWith(name) && own.charAt(name.length) === "/");
  });
}

export function inFolder(path: string, folder: string): boolean {
  const name = composed(folder.replace(/^\/+|(?<!\/)\/+$/g, ""));
  return name === "" || composed(path).startsWith(`${name}/`);
}

/** As people type it, whatever the disk has: the names of files from a Mac are decomposed. */
function composed(path: string): string {
  return path.normalize("NFC");
}

/** Returns whether a file links to another one, or by this target to one that does not exist. */
function linksTo(facts: FileFacts, other: Value, scope: Scope): boolean {
  if (other === null) return false;
  scope.budget.spend(1 + facts.links.length);
  const path = pathOf(other, scope);
  if (path !== undefined) return scope.world.linked(facts).has(path);
  const target = other instanceof LinkValue ? other.target : textOf(other);
  return facts.links.some((link) => link.target.toLowerCase() === target.toLowerCase());
}

/** The file that a value names: a file, a link, or the text of a path or link. */
function pathOf(value: Value, { world, file }: Scope): string | undefined {
  if (value instanceof FileValue) return value.facts.path;
  if (value instanceof LinkValue) return value.resolve();
  if (typeof value !== "string") return undefined;
  return (parseLink(world, file.path, value) ?? linkOf(world, file.path, value)).resolve();
}

export function fileFrom(value: Value, scope: Scope): Value {
  if (value instanceof FileValue) return value;
  if (value === null) return null;
  if (typeof value !== "string" && !(value instanceof LinkValue))
    throw new EvaluationFault(`file() needs a path or a link, not ${described(value)}.`);
  const path = pathOf(value, scope);
  const facts = path === undefined ? undefined : scope.world.file(path);
  return facts === undefined ? null : new FileValue(facts);
}

export function linkFrom(value: Value, display: Value | undefined, { world, file }: Scope): Value {
  if (value === null) return null;
  const shown = display === undefined || display === null ? undefined : textOf(display);
  if (value instanceof LinkValue)
    return new LinkValue(world, value.from, value.target, value.subpath, shown ?? value.display);
  if (value instanceof FileValue) return new LinkValue(world, "", value.facts.path, "", shown);
  const text = textOf(value);
  const parsed = parseLink(world, file.path, text) ?? linkOf(world, file.path, text);
  return shown === undefined ? parsed : new LinkValue(world, file.path, parsed.target, parsed.subpath, shown);
}

export const LINK_METHODS: Methods = {
  asFile: method<LinkValue>(0, 0, (self, _, scope) => fileFrom(self, scope)),
  linksTo: method<LinkValue>(1, 1, (self, [other], scope) => {
    const path = self.resolve();
    const facts = path === undefined ? undefined : scope.world.file(path);
    return facts !== undefined && linksTo(facts, other!, scope);
  }),
};

type Field = (facts: FileFacts, scope: Scope) => Value;

const FIELDS: Readonly<Record<string, Field>> = {
  name: ({ path }) => displayName(path),
  basename: ({ path }) => nameParts(path).base,
  path: ({ path }) => composed(path),
  folder: ({ path }) => composed(folderOf(path)),
  ext: ({ path }) => nameParts(path).ext,
  size: ({ size }) => size,
  ctime: ({ ctime }) => new DateValue(ctime, { isMoment: true }),
  mtime: ({ mtime }) => new DateValue(mtime, { isMoment: true }),
  properties: (facts, { world }) => propertiesOf(world, facts),
  tags: ({ tags }) => tags.map((tag) => new TagValue(`#${tag}`)),
  links: (facts, scope) => linkValues(facts, scope, () => true),
  embeds: (facts, scope) => linkValues(facts, scope, ({ isEmbed }) => isEmbed),
  backlinks: ({ path }, { world, budget }) => {
    const linking = world.backlinks(path);
    budget.spend(linking.length);
    return linking.map((from) => new LinkValue(world, "", from));
  },
  file: (facts) => new FileValue(facts),
};
export const FILE_FIELD_NAMES = Object.keys(FIELDS);

export function fileField(name: string): Field | undefined {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
}

function linkValues(facts: FileFacts, { world, budget }: Scope, isWanted: (link: FileLink) => boolean): Value {
  budget.spend(facts.links.length);
  return facts.links.filter(isWanted).map(({ target, subpath }) => new LinkValue(world, facts.path, target, subpath));
}

/** A note is shown without `.md`: templates compare `file.name` with dates. */
function displayName(path: string): string {
  const name = composed(path.slice(path.lastIndexOf("/") + 1));
  return /\.md$/i.test(name) ? name.slice(0, -3) : name;
}

function nameParts(path: string): { base: string; ext: string } {
  const name = composed(path.slice(path.lastIndexOf("/") + 1));
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? { base: name, ext: "" } : { base: name.slice(0, dot), ext: name.slice(dot + 1) };
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}
