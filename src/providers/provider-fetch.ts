// How this layer reaches the network: one function, so that no call goes around the rules of addresses and limits.

export interface ProviderRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Kind of provider in metrics: from a small fixed set. */
  readonly label: string;
  /** How long nothing may come; asked again whenever something came. */
  readonly silenceSeconds: () => number;
  /** Of the whole exchange. */
  readonly totalSeconds: number;
  /** Of the unpacked answer. */
  readonly maximumBytes: number;
  readonly signal: AbortSignal;
}

export interface ProviderResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read to its end, or left with `return()`, which closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects, as does reading the body, with a `ProviderFetchError`; with the signal's reason once that is aborted. */
export type ProviderFetch = (request: ProviderRequest) => Promise<ProviderResponse>;

/** What keeps an answer from coming: `address` for one that may not be called. */
export class ProviderFetchError extends Error {
  override readonly name = "ProviderFetchError";
  constructor(
    readonly kind: "address" | "connection" | "timeout" | "too_large",
    message: string,
  ) {
    super(message);
  }
}
