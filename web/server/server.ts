// The front door of server/: what other rooms may use of it.
export { Client, NotLetIn, Refusal } from "./client.ts";
export { type Answer, asRefusal, SessionProvider, useAnswer, useSession } from "./server-provider.tsx";
