// What an event of a Copilot CLI session says: prose, thinking, calls of tools
// and their output, summaries. Pure; used by session.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import type { Said, Tokens } from "../source.ts";
import { countIn, tokensIn } from "../kit/token-counts.ts";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Events without content of their own: settings, progress, permissions, what is for the model or repeated in others.
 * From the published list of all events (session-events of @github/copilot-sdk 1.0.14), and as 1.0.102 writes them.
 */
const SILENT_FAMILIES =
  /^(?:abort|auto_mode_switch|capabilities|commands?|elicitation|exit_plan_mode|external_tool|factory|hook|mcp(?:_app|\.\w+)?|model|pending_messages|permission|sampling|session_limits_exhausted|system|tool_search|ui|user_input)(?:\.|$)/;
const SILENT = new Set(
  `assistant.fusion_phase_activity assistant.fusion_phase_completed assistant.fusion_phase_failed
   assistant.fusion_phase_started assistant.idle assistant.intent assistant.message_delta assistant.message_start
   assistant.reasoning_delta assistant.server_tool_progress assistant.streaming_delta assistant.tool_call_delta
   assistant.turn_end assistant.turn_start assistant.usage session.auto_mode_resolved session.auto_tier_recommendation
   session.auto_tier_switch_failed session.autopilot_objective_changed session.background_tasks_changed
   session.binary_asset session.canvas.closed session.canvas.opened session.canvas.recorded
   session.canvas.registry_changed session.canvas.removed session.canvas.unavailable session.compaction_start
   session.completion_receipt session.context_cleared session.custom_agents_updated session.custom_notification
   session.error session.extensions.attachments_pushed session.extensions_loaded session.fusion_completed
   session.fusion_resolved session.fusion_route_failed session.fusion_route_started session.idle session.info
   session.managed_settings_enforced session.managed_settings_resolved session.mcp_server_needs_reconnect
   session.mcp_server_removed session.mcp_server_status_changed session.mcp_servers_loaded session.mode_changed
   session.mode_notice_delivered session.permissions_changed session.plan_changed session.remote_steerable_changed
   session.schedule_cancelled session.schedule_created session.schedule_rearmed session.session_limits_changed
   session.skills_loaded session.snapshot_rewind session.todos_changed session.tools_updated
   session.truncation session.usage_checkpoint session.usage_info session.warning
   session.workspace_file_changed skill.invoked subagent.completed subagent.configured subagent.deselected
   subagent.failed subagent.selected subagent.started tool.execution_partial_result tool.execution_progress`.split(
    /\s+/,
  ),
);

export function isSilent(type: string): boolean {
  return SILENT.has(type) || SILENT_FAMILIES.test(type);
}

export function tokensOf(usage: Fields | undefined): Tokens | undefined {
  return tokensIn({
    input: usage?.["inputTokens"],
    output: usage?.["outputTokens"],
    cached: usage?.["cacheReadTokens"],
  });
}

/** All tokens of a session that has ended, by model. */
export function totalOf(shutdown: Fields): Tokens | undefined {
  const metrics = recordOf(recordOf(shutdown["accountingSnapshot"])?.["modelMetrics"] ?? shutdown["modelMetrics"]);
  const usages = Object.values(metrics ?? {}).map((one) => recordOf(recordOf(one)?.["usage"]));
  const sum = (name: string) => usages.reduce((all, usage) => all + countIn(usage?.[name]), 0);
  return tokensIn({ input: sum("inputTokens"), output: sum("outputTokens"), cached: sum("cacheReadTokens") });
}

/** What the person typed. Empty for what the program sends in their place: skills, reminders, continuations. */
export function typedIn(data: Fields): string {
  const source = textOf(data["source"]);
  const isTyped = source === undefined || source.startsWith("command-");
  if (!isTyped || data["isAutopilotContinuation"] === true) return "";
  const images = recordsOf(data["attachments"]).filter((one) => textOf(one["mimeType"])?.startsWith("image/"));
  return [withoutReminder(textOf(data["content"]) ?? ""), ...images.map(() => "[image]")]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Versions of 2025 put one behind the prompt, which may speak of reminders itself. */
export function withoutReminder(text: string): string {
  const typed = text.trim();
  const at = typed.endsWith("</reminder>") ? typed.lastIndexOf("<reminder>") : -1;
  return (at === -1 ? typed : typed.slice(0, at)).trim();
}

export function callOf(name: unknown, args: unknown): Said {
  const tool = textOf(name) ?? "tool";
  const files = filesIn(args);
  const given = typeof args === "string" ? args : JSON.stringify(args ?? {});
  return { role: "assistant", kind: "tool", tool, text: `${tool} ${given}`, ...(files.length > 0 && { files }) };
}

function filesIn(args: unknown): string[] {
  if (typeof args === "string")
    return [...args.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, file]) => file!.trim());
  const fields = recordOf(args);
  return ["path", "file_path", "filePath"].flatMap((name) => textOf(fields?.[name]) ?? []);
}

export function outputOf(data: Fields, tool: string): Said {
  const result = recordOf(data["result"]);
  const text = textOf(result?.["content"]) ?? textOf(recordOf(data["error"])?.["message"]) ?? "";
  return { role: "assistant", kind: "tool", tool, text };
}

/** Only the system prompt names the folder in versions before 2026. */
export function folderInPrompt(content: unknown): string | undefined {
  return /^\* Current working directory: (.+)$/m.exec(textOf(content) ?? "")?.[1]?.trim();
}
