// Facts about the protocol that more than one part of the program states.

/** The versions of the Model Context Protocol that this server speaks, newest first. */
export const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Those of which each request names its version. */
export const ENVELOPE_VERSIONS: readonly string[] = PROTOCOL_VERSIONS.slice(0, 1);

/** What the server can do beside tools. */
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;

/** A message, over stdio or HTTP, may be this long: a large note in one call, and no more. */
export const MOST_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Calls that run at a time, over stdio or HTTP; the others wait. Most calls take the processor and not the disk, so that more at a time take longer and more memory. */
export const MOST_CALLS_AT_ONCE = 32;
