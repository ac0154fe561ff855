// Requests to an identity provider, bounded in time and size: it is another server, which may be slow, broken or hostile.
import { Failure } from "../../../../kernel/failure.ts";
import { providerAnswerRefused, providerAway } from "./openid.errors.ts";

export interface ProviderLimits {
  /** Milliseconds for one request, answer included. */
  readonly requestMs: number;
  /** Milliseconds for trading a code and asking for claims. */
  readonly signInMs: number;
  /** Milliseconds after a failure in which metadata is not asked for again: the first, doubled each time up to the last. */
  readonly backOffMs: { readonly first: number; readonly last: number };
}

export const providerLimits: ProviderLimits = {
  requestMs: 10_000,
  signInMs: 20_000,
  backOffMs: { first: 1000, last: 10_000 },
};

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Statuses whose answers have no body. */
const EMPTY = new Set([204, 205, 304]);

interface ProviderRequest {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: BodyInit | null | undefined;
}

/** Sends one request and reads its answer whole. Redirections are not followed: they would take a secret elsewhere. Throws what
 *  happened, in words for the log. */
export async function askProvider(
  url: string,
  { method = "GET", headers = {}, body }: ProviderRequest,
  { requestMs, signal }: { readonly requestMs: number; readonly signal?: AbortSignal },
): Promise<Response> {
  const timer = AbortSignal.timeout(requestMs);
  const late = signal === undefined ? timer : AbortSignal.any([timer, signal]);
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body == null ? {} : { body }),
      redirect: "manual",
      signal: late,
    });
    const bytes = await readBounded(answer);
    const kept = new Headers(answer.headers);
    kept.delete("content-encoding");
    kept.delete("content-length");
    return new Response(EMPTY.has(answer.status) ? null : bytes, { status: answer.status, headers: kept });
  } catch (error) {
    if (late.aborted) throw providerAway(`no answer from ${hostOf(url)} in time`);
    throw error instanceof Failure ? error : providerAway(`no connection to ${hostOf(url)}`, error);
  }
}

async function readBounded(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw providerAnswerRefused(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "an invalid address";
}
