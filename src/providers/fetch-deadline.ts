// When a request has taken too long: nothing came for a while, or the whole of it does not end.
import { untilAborted } from "./abort.ts";
import { ProviderFetchError, type ProviderRequest } from "./provider-fetch.ts";

export interface FetchDeadline {
  /** Aborted by the deadline and by the caller. */
  readonly signal: AbortSignal;
  /** Something is waited for: the silence begins. */
  listen(): void;
  /** Something came, or nothing is waited for. */
  heard(): void;
  /** Rejects when the signal is aborted before the promise settles. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** What to tell for an error: the reason of the abort, if there is one. */
  errorFor(error: unknown): unknown;
  stop(): void;
}

type Watched = Pick<ProviderRequest, "url" | "silenceSeconds" | "totalSeconds" | "signal">;

export function startDeadline({ url, silenceSeconds, totalSeconds, signal }: Watched): FetchDeadline {
  const controller = new AbortController();
  const host = URL.canParse(url) ? new URL(url).host : "The provider";
  const give = (seconds: number, what: string) =>
    controller.abort(new ProviderFetchError("timeout", `${host} ${what} for ${seconds} seconds`));
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const total = setTimeout(() => give(totalSeconds, "has been answering"), totalSeconds * 1000);
  let silence: Timer | undefined;
  const listen = () => {
    clearTimeout(silence);
    const seconds = silenceSeconds();
    silence = setTimeout(() => give(seconds, "sent nothing"), seconds * 1000);
  };
  listen();
  return {
    signal: controller.signal,
    listen,
    heard: () => clearTimeout(silence),
    race: (promise) => untilAborted(promise, controller.signal),
    errorFor: (error) => (controller.signal.aborted ? controller.signal.reason : error),
    stop() {
      clearTimeout(total);
      clearTimeout(silence);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
