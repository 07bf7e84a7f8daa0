// Facts about the protocol that more than one part of the program states.

/** The versions of the Model Context Protocol that this server speaks, newest first. */
export const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The versions in which every request names its version. */
export const ENVELOPE_VERSIONS: readonly string[] = PROTOCOL_VERSIONS.slice(0, 1);

/** The server's capabilities. */
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;

/** The longest message over stdio or HTTP: enough for a large note in one call. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Concurrent calls over stdio or HTTP; others wait. Most calls need the CPU and not the disk, so that more of them would only take more memory. */
export const MAX_CALLS_AT_ONCE = 32;
