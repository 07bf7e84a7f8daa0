// The assistants on this machine: which of them start this program, and a button
// that shows the change to their configuration and makes it.
import { useState } from "preact/hooks";
import type { Connection, PersonCalls } from "../../../src/app/app.ts";
import { Loading, ProblemNote } from "../../components/components.ts";
import { usePersonCall, useServer } from "../../server/server.ts";
import { ChangeDialog } from "./change-dialog.tsx";

const STATES: Readonly<Record<Connection["state"], string>> = {
  connected: "Connected",
  plugin: "Connected by the plugin",
  "not connected": "Not connected",
  damaged: "Its configuration is damaged",
  "not found": "Not installed",
};

type KnownHost = Awaited<ReturnType<PersonCalls["hosts"]>>[number];

export function Hosts() {
  const { result, problem, renew } = usePersonCall("hosts");
  const [asked, setAsked] = useState<{ readonly host: KnownHost; readonly removes: boolean }>();
  const { client } = useServer();
  const here = (result ?? []).filter(({ state }) => state !== "not found");
  const others = (result ?? []).filter(({ state }) => state === "not found");
  return (
    <section aria-labelledby="hosts-title" class="setup-section">
      <h2 id="hosts-title">Assistants</h2>
      <p class="setup-lead">
        An assistant that is connected can read and write these notes. What changes in its configuration is shown first.
      </p>
      {problem && <ProblemNote problem={problem} />}
      {result === undefined && problem === undefined && <Loading of="the assistants" />}
      {result && here.length === 0 && <p class="none">None of the assistants that this program knows is installed.</p>}
      <ul class="cards">
        {here.map((host) => (
          <HostCard key={host.host} host={host} onChange={(removes) => setAsked({ host, removes })} />
        ))}
      </ul>
      {others.length > 0 && (
        <details class="setup-more">
          <summary>Not installed here: {others.length}</summary>
          <p>{others.map(({ title }) => title).join(", ")}</p>
        </details>
      )}
      {asked && (
        <ChangeDialog
          title={asked.removes ? `Disconnect ${asked.host.title}` : `Connect ${asked.host.title}`}
          verb={asked.removes ? "Disconnect" : "Connect"}
          plan={() => client.ask("planHost", { host: asked.host.host, removes: asked.removes })}
          make={(stamp) => client.ask("changeHost", { host: asked.host.host, removes: asked.removes, stamp })}
          onClose={() => {
            setAsked(undefined);
            renew();
          }}
        />
      )}
    </section>
  );
}

function HostCard({ host, onChange }: { host: KnownHost; onChange: (removes: boolean) => void }) {
  const { title, state, file, entries, problem, hint, otherVaults } = host;
  const gone = entries.flatMap((entry) => entry.gone);
  const isElsewhere = otherVaults !== undefined;
  const isHere = state === "plugin" || (state === "connected" && !isElsewhere);
  const tone = state === "damaged" || gone.length > 0 ? "problem" : isHere ? "ok" : "none";
  const verb = gone.length > 0 ? "Renew" : isElsewhere ? "Change" : "Connect";
  return (
    <li class="card">
      <div class="card-text">
        <p class="card-title">{title}</p>
        <p class="card-state" data-tone={tone}>
          {gone.length > 0
            ? `Names ${gone.join(" and ")}, which does not exist`
            : isElsewhere
              ? `Connected to another vault: ${otherVaults.join(", ")}`
              : STATES[state]}
        </p>
        <p class="card-path">{file}</p>
        {problem !== undefined && (
          <p class="card-path">
            {problem} {hint}
          </p>
        )}
      </div>
      {state !== "damaged" && (
        <div class="card-buttons">
          {(!isHere || gone.length > 0) && (
            <button type="button" class="button" aria-label={`${verb} ${title}`} onClick={() => onChange(false)}>
              {verb} …
            </button>
          )}
          {state === "connected" && (
            <button
              type="button"
              class="button small"
              aria-label={`Disconnect ${title}`}
              onClick={() => onChange(true)}
            >
              Disconnect …
            </button>
          )}
        </div>
      )}
    </li>
  );
}
