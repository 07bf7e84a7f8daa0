// A difference as the server words it: lines that begin with + or -, and lines
// around them that stay.

const KINDS: Readonly<Record<string, { readonly name: string; readonly word: string }>> = {
  "+": { name: "added", word: "Added: " },
  "-": { name: "removed", word: "Removed: " },
};

export function LineDifference({ text, label }: { text: string; label: string }) {
  return (
    <div class="difference" role="group" aria-label={label} tabIndex={0}>
      {text.split("\n").map((line, i) => {
        const kind = KINDS[line[0] ?? ""];
        return (
          <div key={i} class="difference-line" data-kind={kind?.name}>
            {kind && <span class="visually-hidden">{kind.word}</span>}
            <span class="difference-mark" aria-hidden="true">
              {kind ? line[0] : " "}
            </span>
            <span>{line.slice(2)}</span>
          </div>
        );
      })}
    </div>
  );
}
