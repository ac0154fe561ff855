// Every row of ingestion-sequences.json against the running service, over REST and, for the sums of spans, GraphQL.
import { beforeAll, expect, test } from "bun:test";
import { exportTo, sendSpans } from "../../support/dataset.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { createHttpClient, type HttpClient } from "../../support/http.ts";
import { otlpSpan, type Sequence, type Symbols, sequences, symbolTable } from "../../support/sequences.ts";
import { servicesOfSuite } from "../../support/server.ts";

forEachDriver("ingestion-sequences", (driver) => {
  const start = servicesOfSuite();
  let client: HttpClient;
  beforeAll(async () => {
    const databaseUrl = await driver.createDatabase();
    client = createHttpClient((await start({ databaseUrl })).url);
  }, 60_000);

  const list = async <Item>(project: string, what: string): Promise<number | Item[]> => {
    const answer = await client.get(`/v1/projects/${project}/${what}`);
    return answer.status === 200 ? answer.json<{ data: Item[] }>().data : answer.status;
  };

  async function rollupOf(project: string): Promise<Record<string, unknown>> {
    const query = `query ($name: String!) { getProjectByName(name: $name) { spans(first: 1000) { edges { node {
      name tokenCountPrompt tokenCountCompletion propagatedStatusCode
      cumulativeTokenCountPrompt cumulativeTokenCountCompletion } } } } }`;
    const answer = await client.post("/graphql", {
      body: JSON.stringify({ query, variables: { name: project } }),
      headers: { "content-type": "application/json" },
    });
    type Node = Readonly<Record<string, unknown>>;
    const { data } = answer.json<{ data: { getProjectByName: { spans: { edges: { node: Node }[] } } } }>();
    return Object.fromEntries(
      data.getProjectByName.spans.edges.map(({ node }) => [
        node.name,
        {
          own: [node.tokenCountPrompt, node.tokenCountCompletion],
          cumulative: [node.cumulativeTokenCountPrompt, node.cumulativeTokenCountCompletion],
          propagated_status: node.propagatedStatusCode,
        },
      ]),
    );
  }

  async function check(expected: Sequence["expect"], symbols: Symbols): Promise<void> {
    for (const [project, rollup] of Object.entries(expected.rollup ?? {})) {
      expect(await rollupOf(project)).toEqual({ ...rollup });
    }
    for (const [project, traces] of Object.entries(expected.traces ?? {})) {
      const found = await list<Record<string, unknown>>(project, "traces?order=asc");
      if (typeof traces === "number") expect(found).toBe(traces);
      else {
        const wanted = traces.map(({ trace, start_time, end_time, tokens }) => ({
          trace_id: symbols.trace(trace),
          start_time,
          end_time,
          token_count_prompt: tokens[0],
          token_count_completion: tokens[1],
          token_count_total: tokens[2],
        }));
        expect(found).toHaveLength(wanted.length);
        const byId = (left: { trace_id?: unknown }, right: { trace_id?: unknown }) =>
          String(left.trace_id) < String(right.trace_id) ? -1 : 1;
        expect((found as Record<string, unknown>[]).sort(byId)).toMatchObject(wanted.sort(byId));
      }
    }
    for (const [project, sessions] of Object.entries(expected.sessions ?? {})) {
      type Found = { session_id: string; start_time: string; end_time: string; traces: { trace_id: string }[] };
      const found = (await list<Found>(project, "sessions?order=asc")) as Found[];
      expect(
        found
          .map(({ session_id, start_time, end_time, traces }) => ({
            session_id,
            start_time,
            end_time,
            traces: traces.map(({ trace_id }) => trace_id),
          }))
          .sort(bySession),
      ).toEqual(
        symbols
          .withSessions(sessions)
          .map((session) => ({ ...session, traces: session.traces.map(symbols.trace) }))
          .sort(bySession),
      );
    }
    for (const [project, names] of Object.entries(expected.spans ?? {})) {
      const found = await list<{ name: string }>(project, "spans?limit=1000");
      if (typeof found === "number" || typeof names === "number") expect(found as unknown).toBe(names);
      else expect(found.map(({ name }) => name).sort()).toEqual([...names]);
    }
    for (const [project, status] of Object.entries(expected.projects ?? {})) {
      expect((await client.get(`/v1/projects/${project}`)).status).toBe(status);
    }
    for (const [project, times] of Object.entries(expected.times ?? {})) {
      type Found = { name: string; start_time: string; end_time: string; status_code: string; status_message: string };
      const found = (await list<Found>(project, "spans?limit=1000")) as Found[];
      expect(
        Object.fromEntries(
          found.map((span) => [span.name, [span.start_time, span.end_time, span.status_code, span.status_message]]),
        ),
      ).toEqual(times as Record<string, string[]>);
    }
    for (const [project, events] of Object.entries(expected.events ?? {})) {
      const [span] = (await list<{ events: unknown[] }>(project, "spans")) as { events: unknown[] }[];
      expect(span!.events).toEqual([...events]);
    }
  }

  // Traces and sessions of one request come into being in the order of their keys, so that servers wait in one order.
  const bySession = (left: { session_id: string }, right: { session_id: string }) =>
    left.session_id < right.session_id ? -1 : 1;

  for (const sequence of sequences) {
    test(sequence.id, async () => {
      const symbols = symbolTable();
      for (const step of sequence.steps) {
        if ("delete_span" in step) {
          expect((await client.delete(`/v1/spans/${symbols.span(step.delete_span)}`)).status).toBe(204);
        } else {
          const spans = step.spans.map((span) => otlpSpan(span, symbols));
          await sendSpans(exportTo(client), step.project, spans);
        }
      }
      await check(sequence.expect, symbols);
    });
  }
});
