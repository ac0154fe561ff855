// Requests for tokens and keys of the identity of the server: to the services of its cloud that hand them out.
import { readFile } from "node:fs/promises";
import type { Json } from "../kernel/json.ts";
import { IdentityRefusedError } from "./identity-refused.ts";
import type { ProviderFetch, ProviderRequest } from "./provider-fetch.ts";
import { readResponseText } from "./provider-fetch.ts";
import { findJson } from "./wire-messages.ts";

export interface IdentityNeeds {
  /** To services on the network. */
  readonly fetch: ProviderFetch;
  /** To services of the machine or container, at link-local and loopback addresses alone; null where they are not allowed. */
  readonly metadataFetch: ProviderFetch | null;
}

export interface IdentityAnswer {
  readonly status: number;
  readonly text: string;
  /** Null where the text is not JSON. */
  readonly json: Json;
}

const TIMEOUT_SECONDS = 20;
/** The services of the machine are near, or not there at all. */
const METADATA_SECONDS = 5;
const MOST_BYTES = 64 * 1024;

type Request = Pick<ProviderRequest, "method" | "url" | "headers" | "body" | "label">;

export async function askIdentityService({ fetch }: IdentityNeeds, request: Request): Promise<IdentityAnswer> {
  return ask(fetch, request, TIMEOUT_SECONDS);
}

/** Rejects with `IdentityRefusedError` where such services may not be called. */
export async function askMetadataService({ metadataFetch }: IdentityNeeds, request: Request): Promise<IdentityAnswer> {
  if (metadataFetch === null) {
    throw new IdentityRefusedError(
      403,
      null,
      `The credentials of the machine are at ${new URL(request.url).host}; SERVICE_ALLOW_METADATA_CREDENTIALS allows to ask for them`,
    );
  }
  return ask(metadataFetch, request, METADATA_SECONDS);
}

async function ask(fetch: ProviderFetch, request: Request, seconds: number): Promise<IdentityAnswer> {
  const response = await fetch({
    ...request,
    maximumIdleSeconds: () => seconds,
    totalSeconds: seconds,
    maximumBytes: MOST_BYTES,
    // Other calls may wait for the same value, so one call does not cancel it.
    signal: new AbortController().signal,
  });
  const text = await readResponseText(response);
  return { status: response.status, text, json: findJson(text) };
}

/** The content of a file that a variable names. Rejects with `IdentityRefusedError` that names the variable. */
export async function readIdentityFile(variable: string, path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new IdentityRefusedError(403, null, `The file of ${variable} cannot be read${code}`);
  }
}
