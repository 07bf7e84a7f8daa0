// Where the page begins: finds the token, connects, and shows the page; without
// a token it asks for one.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Client, NotLetIn, SessionProvider } from "../server/server.ts";
import { NavigationProvider } from "../navigation/navigation.ts";
import { Door } from "./sign-in.tsx";
import { Page } from "./page.tsx";
import { answerOtherTabs, forgetToken, keepToken, tokensToTry } from "./token.ts";

type State =
  | { readonly is: "connecting" }
  | { readonly is: "outside"; readonly problem: string }
  | { readonly is: "inside"; readonly client: Client };

// At once: nobody shall read it over a shoulder, and a reload shall find it.
const tokens = tokensToTry();

function Main() {
  const [state, setState] = useState<State>({ is: "connecting" });
  const enter = async (candidates: AsyncIterable<string> | Iterable<string>) => {
    let problem = "";
    for await (const token of candidates) {
      try {
        const client = await Client.connect(token);
        keepToken(token);
        answerOtherTabs();
        return setState({ is: "inside", client });
      } catch (error) {
        problem = "The server cannot be reached.";
        if (!(error instanceof NotLetIn)) break;
        forgetToken();
        problem = "That is not the token of this server.";
      }
    }
    return setState({ is: "outside", problem });
  };
  const leave = useCallback(() => {
    forgetToken();
    setState({ is: "outside", problem: "The token of the server has changed." });
  }, []);
  useEffect(() => {
    void enter(tokens);
  }, []);
  if (state.is === "connecting") return null;
  if (state.is === "outside") return <Door problem={state.problem} onToken={(token) => enter([token])} />;
  return (
    <SessionProvider client={state.client} onNotLetIn={leave}>
      <NavigationProvider>
        <Page />
      </NavigationProvider>
    </SessionProvider>
  );
}

render(<Main />, document.getElementById("page")!);
