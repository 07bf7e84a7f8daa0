// The entry of the page: finds a token, connects to the server and renders the
// page. Without a valid token it shows the sign-in form.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { NavigationProvider } from "../navigation/navigation.ts";
import { Client, ServerProvider, Unauthorized } from "../server/server.ts";
import { Page } from "./page.tsx";
import { SignIn } from "./sign-in.tsx";
import { answerOtherTabs, forgetToken, keepToken, onTokenOfOtherTab, tokensToTry } from "./token.ts";

type State =
  | { readonly is: "connecting" }
  | { readonly is: "signed-out"; readonly problem: string }
  | { readonly is: "connected"; readonly client: Client };

// Before the first render: the token must not stay in the address bar, and a
// reload must find it.
const tokens = tokensToTry();

function App() {
  const [state, setState] = useState<State>({ is: "connecting" });
  const connect = async (token: string) => {
    const client = await Client.connect(token);
    keepToken(token);
    answerOtherTabs();
    setState({ is: "connected", client });
  };
  const signIn = async (candidates: AsyncIterable<string> | Iterable<string>) => {
    let problem = "";
    for await (const token of candidates) {
      try {
        return await connect(token);
      } catch (error) {
        problem = "The server cannot be reached.";
        if (!(error instanceof Unauthorized)) break;
        forgetToken();
        problem = "This is not the server's token.";
      }
    }
    return setState({ is: "signed-out", problem });
  };
  const signOut = useCallback(() => {
    forgetToken();
    setState({ is: "signed-out", problem: "The server's token has changed." });
  }, []);
  useEffect(() => {
    void signIn(tokens);
  }, []);
  // A tab on a busy machine answers after the form is shown.
  useEffect(() => {
    if (state.is !== "signed-out") return undefined;
    return onTokenOfOtherTab((token) => void connect(token).catch(() => {}));
  }, [state.is]);
  if (state.is === "connecting") return null;
  if (state.is === "signed-out") return <SignIn problem={state.problem} onToken={(token) => signIn([token])} />;
  return (
    <ServerProvider client={state.client} onUnauthorized={signOut}>
      <NavigationProvider>
        <Page />
      </NavigationProvider>
    </ServerProvider>
  );
}

render(<App />, document.getElementById("page")!);
