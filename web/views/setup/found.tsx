// What was found on this machine: notes, outline and conversations, with their
// counts and how far their indexes are.
import type { ComponentChildren } from "preact";
import type { Finding, Progress, Status } from "../../../src/app/app.ts";
import { IndexProgress, Loading } from "../../components/components.ts";
import { sourceName } from "../../format/format.ts";
import { addressOf, CONVERSATIONS, CURRENT_OUTLINE, VAULT } from "../../navigation/navigation.ts";

interface FoundProps {
  readonly status: Status | undefined;
  readonly progress: Progress | undefined;
  /** Shown with the vault. */
  readonly children?: ComponentChildren;
}

export function Found({ status, progress, children }: FoundProps) {
  if (status === undefined) return <Loading of="what was found" />;
  const part = (name: string) =>
    status.findings.find((finding) => finding.part === name || finding.part.startsWith(`${name} `));
  return (
    <>
      <FoundPart title="Notes" address={addressOf(VAULT)} finding={part("vault")}>
        {status.vault.isGuide && (
          <p class="setup-lead">
            These are a few notes that come with the program. Choose the folder of your own: nothing in it is changed.
          </p>
        )}
        <IndexProgress of="notes" indexing={progress?.notes} />
        {children}
      </FoundPart>
      <FoundPart title="Outline" address={addressOf(CURRENT_OUTLINE)} finding={part("outline")} />
      <section aria-labelledby="found-conversations" class="setup-section">
        <header class="section-head">
          <h2 id="found-conversations">Conversations</h2>
          <a href={addressOf(CONVERSATIONS)}>Show</a>
        </header>
        <IndexProgress of="conversations" indexing={progress?.conversations} />
        <Chats findings={status.findings} />
      </section>
    </>
  );
}

interface FoundPartProps {
  readonly title: string;
  readonly address: string;
  readonly finding: Finding | undefined;
  readonly children?: ComponentChildren;
}

function FoundPart({ title, address, finding, children }: FoundPartProps) {
  const id = `found-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id} class="setup-section">
      <header class="section-head">
        <h2 id={id}>{title}</h2>
        <a href={address}>Show</a>
      </header>
      {finding && (
        <p class="found-line">
          <span class="found-count" data-tone={finding.state}>
            {/* That it was found is said by the list. */}
            {finding.note.replace(/^found, /, "")}
          </span>
          <span class="card-path">{finding.path}</span>
        </p>
      )}
      {children}
    </section>
  );
}

const nameOf = ({ part }: Finding) => sourceName(part.replace(/ chats$/, ""));

/** The programs that have conversations here, and in a line those that have none. */
function Chats({ findings }: { findings: readonly Finding[] }) {
  const chats = findings.filter(({ part }) => part.endsWith(" chats"));
  const found = chats.filter(({ state }) => state !== "missing");
  const missing = chats.filter(({ state }) => state === "missing");
  return (
    <>
      {found.length === 0 && <p class="none">No program on this machine has conversations that can be read.</p>}
      <ul class="found-list">
        {found.map((finding) => (
          <li key={finding.part}>
            <span class="found-name">{nameOf(finding)}</span>
            <span class="found-note" data-tone={finding.state}>
              {finding.note}
            </span>
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <details class="setup-more">
          <summary>Not found here: {missing.length}</summary>
          <p>{missing.map(nameOf).join(", ")}</p>
        </details>
      )}
    </>
  );
}
