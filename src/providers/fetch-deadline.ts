// Time limits of one request: how long nothing may arrive, and how long the whole may take.
import { raceWithAbort } from "./abort.ts";
import { ProviderFetchError, type ProviderRequest } from "./provider-fetch.ts";

export interface FetchDeadline {
  /** Aborted by a limit and by the caller's signal. */
  readonly signal: AbortSignal;
  startIdleTimer(): void;
  stopIdleTimer(): void;
  /** Rejects when the signal is aborted before the promise settles. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** The reason of the abort if there is one, else the error. */
  reasonFor(error: unknown): unknown;
  /** Clears the timers. */
  stop(): void;
}

type Limited = Pick<ProviderRequest, "url" | "maximumIdleSeconds" | "totalSeconds" | "signal">;

/** Starts both timers. */
export function startDeadline({ url, maximumIdleSeconds, totalSeconds, signal }: Limited): FetchDeadline {
  const controller = new AbortController();
  const expire = (what: string, seconds: number) => {
    const host = URL.parse(url)?.host ?? "The provider";
    controller.abort(new ProviderFetchError("timeout", `${host} ${what} ${seconds} seconds`));
  };
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const total = setTimeout(() => expire("did not finish within", totalSeconds), totalSeconds * 1000);
  let idle: Timer | undefined;
  const startIdleTimer = () => {
    clearTimeout(idle);
    const seconds = maximumIdleSeconds();
    idle = setTimeout(() => expire("sent nothing for", seconds), seconds * 1000);
  };
  startIdleTimer();
  return {
    signal: controller.signal,
    startIdleTimer,
    stopIdleTimer: () => clearTimeout(idle),
    race: (promise) => raceWithAbort(promise, controller.signal),
    reasonFor: (error) => (controller.signal.aborted ? controller.signal.reason : error),
    stop() {
      clearTimeout(total);
      clearTimeout(idle);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
