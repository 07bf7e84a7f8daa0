// Files of the vault that are not notes: the source of those that are text, and a
// card for those that are not shown in place.
import { FILE_ICONS, Icon } from "../../components/components.ts";
import { fileKind, nameOf } from "../../format/format.ts";
import { CodeBlock } from "../../markdown/markdown.ts";
import { noteAddress } from "../../navigation/navigation.ts";

export function SourceText({ path, text }: { path: string; text: string }) {
  const { language } = fileKind(path);
  return <CodeBlock text={language === "json" ? indented(text) : text} language={language} />;
}

/** Programs write JSON in one line. Anything else is shown as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

interface FileCardProps {
  readonly path: string;
  /** Shown instead of the kind of file. */
  readonly note?: string;
  /** Where the file can be downloaded from; otherwise the card leads to its view. */
  readonly download?: string;
}

export function FileCard({ path, note, download }: FileCardProps) {
  const { kind, name } = fileKind(path);
  const target = download === undefined ? { href: noteAddress(path) } : { href: download, download: "" };
  return (
    <a class="file-card" {...target}>
      <Icon name={FILE_ICONS[kind]} />
      <span class="file-card-name">{nameOf(path)}</span>
      <span class="file-card-kind">{note ?? (download === undefined ? name : `${name}, download`)}</span>
    </a>
  );
}
