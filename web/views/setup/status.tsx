// How the program is doing: what doctor finds and what to do about it, the
// indexes, the room that it takes, and what other programs are about to delete.
import { useState } from "preact/hooks";
import type { Finding, Status } from "../../../src/app/app.ts";
import { Columns, Icon, IndexProgress, Loading, ProblemNote, Time, useTitle } from "../../components/components.ts";
import { sourceName } from "../../format/format.ts";
import { addressOf } from "../../navigation/navigation.ts";
import { asProblem, type Problem, useServer, useToolCall } from "../../server/server.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { Hosts } from "./hosts.tsx";
import { useStatus } from "./use-status.ts";

export function StatusView() {
  const { status, progress, problem, renew } = useStatus();
  useTitle("Status");
  return (
    <Columns label="About this program" aside={<About status={status} />}>
      <h1>Status</h1>
      {problem && <ProblemNote problem={problem} />}
      {status === undefined ? <Loading of="the status" /> : <Summary findings={status.findings} onChange={renew} />}
      <IndexProgress of="notes" indexing={progress?.notes} />
      <IndexProgress of="conversations" indexing={progress?.conversations} />
      {status && <Keeping status={status} onChange={renew} />}
      <Hosts />
      {status && <AllFindings findings={status.findings} />}
    </Columns>
  );
}

/** Problems first, each with what to do. */
function Summary({ findings, onChange }: { findings: readonly Finding[]; onChange: () => void }) {
  const problems = findings.filter(({ state }) => state === "problem");
  if (problems.length === 0)
    return (
      <p class="verdict" data-tone="ok" role="status">
        <Icon name="status" /> Everything is in order.
      </p>
    );
  return (
    <div role="status">
      <p class="verdict" data-tone="problem">
        <Icon name="warning" /> {problems.length === 1 ? "1 problem" : `${problems.length} problems`}
      </p>
      <ul class="cards">
        {problems.map((finding, i) => (
          <li key={i} class="card">
            <div class="card-text">
              <p class="card-title">{partName(finding.part)}</p>
              <p>{finding.note}</p>
              {finding.path !== undefined && <p class="card-path">{finding.path}</p>}
              {finding.hint !== undefined && (
                <p class="card-hint">
                  <strong>To do:</strong> {finding.hint}
                </p>
              )}
              {finding.isAcceptable && <Acceptance part={finding.part} onChange={onChange} />}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says that what was there is gone on purpose, after a second look. */
function Acceptance({ part, onChange }: { part: string; onChange: () => void }) {
  const { client } = useServer();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const accept = () =>
    client.ask("acceptMissing", { part }).then(onChange, (error: unknown) => setProblem(asProblem(error)));
  if (problem) return <ProblemNote problem={problem} />;
  return (
    <p>
      <button type="button" class="button small" onClick={() => (isAsking ? void accept() : setAsking(true))}>
        {isAsking ? "Yes, use it as it is" : "It is gone on purpose …"}
      </button>
    </p>
  );
}

/** What other programs delete, and what keeps it. */
function Keeping({ status, onChange }: { status: Status; onChange: () => void }) {
  const { client } = useServer();
  const [removes, setRemoves] = useState<boolean>();
  const input = { since: "all", project: "all", min_score: 0, limit: 1 };
  const { result } = useToolCall("recall_conversations", client.has("recall_conversations") ? input : undefined);
  const expiring = Object.entries(result?.sources ?? {}).flatMap(([name, { about_to_be_deleted: soon }]) =>
    soon === undefined ? [] : [{ name, ...soon }],
  );
  const schedule = status.findings.find(({ part }) => part === "schedule");
  const isScheduled = schedule !== undefined && schedule.state !== "missing";
  return (
    <section aria-labelledby="keeping-title" class="setup-section">
      <header class="section-head">
        <h2 id="keeping-title">Backups of conversations</h2>
      </header>
      {expiring.length === 0 && <p class="found-line">Everything is kept.</p>}
      {expiring.map(({ name, count, days, setting, file }) => (
        <p key={name} class="callout" data-tone="warning" role="note">
          {sourceName(name)} deletes conversations after {Math.round(days)} days: {count} that are not kept here yet are
          about to go. They are being read now. <code>{setting}</code> in <code>{file}</code> raises the limit.
        </p>
      ))}
      <p class="found-line">
        {isScheduled
          ? "The system keeps new conversations every six hours."
          : "Conversations are kept whenever this program is used. The system can also do it every six hours."}{" "}
        <button type="button" class="button small" onClick={() => setRemoves(isScheduled)}>
          {isScheduled ? "Stop that …" : "Keep them every six hours …"}
        </button>
      </p>
      {removes !== undefined && (
        <ChangeDialog
          title={removes ? "Stop keeping conversations by itself" : "Keep conversations every six hours"}
          verb={removes ? "Stop" : "Write and start"}
          plan={() => client.ask("planSchedule", { removes })}
          make={(stamp) => client.ask("changeSchedule", { removes, stamp })}
          onClose={() => {
            setRemoves(undefined);
            onChange();
          }}
        />
      )}
    </section>
  );
}

function AllFindings({ findings }: { findings: readonly Finding[] }) {
  const present = findings.filter(({ state }) => state !== "missing");
  const missing = findings.filter(({ state }) => state === "missing");
  return (
    <section aria-labelledby="parts-title" class="setup-section">
      <header class="section-head">
        <h2 id="parts-title">Details</h2>
      </header>
      <ul class="found-list">
        {present.map((finding, i) => (
          <PartLine key={i} finding={finding} />
        ))}
      </ul>
      <details class="setup-more">
        <summary>Not there, and not needed: {missing.length}</summary>
        <ul class="found-list">
          {missing.map((finding, i) => (
            <PartLine key={i} finding={finding} />
          ))}
        </ul>
      </details>
    </section>
  );
}

function PartLine({ finding: { part, state, note, path, updated } }: { finding: Finding }) {
  return (
    <li>
      <span class="found-name">{partName(part)}</span>
      <span class="found-note" data-tone={state}>
        {note}
        {path !== undefined && <span class="card-path">{path}</span>}
      </span>
      {updated !== undefined && <Time at={Date.parse(updated)} />}
    </li>
  );
}

function About({ status }: { status: Status | undefined }) {
  if (status === undefined) return null;
  const total = status.diskUse.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <section aria-labelledby="disk-title">
        <h2 id="disk-title">Space used: {sizeText(total)}</h2>
        <ul class="disk-use">
          {status.diskUse.map(({ what, note, bytes }) => (
            <li key={what}>
              <span class="found-name">{what}</span>
              <span class="entry-count">{sizeText(bytes)}</span>
              <span class="disk-note">{note}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="version-title">
        <h2 id="version-title">Commonplace {status.version}</h2>
        <p class="none">
          {status.isReadOnly ? "Read-only: no tool that writes is offered." : "Nothing leaves this machine."}
        </p>
        <p>
          <a href={addressOf({ view: "begin" })}>Choose another vault</a>
        </p>
      </section>
    </>
  );
}

function partName(part: string): string {
  const name = part.endsWith(" chats") ? `${sourceName(part.replace(/ chats$/, ""))} conversations` : part;
  return name[0]!.toUpperCase() + name.slice(1);
}

function sizeText(bytes: number): string {
  if (bytes < 1e5) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
