// Conversations that were pushed to a space, for members who come through a server.
import { Agent } from "node:http";
import { describe, expect, it } from "vitest";
import { removeMember, spaceNamed } from "../../../src/shared/shared.ts";
import { postCall } from "../../processes/http-call.ts";
import { SUPERUSER } from "../cluster.ts";
import { newConversationMachine, talk } from "../conversation-machines.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newTeam } from "./team.ts";

describe.runIf(HAS_POSTGRESQL)("a server for members", () => {
  it("recalls and reads what was pushed to a space, for who is in it and as long as they are", async () => {
    const team = await newTeam();
    const machine = newConversationMachine(team.database.open(team.login).forMember("alice"), "team");
    talk(machine.home, "session-1", "How do we grow aubergines?", "In the greenhouse, from April on");
    await machine.push();
    const { url } = await team.serve();
    const agent = new Agent({ keepAlive: true });
    const answer = async (token: string, name: string, sent: object) =>
      JSON.stringify((await postCall({ url, token, agent }, 1, { name, arguments: sent })).body);
    const recalled = (token: string) =>
      answer(token, "recall_conversations", { search_query: "aubergines", since: "all", project: "all" });
    const read = (token: string) => answer(token, "read_conversation", { id: "session-1" });
    const [bob, carol] = [await team.token("bob"), await team.token("carol")];
    expect(await recalled(bob)).toContain('"total_conversations_found":1');
    expect(await read(bob)).toContain("In the greenhouse, from April on");
    expect(await recalled(carol)).toContain('"total_conversations_found":0');
    expect(await read(carol)).not.toContain("greenhouse");
    await team.let("bob", "team", "writer");
    expect(await read(bob)).toContain("greenhouse");
    const admin = team.database.open(SUPERUSER);
    await removeMember(admin, await spaceNamed(admin, "team"), "bob");
    // In no space at all now.
    expect(await read(bob)).toContain("You are in no space of this store.");
    agent.destroy();
  });
});
