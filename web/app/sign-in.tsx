// What stands there without a token: how to get one, and where to put it.
import { useState } from "preact/hooks";

export function Door({ problem, onToken }: { problem: string; onToken: (token: string) => Promise<void> }) {
  const [isTrying, setTrying] = useState(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get("token")).trim();
    // A whole address may have been pasted.
    const [, inside] = /#token=([^&\s]+)/.exec(token) ?? [];
    setTrying(true);
    await onToken(inside ?? token);
    setTrying(false);
  };
  return (
    <main class="door">
      <h1 class="brand">Commonplace</h1>
      <p>
        Your notes, outlines and past conversations live here, on this machine, and only someone with the token may look
        at them.
      </p>
      <p>
        The easiest way in is the address that <code>npm start</code> (or{" "}
        <code>commonplace serve --http --welcome</code>) prints: it carries the token. Or paste it here.
      </p>
      <form onSubmit={(event) => void onSubmit(event)}>
        <label for="token">Token</label>
        <div class="door-field">
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby={problem === "" ? undefined : "door-problem"}
            aria-invalid={problem !== ""}
          />
          <button type="submit" class="button primary" disabled={isTrying}>
            Open
          </button>
        </div>
        {problem !== "" && (
          <p class="refusal" id="door-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </main>
  );
}
