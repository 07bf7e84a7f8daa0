// Conversations of ChatGPT as its archives have them. The format is not
// documented; archives that people have published, of 2023 to 2026, and public
// programs that read them were compared. test/program-stores/archives.ts writes
// what they have in common.
import { describe, expect, it } from "vitest";
import { archivedOf, type Archived } from "../../../../test/archived-conversation.ts";
import { chatGptConversation, chatGptMessage } from "../../../../test/program-stores/archives.ts";
import { madeConversations } from "../../../../test/program-stores/made-conversation.ts";
import { chatgpt } from "./chatgpt.ts";

type Values = Readonly<Record<string, unknown>>;

const text = (...parts: unknown[]) => ({ content_type: "text", parts });

/** Nodes as `[id, parent, message]`; the last one is current unless told otherwise. */
function read(nodes: readonly [string, string | null, Values | null][], more: Values = {}): Archived {
  const mapping = Object.fromEntries(
    nodes.map(([id, parent, message], at) => {
      const timed = message === null ? null : { create_time: 1_767_225_600 + at, ...message, id };
      return [
        id,
        { id, parent, message: timed, children: nodes.flatMap((other) => (other[1] === id ? [other[0]] : [])) },
      ];
    }),
  );
  return archivedOf(chatgpt, { id: "c", title: "Parrots", mapping, current_node: nodes.at(-1)?.[0], ...more });
}

/** One message after a prompt. */
const answered = (role: string, content: Values, more: Values = {}) =>
  read([
    ["a", null, chatGptMessage("a", "user", text("Hi"))],
    ["b", "a", { ...chatGptMessage("b", role, content), ...more }],
  ]);

