// The vault: which one is used, and the others on this machine to choose from.
import { useState } from "preact/hooks";
import type { Progress } from "../../../src/app/app.ts";
import { nameIn } from "../../../src/kernel/kernel.ts";
import { ProblemNote } from "../../components/components.ts";
import { usePersonCall, useServer } from "../../server/server.ts";
import { ChangeDialog } from "./change-dialog.tsx";

export function VaultChoice({ current }: { current: Progress["vault"] | undefined }) {
  const { result, problem, renew } = usePersonCall("vaults");
  const { client, refresh } = useServer();
  const [asked, setAsked] = useState<string>();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget as HTMLFormElement).get("path")).trim();
    if (path !== "") setAsked(path);
  };
  const others = (result ?? []).filter(({ vault }) => vault !== current?.path);
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {others.length > 0 && (
        <ul class="cards">
          {others.map(({ vault, why }) => (
            <li key={vault} class="card">
              <div class="card-text">
                <p class="card-title">{nameIn(vault.replaceAll("\\", "/"))}</p>
                <p class="card-state">{why[0]!.toUpperCase() + why.slice(1)}</p>
                <p class="card-path">{vault}</p>
              </div>
              <button type="button" class="button" aria-label={`Choose ${vault}`} onClick={() => setAsked(vault)}>
                Choose …
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="setup-form" onSubmit={onSubmit}>
        <label for="vault-path">Another folder</label>
        <div class="setup-field">
          <input
            id="vault-path"
            name="path"
            type="text"
            placeholder="/home/you/Notes"
            autocomplete="off"
            spellcheck={false}
          />
          <button type="submit" class="button">
            Choose …
          </button>
        </div>
      </form>
      {asked !== undefined && (
        <ChangeDialog
          title="Use this vault"
          verb="Use it"
          plan={() => client.ask("planVault", { vault: asked })}
          make={(stamp) => client.ask("chooseVault", { vault: asked, stamp })}
          onClose={(wasMade) => {
            setAsked(undefined);
            renew();
            if (wasMade) refresh();
          }}
        />
      )}
    </>
  );
}
