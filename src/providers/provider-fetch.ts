// The function through which this layer reaches the network, so that every request obeys the rules for addresses and limits.

export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Provider label of the metrics, from a small fixed set. */
  readonly label: string;
  /** How long nothing may arrive; read again after each chunk. */
  readonly maximumIdleSeconds: () => number;
  /** Of the whole exchange. */
  readonly totalSeconds: number;
  /** Of the decompressed body. */
  readonly maximumBytes: number;
  readonly signal: AbortSignal;
}

export interface ProviderResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read to its end, or left early, which closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects, as does reading the body, with a `ProviderFetchError`; with the signal's reason once that is aborted. */
export type ProviderFetch = (request: ProviderRequest) => Promise<ProviderResponse>;

/** Why a request failed: `address` if it must not be called. */
export class ProviderFetchError extends Error {
  override readonly name = "ProviderFetchError";
  constructor(
    readonly kind: "address" | "connection" | "timeout" | "too_large",
    message: string,
  ) {
    super(message);
  }
}

/** The whole body as text. */
export async function readResponseText({ body }: ProviderResponse): Promise<string> {
  return new TextDecoder().decode(Buffer.concat(await Array.fromAsync(body)));
}
