// Waiting that an abort signal ends.

/** Settles as the promise does, or rejects with the signal's reason as soon as it is aborted. */
export async function raceWithAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** False if the signal was aborted before the time was over. */
export async function sleepUnlessAborted(seconds: number, signal: AbortSignal): Promise<boolean> {
  if (seconds <= 0) return !signal.aborted;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  try {
    await raceWithAbort(promise, signal);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
