// The first steps of a person whose notes are still those of the guide: choose the
// notes, connect an assistant, try it. Each ticks itself off.
import { CopyButton, Icon } from "../../components/components.ts";
import { addressOf } from "../../navigation/navigation.ts";
import { usePersonCall } from "../../server/server.ts";

const QUESTIONS = [
  "What do my notes say about this project?",
  "Which conversations did I have last week, and what is still open in them?",
  "Add what we decided to today’s note.",
];

export function FirstSteps() {
  const { result } = usePersonCall("hosts");
  const connected = (result ?? []).filter(({ state }) => state === "connected" || state === "plugin");
  const begin = addressOf({ view: "begin" });
  return (
    <ol class="first-steps" aria-label="First steps">
      <li class="card">
        <div class="card-text">
          <p class="card-title">Your notes</p>
          <p>These are the notes of the guide. Choose the folder of your own: nothing in it is changed.</p>
        </div>
        <a class="button primary" href={begin}>
          Choose
        </a>
      </li>
      <li class="card" data-done={connected.length > 0}>
        <div class="card-text">
          <p class="card-title">{connected.length > 0 && <Icon name="done" />} Your assistant</p>
          <p>
            {connected.length > 0
              ? `Connected: ${connected.map(({ title }) => title).join(", ")}.`
              : "It can read and write these notes then, and search your conversations. Every change can be undone."}
          </p>
        </div>
        <a class="button" href={begin}>
          Connect
        </a>
      </li>
      <li class="card">
        <div class="card-text">
          <p class="card-title">Try it</p>
          <ul class="questions">
            {QUESTIONS.map((question) => (
              <li key={question}>
                {question} <CopyButton text={question} label={`Copy: ${question}`} />
              </li>
            ))}
          </ul>
        </div>
      </li>
    </ol>
  );
}
