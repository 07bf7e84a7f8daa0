// Gemini: POST …/models/MODEL:generateContent, and :streamGenerateContent.
import { type Asked, type Json, newId, type Protocol, type Reply, textIn, OUTPUT_TOKENS } from "./exchange.ts";

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export const gemini: Protocol = {
  serves: (path) => PATH.test(path),
  read: (body, path) => {
    const [, model, method] = PATH.exec(path)!;
    return {
      model: model!,
      system: textIn(body.systemInstruction?.parts ?? []),
      turns: (body.contents ?? []).flatMap(turnsIn),
      tools: (body.tools ?? []).flatMap((tool: Json) =>
        (tool.functionDeclarations ?? []).map(({ name }: Json) => String(name)),
      ),
      isStream: method === "streamGenerateContent",
    };
  },
  whole: (reply, asked) => response(partsOf(reply), asked, "STOP"),
  events: (reply, asked) => {
    const parts = partsOf(reply);
    return parts.map((part, i) => ({ data: response([part], asked, i === parts.length - 1 ? "STOP" : undefined) }));
  },
};

function turnsIn({ role, parts = [] }: Json): Asked["turns"] {
  if (role === "model") return [{ role: "assistant", text: textIn(parts) }];
  const results = parts.filter((part: Json) => part.functionResponse !== undefined);
  const rest = parts.filter((part: Json) => part.functionResponse === undefined);
  return [
    ...results.map((part: Json) => ({ role: "tool", text: JSON.stringify(part.functionResponse.response) })),
    ...(rest.length > 0 ? [{ role: "user", text: textIn(rest) }] : []),
  ];
}

function partsOf({ thinking, text, call }: Reply): object[] {
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(call === undefined
      ? []
      : [{ functionCall: { id: newId("call-"), name: call.name, args: call.input }, thoughtSignature: "c3R1Yg==" }]),
  ];
}

function response(parts: readonly object[], { model, inputTokens }: Asked, finishReason: string | undefined): object {
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(finishReason === undefined ? {} : { finishReason }) },
    ],
    modelVersion: model,
    responseId: newId("resp-"),
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: OUTPUT_TOKENS,
      totalTokenCount: inputTokens + OUTPUT_TOKENS,
    },
  };
}
