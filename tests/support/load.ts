// Senders that export spans to a running service without pause and keep a record of what was acknowledged: the load under
// which faults are tested. Like a standard exporter, a sender repeats a batch until it is acknowledged.
import { encodeOtlp, type OtlpSpan, otlpAttributes, otlpExport } from "./otlp-encode.ts";

export interface LoadOptions {
  /** Services that take turns: the same traces and sessions reach all of them. */
  readonly urls: readonly string[];
  readonly senders?: number;
  readonly spansPerRequest?: number;
  /** Every sender adds to all of them at once, so that requests share traces, parents and sessions. */
  readonly sharedTraces?: number;
  /** Every how many requests one is sent once more after its 200, as a sender does whose answer got lost. */
  readonly repeatEvery?: number;
}

export interface SentBatch {
  /** `trace key/span key` of each span. */
  readonly spans: readonly string[];
  readonly acknowledged: boolean;
}

export interface Load {
  /** Spans of requests that were answered with 200. */
  acknowledged(): number;
  /** How often each answer came: a status, or `unreachable` where the connection failed. */
  answers(): Readonly<Record<string, number>>;
  /** Answers of another status than 200 and 503, and answers 503 without `Retry-After`: none may come under load. */
  readonly complaints: readonly string[];
  /** Resolves when that many more spans are acknowledged than at the time of the call. */
  untilAcknowledged(more: number): Promise<void>;
  /** Resolves when `happened` holds for the answers counted since the call. */
  untilAnswered(happened: (since: Readonly<Record<string, number>>) => boolean): Promise<void>;
  /** Lets every sender finish the batch it has in hand; returns all batches. */
  finish(): Promise<readonly SentBatch[]>;
  /** The senders give up at once, as if they were gone too. */
  abandon(): Promise<readonly SentBatch[]>;
}

const PAUSE_MILLISECONDS = 20;
const REQUEST_LIMIT_MILLISECONDS = 20_000;
/** 2024-01-01T00:00:00Z in nanoseconds. */
const START_NANOSECONDS = 1_704_067_200_000_000_000n;

let lastLoad = 0;

export function startLoad(options: LoadOptions): Load {
  const { urls, senders = 6, spansPerRequest = 20, sharedTraces = 10, repeatEvery = 10 } = options;
  const load = ++lastLoad;
  const answers: Record<string, number> = {};
  const complaints: string[] = [];
  const batches: { spans: string[]; acknowledged: boolean }[] = [];
  const waiters = new Set<() => void>();
  const giveUp = new AbortController();
  let acknowledged = 0;
  let finishing = false;

  const wait = (happened: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!happened()) return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      look();
    });

  function count(answer: string): void {
    answers[answer] = (answers[answer] ?? 0) + 1;
  }

  async function post(url: string, body: Uint8Array<ArrayBuffer>): Promise<boolean> {
    try {
      const response = await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf" },
        body,
        signal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(REQUEST_LIMIT_MILLISECONDS)]),
      });
      const answer = await response.bytes();
      count(String(response.status));
      if (response.status === 200 && answer.length === 0) return true;
      if (response.status !== 503 || response.headers.get("retry-after") === null)
        complaints.push(`${response.status}: ${Buffer.from(answer).toString("utf8").slice(0, 200)}`);
    } catch (error) {
      if (giveUp.signal.aborted) return false;
      if ((error as Error).name === "TimeoutError") complaints.push(`no answer in ${REQUEST_LIMIT_MILLISECONDS} ms`);
      count("unreachable");
    }
    return false;
  }

  async function send(sender: number): Promise<void> {
    for (let number = 0; !finishing && !giveUp.signal.aborted; number++) {
      const spans = spansOf(load, sender, number, spansPerRequest, sharedTraces);
      const batch = { spans: spans.map((span) => `${span.traceId}/${span.spanId}`), acknowledged: false };
      batches.push(batch);
      const body = encodeOtlp(otlpExport(spans));
      for (let attempt = sender + number; !giveUp.signal.aborted; attempt++) {
        const url = urls[attempt % urls.length]!;
        if (await post(url, body)) {
          batch.acknowledged = true;
          acknowledged += spans.length;
          if (number % repeatEvery === repeatEvery - 1) await post(urls[(attempt + 1) % urls.length]!, body);
          break;
        }
        for (const look of waiters) look();
        await Bun.sleep(PAUSE_MILLISECONDS);
      }
      for (const look of waiters) look();
    }
  }

  const running = Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  return {
    acknowledged: () => acknowledged,
    answers: () => ({ ...answers }),
    complaints,
    untilAcknowledged(more) {
      const goal = acknowledged + more;
      return wait(() => acknowledged >= goal);
    },
    untilAnswered(happened) {
      const before = { ...answers };
      const since = () =>
        Object.fromEntries(Object.entries(answers).map(([answer, times]) => [answer, times - (before[answer] ?? 0)]));
      return wait(() => happened(since()));
    },
    async finish() {
      finishing = true;
      await running;
      return batches;
    },
    async abandon() {
      giveUp.abort();
      await running;
      return batches;
    },
  };
}

/** Spans of one request, spread over the shared traces: each is the child of the one that the same sender put into its trace
 *  before, or of a span that comes later, or a root; some are errors, all have tokens. */
function spansOf(load: number, sender: number, number: number, size: number, sharedTraces: number): OtlpSpan[] {
  return Array.from({ length: size }, (_, position) => {
    const serial = number * size + position;
    const trace = (serial * 7 + sender) % sharedTraces;
    const previous = serial - sharedTraces;
    const parent = serial % 11 === 5 ? serial + sharedTraces : previous >= 0 && serial % 5 !== 0 ? previous : null;
    const start = START_NANOSECONDS + BigInt(serial) * 1_000_000n;
    return {
      traceId: hex(load * 1_000_000 + trace + 1, 32),
      spanId: spanKey(load, sender, serial),
      ...(parent === null ? {} : { parentSpanId: spanKey(load, sender, parent) }),
      name: `step ${serial}`,
      kind: 1,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 5_000_000n),
      status: { code: serial % 13 === 0 ? 2 : 1 },
      attributes: otlpAttributes({
        "openinference.span.kind": serial % 3 === 0 ? "LLM" : "CHAIN",
        "session.id": `session ${load}.${trace % 4}`,
        "llm.token_count.prompt": serial % 17,
        "llm.token_count.completion": serial % 7,
        "input.value": `question ${serial} `.repeat(10),
      }),
    };
  });
}

function spanKey(load: number, sender: number, serial: number): string {
  return hex(load, 3) + hex(sender + 1, 3) + hex(serial + 1, 10);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