describe("a conversation of ChatGPT", () => {
  it("has its prompts, answers, thinking and tools, told apart, with their times", () => {
    const [made] = madeConversations(1, 2);
    const { facts, parts, marked, notices } = archivedOf(chatgpt, chatGptConversation(made!));
    const [turn] = made!.turns;
    expect(parts.slice(0, 6).map(({ kind, text: said }) => `${kind}: ${said}`)).toEqual([
      `prose: ${turn!.prompt}`,
      `thinking: Considering\n\n${turn!.thinking}`,
      `tool: python open("${turn!.tool.file}")`,
      `tool: ${turn!.tool.output}`,
      "thinking: Thought for 8s",
      `prose: ${turn!.answer}`,
    ]);
    expect(parts[0]).toMatchObject({ role: "user", time: turn!.at });
    expect(parts[3]).toMatchObject({ tool: "python" });
    expect(facts).toMatchObject({
      id: made!.id,
      title: made!.title,
      model: made!.model,
      created: { at: turn!.at, known: "stored" },
      updated: { at: made!.turns[1]!.at + 1000, known: "stored" },
    });
    expect(marked).toEqual([]);
    expect(notices).toEqual([]);
  });

  it("takes neither custom instructions nor memories nor hidden messages for prose", () => {
    const hidden = { metadata: { is_visually_hidden_from_conversation: true } };
    const { prose } = read([
      ["r", null, null],
      ["s", "r", chatGptMessage("s", "system", text("You are ChatGPT"))],
      ["u", "s", chatGptMessage("u", "user", { content_type: "user_editable_context", user_profile: "Anna" })],
      [
        "m",
        "u",
        chatGptMessage("m", "assistant", { content_type: "model_editable_context", model_set_context: "Knows" }),
      ],
      ["h", "m", chatGptMessage("h", "user", text("Continue"), hidden)],
      ["a", "h", chatGptMessage("a", "user", text("Hi"))],
    ]);
    expect(prose).toEqual(["user: Hi"]);
  });

  it("is on the branch of its current node, and keeps the others as abandoned", () => {
    const nodes: [string, string | null, Values | null][] = [
      ["a", null, chatGptMessage("a", "user", text("Hi"))],
      ["b", "a", chatGptMessage("b", "assistant", text("Yes?"))],
      ["c", "a", chatGptMessage("c", "assistant", text("What?"))],
      ["d", "c", chatGptMessage("d", "user", text("More"))],
    ];
    expect(read(nodes)).toMatchObject({ order: ["a", "b", "c", "d"], marked: ["b"] });
    expect(read(nodes, { current_node: "b" })).toMatchObject({ marked: ["c", "d"] });
  });

  it("reads messages along the branch although their times are out of order, as ChatGPT writes them", () => {
    const { order } = read([
      ["a", null, chatGptMessage("a", "user", text("Hi"), { create_time: 1_767_225_600 })],
      ["b", "a", chatGptMessage("b", "assistant", text(""), { create_time: 1_767_225_609 })],
      ["c", "b", chatGptMessage("c", "assistant", text("Yes?"), { create_time: 1_767_225_601 })],
    ]);
    expect(order).toEqual(["a", "c"]);
  });

  it("names attachments, and marks pictures that have no name", () => {
    const image = { content_type: "image_asset_pointer", asset_pointer: "file-service://file-x", size_bytes: 9 };
    const attached = {
      metadata: {
        attachments: [
          { id: "file-x", name: "photo.png" },
          { id: "file-y", name: "plan.pdf" },
        ],
      },
    };
    const { prose } = read([
      ["a", null, chatGptMessage("a", "user", { content_type: "multimodal_text", parts: [image, "Look"] }, attached)],
      ["b", "a", chatGptMessage("b", "user", { content_type: "multimodal_text", parts: [image, "And this"] })],
    ]);
    expect(prose).toEqual(["user: Look\n\n[photo.png]\n[plan.pdf]", "user: [image]\n\nAnd this"]);
  });

  it("has what was spoken", () => {
    const spoken = { content_type: "audio_transcription", text: "Spoken", direction: "in", decoding_id: null };
    const sound = { content_type: "real_time_user_audio_video_asset_pointer", frames_asset_pointers: [] };
    const { prose } = answered("assistant", { content_type: "multimodal_text", parts: [spoken, sound] });
    expect(prose).toEqual(["user: Hi", "assistant: Spoken"]);
  });

  it("has the documents of a canvas as what the assistant wrote", () => {
    const call = (recipient: string, value: unknown) =>
      answered("assistant", text(JSON.stringify(value)), { recipient });
    const create = { name: "Essay", type: "document", content: "# Parrots" };
    expect(call("canmore.create_textdoc", create).prose[1]).toBe("assistant: Essay\n\n# Parrots");
    const rewrite = { updates: [{ pattern: ".*", multiple: false, replacement: "# Macaws" }] };
    expect(call("canmore.update_textdoc", rewrite).prose[1]).toBe("assistant: # Macaws");
    const edit = { updates: [{ pattern: "Parrots", multiple: false, replacement: "Macaws" }] };
    expect(call("canmore.update_textdoc", edit).parts[1]).toMatchObject({
      kind: "tool",
      tool: "canmore.update_textdoc",
    });
  });

  it("has the report of a deep research, in both of its forms", () => {
    const legacy = { metadata: { async_task_id: "deepresch_1", is_async_task_result_message: true } };
    expect(answered("assistant", text("# Report"), legacy).prose[1]).toBe("assistant: # Report");
    const report_message = { content: text("# New report") };
    const widget_state = JSON.stringify({ status: "completed", report_message });
    const sdk = { metadata: { chatgpt_sdk: { attribution_id: "connector_openai_deep_research", widget_state } } };
    expect(answered("tool", text("Started"), sdk).prose[1]).toBe("assistant: # New report");
  });

  it("keeps the results of tools, the web and pictures out of prose", () => {
    const contents: Values[] = [
      { content_type: "tether_quote", url: "https://x.org", title: "X", text: "Quoted" },
      { content_type: "tether_browsing_display", result: "Found", summary: null },
      { content_type: "multimodal_text", parts: [{ content_type: "image_asset_pointer" }] },
      { content_type: "system_error", name: "Error", text: "Failed" },
    ];
    for (const content of contents) {
      const { parts } = answered("tool", content, { author: { role: "tool", name: "browser" } });
      expect(parts[1]).toMatchObject({ kind: "tool", tool: "browser" });
    }
    expect(answered("assistant", text("Hm"), { channel: "analysis" }).parts[1]).toMatchObject({ kind: "thinking" });
    expect(answered("assistant", text("search(x)"), { recipient: "web.run" }).parts[1]).toMatchObject({ kind: "tool" });
  });

  it("removes the marks of citations, and keeps names", () => {
    const said =
      'Parrots talk \uE200cite\uE202turn0search1\uE202turn0search2\uE201. See \uE200entity\uE202["bird","Alex","a parrot"]\uE201.';
    expect(answered("assistant", text(said)).prose[1]).toBe("assistant: Parrots talk. See Alex.");
  });

  it("has the model of its last answer, and its project", () => {
    const model = (slug: string) => ({ metadata: { model_slug: slug } });
    const { facts } = read(
      [
        ["a", null, chatGptMessage("a", "user", text("Hi"))],
        ["b", "a", chatGptMessage("b", "assistant", text("Yes?"), model("gpt-4o"))],
        ["c", "b", chatGptMessage("c", "assistant", text("More."), model("gpt-5-2"))],
        ["d", "c", chatGptMessage("d", "user", text("Thanks"))],
      ],
      { default_model_slug: "auto", gizmo_id: "g-p-123" },
    );
    expect(facts).toMatchObject({ model: "gpt-5-2", workspace: "g-p-123" });
  });

  it("reports unknown contents by their number, and survives wrong types and circles", () => {
    const { prose, notices } = read([
      ["a", "b", chatGptMessage("a", "user", text("Hi", 5, null, { text: "there" }))],
      ["b", "a", chatGptMessage("b", "assistant", { content_type: "hologram" })],
      ["c", "c", { author: 5, content: [] }],
      ["d", "gone", { author: { role: "assistant" }, content: { content_type: "text", parts: "x" }, metadata: [] }],
    ]);
    expect(prose).toEqual(["user: Hi\n\nthere"]);
    expect(notices).toEqual(["skipped 1: messages of the unknown type hologram"]);
    expect(archivedOf(chatgpt, { id: "c", mapping: { a: 5, b: null, c: {} }, current_node: {} }).parts).toEqual([]);
  });

  it.each([[{}], [{ id: "c" }], [{ id: "c", mapping: [] }], [{ mapping: {} }], [{ uuid: "c", chat_messages: [] }]])(
    "is not %j",
    (value) => expect(chatgpt.fromArchive!(value)).toBeUndefined(),
  );
});
