// The way for clients to a token for this server: the metadata of a protected
// resource (RFC 9728), and the header that leads them there. Used by
// members-http.ts.
import type { OAuthSettings } from "../../../settings.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The address of the metadata itself, and that of the whole host for clients that look there. */
export function isMetadataAddress(path: string, { resource }: OAuthSettings): boolean {
  return path === WELL_KNOWN || path === metadataPath(resource);
}

export function resourceMetadata({ resource, issuer, scopes }: OAuthSettings): object {
  return {
    resource,
    resource_name: "Commonplace",
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  };
}

/** The value of WWW-Authenticate. @param error what is wrong with the token that was sent */
export function challenge(oauth: OAuthSettings | undefined, error?: "invalid_token"): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(oauth === undefined
      ? []
      : [`resource_metadata="${new URL(metadataPath(oauth.resource), oauth.resource).href}"`]),
  ];
  return `Bearer ${parts.join(", ")}`.trim();
}

function metadataPath(resource: string): string {
  return `${WELL_KNOWN}${new URL(resource).pathname.replace(/\/$/, "")}`;
}
