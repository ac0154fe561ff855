// Reads of a running service: which pages there are, and how long they take, alone or while something else goes on.
import { percentile } from "./figures.ts";
import { LARGE_TRACE, PROJECT } from "./stored.ts";

export interface Page {
  readonly name: string;
  readonly path: string;
}

const project = `/v1/projects/${PROJECT}`;

/** The newest days of the stored spans, as a page with a time range asks for them. */
function range(days: number): string {
  const end = Date.now();
  const start = end - days * 24 * 3_600_000;
  return `start_time=${new Date(start).toISOString()}&end_time=${new Date(end).toISOString()}`;
}

const filter = (condition: string) => `filter=${encodeURIComponent(condition)}`;

export const pages: readonly Page[] = [
  { name: "projects", path: "/v1/projects" },
  { name: "100 traces", path: `${project}/traces?limit=100` },
  { name: "100 traces, by latency", path: `${project}/traces?limit=100&sort=latency_ms` },
  { name: "100 traces with their spans", path: `${project}/traces?limit=100&include_spans=true` },
  { name: "100 traces of one day", path: `${project}/traces?limit=100&${range(1)}` },
  { name: "100 traces, filter `error_count > 0`", path: `${project}/traces?limit=100&${filter("error_count > 0")}` },
  { name: "100 traces, filter that few match", path: `${project}/traces?limit=100&${filter("latency_ms > 1000000")}` },
  { name: "100 spans", path: `${project}/spans?limit=100` },
  { name: "100 spans of kind LLM", path: `${project}/spans?limit=100&span_kind=LLM` },
  { name: "100 spans with an error", path: `${project}/spans?limit=100&status_code=ERROR` },
  { name: "100 spans by name", path: `${project}/spans?limit=100&name=${encodeURIComponent("look up order")}` },
  { name: "100 spans, an attribute nobody has", path: `${project}/spans?limit=100&attribute=app.release:none` },
  { name: "100 sessions", path: `${project}/sessions?limit=100` },
  { name: "trace of 2,000 spans, first 1,000", path: `${project}/spans?limit=1000&trace_id=${LARGE_TRACE}` },
];

/** What is cheap enough to be asked for all the time while spans arrive. */
export const everydayPages: readonly Page[] = pages.filter(({ name }) =>
  ["projects", "100 traces", "100 spans", "100 sessions"].includes(name),
);

/** What costs the server next to nothing: how long it takes tells how busy the thread is that answers. */
export const trivialPages: readonly Page[] = pages.filter(({ name }) => name === "projects");

/** Milliseconds until the last byte. */
export async function readPage(url: string, path: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path);
  const body = await response.arrayBuffer();
  if (response.status !== 200) {
    throw new Error(`${path} answered ${response.status}: ${Buffer.from(body).toString().slice(0, 300)}`);
  }
  return performance.now() - began;
}

/** The pages that the service answers; the others are named on standard error and left out. */
export async function existingPages(url: string, wanted: readonly Page[]): Promise<Page[]> {
  const existing: Page[] = [];
  for (const page of wanted) {
    const response = await fetch(url + page.path);
    await response.arrayBuffer();
    if (response.status === 200) existing.push(page);
    else console.error(`left out, answered with ${response.status}: ${page.name}`);
  }
  return existing;
}

export interface Reading {
  /** Milliseconds of all reads since the start. */
  stop(): Promise<{ readonly p50: number; readonly p99: number; readonly reads: number }>;
  /** The same, one by one. */
  all(): Promise<readonly number[]>;
}

/** Reads the pages in turn, one read after the other, in a thread of its own. */
export function startReading(url: string, asked: readonly Page[]): Reading {
  const thread = new Worker(new URL("./reading-thread.ts", import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  thread.onmessage = ({ data }) => resolve(data);
  thread.onerror = (event) => reject(new Error(event.message));
  thread.postMessage({ url, asked });
  const all = async () => {
    thread.postMessage("stop");
    const latencies = asked.length === 0 ? [] : await promise;
    thread.terminate();
    return latencies;
  };
  return {
    all,
    async stop() {
      const latencies = await all();
      return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), reads: latencies.length };
    },
  };
}
