// The form that asks for the token: shown while the page has no valid one.
import { useState } from "preact/hooks";
import { IS_FOR_MEMBERS } from "../server/server.ts";

function ForPerson() {
  return (
    <>
      <p>
        Your notes, outlines and past conversations are stored on this machine, and only someone with the token can read
        them here.
      </p>
      <p>
        The easiest way to sign in is the address that <code>npm start</code> (or{" "}
        <code>commonplace serve --http --welcome</code>) prints: it contains the token. Or paste the token here.
      </p>
    </>
  );
}

function ForMembers() {
  return (
    <>
      <p>
        The notes, outlines and conversations of your spaces. Sign in with a personal token, which begins with cmnp_.
      </p>
      <p>
        <code>commonplace store token create page</code> makes one; the people who run this server can do it for you.
        This tab keeps it until you close it or sign out, and sends it to this server only.
      </p>
    </>
  );
}

export function SignIn({ problem, onToken }: { problem: string; onToken: (token: string) => Promise<void> }) {
  const [isTrying, setTrying] = useState(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const entered = String(new FormData(event.currentTarget as HTMLFormElement).get("token")).trim();
    // People also paste the whole address.
    const [, token = entered] = /#token=([^&\s]+)/.exec(entered) ?? [];
    setTrying(true);
    await onToken(token);
    setTrying(false);
  };
  return (
    <main class="sign-in">
      <h1 class="brand">Commonplace</h1>
      {IS_FOR_MEMBERS ? <ForMembers /> : <ForPerson />}
      <form onSubmit={(event) => void onSubmit(event)}>
        <label for="token">Token</label>
        <div class="sign-in-field">
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby={problem === "" ? undefined : "sign-in-problem"}
            aria-invalid={problem !== ""}
          />
          <button type="submit" class="button primary" disabled={isTrying}>
            Open
          </button>
        </div>
        {problem !== "" && (
          <p class="problem" id="sign-in-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </main>
  );
}
