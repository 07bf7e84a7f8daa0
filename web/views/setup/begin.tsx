// Where a person begins: what was found, the vault to choose, and the assistants
// to connect.
import { Columns, ProblemNote, useTitle } from "../../components/components.ts";
import { addressOf, SEARCH } from "../../navigation/navigation.ts";
import { Found } from "./found.tsx";
import { Hosts } from "./hosts.tsx";
import { useStatus } from "./use-status.ts";
import { VaultChoice } from "./vault-choice.tsx";

export function BeginView() {
  const { status, progress, problem } = useStatus();
  useTitle("Set up");
  return (
    <Columns label="Next" aside={<Next />}>
      <h1>Set up</h1>
      <p class="setup-intro">
        Everything stays on this machine. Choose your notes, connect an assistant, and ask it about both.
      </p>
      {problem && <ProblemNote problem={problem} />}
      <Found status={status} progress={progress}>
        <VaultChoice current={status?.vault} />
      </Found>
      <Hosts />
    </Columns>
  );
}

function Next() {
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title">Then</h2>
      <ul class="links">
        <li>
          <a href={addressOf(SEARCH)}>Search everything</a>
        </li>
        <li>
          <a href={addressOf({ view: "activity" })}>See what assistants change</a>
        </li>
        <li>
          <a href={addressOf({ view: "status" })}>Check that all is well</a>
        </li>
      </ul>
    </section>
  );
}
