// A trace while it is read: pages, what arrives later, and what goes wrong.
import { describe, expect, test } from "bun:test";
import type { TraceSpan } from "../../../src/web/domain/trace/trace-span.ts";
import { PageFailure } from "../../../src/web/lib/failure.ts";
import {
  FIRST_PAGE,
  type MovingFigures,
  NEXT_PAGE,
  type SpanPage,
  type TraceSource,
  TraceState,
} from "../../../src/web/pages/traces/panel/trace-state.ts";
import { span } from "./spans.ts";

/** A server with the spans of one trace, the newest last in the list. */
class FakeServer implements TraceSource {
  spans: TraceSpan[] = [];
  exists = true;
  failing: PageFailure | null = null;
  readonly asked: string[] = [];

  constructor(count: number) {
    this.add(count);
  }

  add(count: number): void {
    for (let i = 0; i < count; i++) this.spans.push(span(`s${this.spans.length}`, null));
  }

  #page(first: number, after: string | null): SpanPage {
    const newestFirst = this.spans.toReversed();
    const begin = after === null ? 0 : newestFirst.findIndex(({ spanKey }) => spanKey === after) + 1;
    const spans = newestFirst.slice(begin, begin + first);
    return { spans, next: begin + first < newestFirst.length ? spans.at(-1)!.spanKey : null };
  }

  #figures(): MovingFigures {
    return {
      startTime: "a",
      endTime: `end ${this.spans.length}`,
      latencyMs: 1,
      errorCount: 0,
      tokenCountTotal: 0,
      costTotal: null,
      spanCount: this.spans.length,
    };
  }

  async open(first: number) {
    this.asked.push(`open ${first}`);
    if (this.failing !== null) throw this.failing;
    if (!this.exists) return null;
    const rest = { id: "T1", traceId: "t1", projectName: "p", userId: null, errorsByType: [], session: null };
    return { trace: { ...rest, ...this.#figures() }, page: this.#page(first, null) };
  }

  async page(_id: string, first: number, after: string | null) {
    this.asked.push(`page ${first} ${after}`);
    if (this.failing !== null) throw this.failing;
    return this.exists ? { figures: this.#figures(), page: this.#page(first, after) } : null;
  }
}

/** Every view that was shown, as `status count complete`. */
function watch(state: TraceState): string[] {
  const seen: string[] = [];
  state.subscribe(() => {
    const { status, spans, complete, stale } = state.view();
    seen.push(`${status} ${spans.length}${complete ? " complete" : ""}${stale ? " stale" : ""}`);
  });
  return seen;
}

describe("reading", () => {
  test("a small trace takes one question", async () => {
    const server = new FakeServer(3);
    const state = new TraceState(server);
    const seen = watch(state);
    await state.load();
    expect(server.asked).toEqual([`open ${FIRST_PAGE}`]);
    expect(seen).toEqual(["loading 0", "ready 3 complete", "ready 3 complete"]);
  });

  test("a large one is shown with its first page, and moves once more when all of it is there", async () => {
    const server = new FakeServer(FIRST_PAGE + 2 * NEXT_PAGE + 7);
    const state = new TraceState(server);
    const seen = watch(state);
    await state.load();
    expect(server.asked).toHaveLength(4);
    expect(seen).toEqual(["loading 0", `ready ${FIRST_PAGE}`, `ready ${FIRST_PAGE + 2 * NEXT_PAGE + 7} complete`]);
  });

  test("what is not there, and what cannot be asked, are told apart", async () => {
    const server = new FakeServer(0);
    server.exists = false;
    const state = new TraceState(server);
    await state.load();
    expect(state.view().status).toBe("not_found");
    server.failing = new PageFailure("forbidden", "no");
    await state.load();
    expect(state.view()).toMatchObject({ status: "failed", failure: { kind: "forbidden" } });
  });
});

describe("refreshing", () => {
  async function opened(count: number) {
    const server = new FakeServer(count);
    const state = new TraceState(server);
    await state.load();
    server.asked.length = 0;
    return { server, state, seen: watch(state) };
  }

  test("shows nothing new when nothing has come", async () => {
    const { state, seen } = await opened(5);
    await state.refresh();
    expect(seen).toEqual([]);
  });

  test("takes in what is new, and asks no further than the first known span", async () => {
    const { server, state, seen } = await opened(30);
    server.add(2);
    await state.refresh();
    expect(server.asked).toEqual(["page 20 null"]);
    expect(seen).toEqual(["ready 32 complete"]);
    expect(state.view().trace?.endTime).toBe("end 32");
    server.add(50);
    await state.refresh();
    expect(state.view().spans).toHaveLength(82);
  });

  test("reads everything again when spans were deleted", async () => {
    const { server, state } = await opened(5);
    server.spans = server.spans.slice(2);
    await state.refresh();
    expect(state.view()).toMatchObject({ status: "ready", complete: true });
    expect(state.view().spans).toHaveLength(3);
  });

  test("keeps what is shown when a question fails, says so, and recovers", async () => {
    const { server, state, seen } = await opened(5);
    server.failing = new PageFailure("unreachable", "gone");
    await state.refresh();
    expect(state.view().spans).toHaveLength(5);
    server.failing = null;
    await state.refresh();
    expect(seen).toEqual(["ready 5 complete stale", "ready 5 complete"]);
  });

  test("says that a trace was deleted meanwhile", async () => {
    const { server, state } = await opened(5);
    server.exists = false;
    await state.refresh();
    expect(state.view().status).toBe("not_found");
  });
});
