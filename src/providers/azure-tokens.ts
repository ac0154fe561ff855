// Tokens of Microsoft Entra ID for applications (client credentials), cached until shortly before they expire.
import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import { isJsonObject } from "../kernel/json.ts";
import type { ModelCredentials } from "./model-call.ts";
import { type ProviderFetch, readResponseText } from "./provider-fetch.ts";
import { findJson } from "./wire-messages.ts";
import { errorInAnswer } from "./wires/error-texts.ts";
import { memberNumber, memberText } from "./wires/members.ts";

export type AzureAdCredentials = Extract<ModelCredentials, { readonly type: "azure_ad" }>;

/** Entra ID, except in national clouds. */
export const AZURE_AUTHORITY = "https://login.microsoftonline.com";
/** The scope of Azure OpenAI. */
export const AZURE_SCOPE = "https://cognitiveservices.azure.com/.default";

const SECONDS_TO_SPARE = 120;
const TIMEOUT_SECONDS = 20;
const MOST_BYTES = 64 * 1024;
/** Cached applications; the oldest are removed first. */
const MOST_TOKENS = 200;

interface CachedToken {
  readonly token: Promise<string>;
  /** Infinity while the token is being requested. */
  expiresUs: number;
}

/** Entra ID refused, with its own message. */
export class TokenRefusedError extends Error {
  override readonly name = "TokenRefusedError";
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

export interface AzureTokens {
  /** Rejects with `TokenRefusedError`, and as `fetch` does. Concurrent calls share one request. */
  get(credentials: AzureAdCredentials): Promise<string>;
}

/** Created once for a server. */
export function createAzureTokens(fetch: ProviderFetch, clock: Clock): AzureTokens {
  const tokens = new Map<string, CachedToken>();
  return {
    async get(credentials) {
      const key = createHash("sha256").update(JSON.stringify(credentials)).digest("hex");
      const cached = tokens.get(key);
      if (cached !== undefined && cached.expiresUs > clock.now()) return cached.token;
      const asked = requestToken(credentials, fetch);
      const entry: CachedToken = { token: asked.then(({ token }) => token), expiresUs: Number.POSITIVE_INFINITY };
      tokens.delete(key);
      tokens.set(key, entry);
      for (const oldest of [...tokens.keys()].slice(0, Math.max(0, tokens.size - MOST_TOKENS))) tokens.delete(oldest);
      try {
        const { seconds } = await asked;
        entry.expiresUs = clock.now() + (seconds - SECONDS_TO_SPARE) * 1e6;
      } catch {
        tokens.delete(key);
      }
      return entry.token;
    },
  };
}

async function requestToken(credentials: AzureAdCredentials, fetch: ProviderFetch) {
  const { authority, tenantId, clientId, clientSecret, scope } = credentials;
  const response = await fetch({
    method: "POST",
    url: `${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope,
    }).toString(),
    label: "AZURE_OPENAI",
    maximumIdleSeconds: () => TIMEOUT_SECONDS,
    totalSeconds: TIMEOUT_SECONDS,
    maximumBytes: MOST_BYTES,
    // Other calls may wait for the same token, so one call does not cancel it.
    signal: new AbortController().signal,
  });
  const answer = findJson(await readResponseText(response));
  const token = memberText(answer, "access_token");
  if (response.status === 200 && token !== "") {
    // The older endpoint writes the number as a string.
    return { token, seconds: memberNumber(answer, "expires_in") ?? (Number(memberText(answer, "expires_in")) || 0) };
  }
  const message = memberText(answer, "error_description") || errorInAnswer(answer).message || "no token";
  const code = isJsonObject(answer) ? memberText(answer, "error") || null : null;
  throw new TokenRefusedError(response.status, code, `Microsoft Entra ID answered ${response.status}: ${message}`);
}
