// A trace while it is being read: its first page at once, the others behind it, and what arrives later. No React here: the
// panel subscribes.
import type { TraceSpan } from "../../../domain/trace/trace-span.ts";
import { failureOf, type PageFailure } from "../../../lib/failure.ts";

/** Spans that are shown before anything else, and spans of each further page. */
export const FIRST_PAGE = 500;
export const NEXT_PAGE = 1000;
/** Beyond these the tab would take more memory than it may. */
export const MOST_SPANS = 100_000;

export interface TraceFigures {
  /** Global id. */
  readonly id: string;
  /** Id of the exporter. */
  readonly traceId: string;
  readonly projectName: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly latencyMs: number | null;
  readonly spanCount: number;
  readonly errorCount: number;
  /** Of its model calls, each once. */
  readonly tokenCountTotal: number;
  /** US dollars; null where nothing of it is known. */
  readonly costTotal: number | null;
  /** Most frequent first. */
  readonly errorsByType: readonly { readonly exceptionType: string | null }[];
  readonly userId: string | null;
  readonly session: { readonly id: string; readonly sessionId: string } | null;
}

export interface SpanPage {
  /** Newest arrival first. */
  readonly spans: readonly TraceSpan[];
  readonly next: string | null;
}

/** Counts that move while a trace grows. */
export type MovingFigures = Pick<
  TraceFigures,
  "startTime" | "endTime" | "latencyMs" | "spanCount" | "errorCount" | "tokenCountTotal" | "costTotal"
>;

export interface TraceSource {
  /** Null when there is no such trace in the project. */
  open(first: number, signal: AbortSignal): Promise<{ readonly trace: TraceFigures; readonly page: SpanPage } | null>;
  /** Null when the trace was deleted. */
  page(
    id: string,
    first: number,
    after: string | null,
    signal: AbortSignal,
  ): Promise<{ readonly figures: MovingFigures; readonly page: SpanPage } | null>;
}

export interface TraceView {
  readonly status: "loading" | "ready" | "not_found" | "failed";
  readonly failure: PageFailure | null;
  readonly trace: TraceFigures | null;
  readonly spans: readonly TraceSpan[];
  /** Every page is there; until then an absent parent may still come. */
  readonly complete: boolean;
  /** The last request failed, but what is shown was correct recently. */
  readonly stale: boolean;
}

const loading: TraceView = {
  status: "loading",
  failure: null,
  trace: null,
  spans: [],
  complete: false,
  stale: false,
};

export class TraceState {
  #view = loading;
  #listeners = new Set<() => void>();
  #source: TraceSource;
  #abort = new AbortController();
  /** By global id, in the order of arrival of answers. */
  #spans = new Map<string, TraceSpan>();
  #busy = false;

  constructor(source: TraceSource) {
    this.#source = source;
  }

  readonly view = (): TraceView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reads the whole trace again. */
  async load(): Promise<void> {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.#spans = new Map();
    this.#busy = true;
    this.#show(loading);
    try {
      const opened = await this.#source.open(FIRST_PAGE, abort.signal);
      if (opened === null) return this.#show({ ...loading, status: "not_found" });
      this.#add(opened.page.spans);
      let next = opened.page.next;
      this.#show({ ...loading, status: "ready", trace: opened.trace, spans: this.#all(), complete: next === null });
      while (next !== null && this.#spans.size < MOST_SPANS) {
        const more = await this.#source.page(opened.trace.id, NEXT_PAGE, next, abort.signal);
        if (more === null) return this.#show({ ...loading, status: "not_found" });
        this.#add(more.page.spans);
        next = more.page.next;
      }
      // One change for all further pages: rows that move ten times cannot be read.
      this.#show({ ...this.#view, spans: this.#all(), complete: next === null });
    } catch (error) {
      if (abort.signal.aborted) return;
      const failure = failureOf(error);
      this.#show(
        this.#view.status === "ready"
          ? { ...this.#view, stale: true, failure }
          : { ...loading, status: "failed", failure },
      );
    } finally {
      if (this.#abort === abort) this.#busy = false;
    }
  }

  /** Asks whether more has come, and takes it in without moving what is there. */
  async refresh(): Promise<void> {
    const { trace, status } = this.#view;
    if (this.#busy || trace === null || status !== "ready" || !this.#view.complete) return;
    const { signal } = this.#abort;
    this.#busy = true;
    try {
      let figures: MovingFigures | null = null;
      let after: string | null = null;
      let added = 0;
      for (let first = 20; ; first = NEXT_PAGE) {
        const answer = await this.#source.page(trace.id, first, after, signal);
        if (answer === null) return this.#show({ ...loading, status: "not_found" });
        figures ??= answer.figures;
        const before = this.#spans.size;
        this.#add(answer.page.spans);
        const fresh = this.#spans.size - before;
        added += fresh;
        after = answer.page.next;
        // Newest first: behind a known one there is nothing new.
        if (fresh < answer.page.spans.length || after === null || this.#spans.size >= MOST_SPANS) break;
      }
      if (figures.spanCount < this.#spans.size) {
        this.#busy = false;
        return await this.load();
      }
      const moved = added > 0 || figures.endTime !== trace.endTime || figures.errorCount !== trace.errorCount;
      if (!moved && !this.#view.stale) return;
      this.#show({
        ...this.#view,
        trace: { ...trace, ...figures },
        spans: added > 0 ? this.#all() : this.#view.spans,
        stale: false,
        failure: null,
      });
    } catch (error) {
      if (!signal.aborted) this.#show({ ...this.#view, stale: true, failure: failureOf(error) });
    } finally {
      if (this.#abort.signal === signal) this.#busy = false;
    }
  }

  stop(): void {
    this.#abort.abort();
    this.#busy = false;
  }

  #add(spans: readonly TraceSpan[]): void {
    for (const span of spans) this.#spans.set(span.id, span);
  }

  #all(): TraceSpan[] {
    return [...this.#spans.values()];
  }

  #show(view: TraceView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

export type { PageFailure };
