// Answers whose parts are made while the client reads: events of something that runs.

/** Until a part that says only that the answer goes on. */
const HEARTBEAT_MILLISECONDS = 5000;

interface LiveAnswer {
  /** Sent at once, before the first event. */
  readonly beginning: string;
  /** Parts as they come; each is sent at once. */
  readonly parts: AsyncGenerator<string, void, undefined>;
  /** Sent while nothing else is, every five seconds. */
  readonly heartbeat: string;
  /** Sent behind the last part. */
  readonly end: string;
  /** Called when the client goes away: it has `parts` end. */
  readonly cancel: () => void;
  readonly headers: Readonly<Record<string, string>>;
  /** For tests. */
  readonly heartbeatMilliseconds?: number;
}

/** The answer to a client that reads as parts come. One that reads slowly slows `parts` down. */
export function liveAnswer(answer: LiveAnswer): Response {
  const { parts, heartbeat, cancel } = answer;
  const milliseconds = answer.heartbeatMilliseconds ?? HEARTBEAT_MILLISECONDS;
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, void>> | null = null;
  let isGone = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(answer.beginning));
      },
      async pull(controller) {
        next ??= parts.next();
        const event = await before(next, milliseconds);
        if (isGone) return;
        if (event === null) {
          controller.enqueue(encoder.encode(heartbeat));
          return;
        }
        next = null;
        if (event.done !== true) controller.enqueue(encoder.encode(event.value));
        else {
          controller.enqueue(encoder.encode(answer.end));
          controller.close();
        }
      },
      async cancel() {
        isGone = true;
        cancel();
        await parts.return();
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    // Proxies that gather answers before they pass them on are asked not to.
    headers: { "cache-control": "no-cache", "x-accel-buffering": "no", ...answer.headers },
  });
}

/** Null where the time is over first; the promise goes on then. */
async function before<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
