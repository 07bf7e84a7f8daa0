// What an address without a view shows: that there is nothing, and where to go.
import { Empty, useTitle } from "../../components/components.ts";
import { addressOf, SEARCH, TODAY, VAULT } from "../../navigation/navigation.ts";

export function MissingView({ path }: { path: string }) {
  useTitle("Not found");
  const words = path.split("/").at(-1) ?? "";
  return (
    <div class="problem-view">
      <h1 class="visually-hidden">Not found</h1>
      <Empty title="There is nothing at this address">
        <p class="missing-path">
          <code>{path}</code>
        </p>
        <p>
          <a href={addressOf({ ...SEARCH, query: words })}>Search for “{words}”</a>, or go to{" "}
          <a href={addressOf(TODAY)}>today</a> or <a href={addressOf(VAULT)}>your notes</a>.
        </p>
      </Empty>
    </div>
  );
}
