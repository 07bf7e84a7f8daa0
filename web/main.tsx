// Where the page begins: finds the token, connects, and shows the page; without
// a token it asks for one.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Client, NotLetIn } from "./client.ts";
import { Door } from "./door.tsx";
import { NavigationProvider } from "./navigation.tsx";
import { Page } from "./page.tsx";
import { SessionProvider } from "./session.tsx";
import { answerOtherTabs, findToken, forgetToken, keepToken } from "./token.ts";

type State =
  | { readonly is: "connecting" }
  | { readonly is: "outside"; readonly problem: string }
  | { readonly is: "inside"; readonly client: Client };

// At once: nobody shall read it over a shoulder, and a reload shall find it.
const tokenFound = findToken();

function Main() {
  const [state, setState] = useState<State>({ is: "connecting" });
  const enter = async (token: string) => {
    try {
      setState({ is: "inside", client: await Client.connect(token) });
      return true;
    } catch (error) {
      const isRefused = error instanceof NotLetIn;
      if (isRefused) forgetToken();
      const problem = isRefused ? "That is not the token of this server." : "The server cannot be reached.";
      setState({ is: "outside", problem });
      return false;
    }
  };
  const leave = useCallback(() => {
    forgetToken();
    setState({ is: "outside", problem: "The token of the server has changed." });
  }, []);
  useEffect(() => {
    void tokenFound.then((token) =>
      token === undefined ? setState({ is: "outside", problem: "" }) : void enter(token),
    );
  }, []);
  if (state.is === "connecting") return null;
  if (state.is === "outside") {
    const onToken = async (token: string) => {
      if (!(await enter(token))) return;
      keepToken(token);
      answerOtherTabs();
    };
    return <Door problem={state.problem} onToken={onToken} />;
  }
  return (
    <SessionProvider client={state.client} onNotLetIn={leave}>
      <NavigationProvider>
        <Page />
      </NavigationProvider>
    </SessionProvider>
  );
}

render(<Main />, document.getElementById("page")!);
