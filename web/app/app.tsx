// The entry of the page: finds a token, connects to the server and renders the
// page. Without a valid token it shows the sign-in form.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { lazy } from "../components/components.ts";
import { NavigationProvider } from "../navigation/navigation.ts";
import { Client, IS_FOR_MEMBERS, Problem, ServerProvider, Unauthorized } from "../server/server.ts";
import { Page } from "./page.tsx";
import {
  answerOtherTabs,
  forgetToken,
  forgetVisit,
  keepToken,
  onTokenOfOtherTab,
  signOutOtherTabs,
  tokensToTry,
} from "./token.ts";

const SignIn = lazy("the sign-in form", () => import("./sign-in.tsx"), "SignIn");

type State =
  | { readonly is: "connecting" }
  | { readonly is: "signed-out"; readonly problem: string }
  | { readonly is: "connected"; readonly client: Client };

const WRONG_TOKEN = IS_FOR_MEMBERS
  ? "This token is wrong, was revoked, or has expired."
  : "This is not the server's token.";

// Before the first render: the token must not stay in the address bar, and a
// reload must find it.
const tokens = tokensToTry();

function App() {
  const [state, setState] = useState<State>({ is: "connecting" });
  const signOut = useCallback((problem: string) => {
    if (problem === "") forgetVisit();
    else forgetToken();
    setState({ is: "signed-out", problem });
  }, []);
  const leave = useCallback(
    (problem: string) => {
      if (problem === "") signOutOtherTabs();
      signOut(problem);
    },
    [signOut],
  );
  const connect = async (token: string) => {
    const client = await Client.connect(token);
    keepToken(token);
    answerOtherTabs(() => signOut(""));
    setState({ is: "connected", client });
  };
  const signIn = async (candidates: AsyncIterable<string> | Iterable<string>) => {
    let problem = "";
    for await (const token of candidates) {
      try {
        return await connect(token);
      } catch (error) {
        problem = error instanceof Problem ? error.message : "The server cannot be reached.";
        if (!(error instanceof Unauthorized)) break;
        forgetToken();
        problem = WRONG_TOKEN;
      }
    }
    return setState({ is: "signed-out", problem });
  };
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
    <ServerProvider client={state.client} onSignOut={leave}>
      <NavigationProvider>
        <Page />
      </NavigationProvider>
    </ServerProvider>
  );
}

render(<App />, document.getElementById("page")!);
