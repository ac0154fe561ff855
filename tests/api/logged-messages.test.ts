// Messages that come as log records become messages of their span, before and after it, once.
import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { otlpFeature } from "../../src/otlp/otlp.feature.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { encodeOtlp, type OtlpSpan, otlpAttributes, otlpExport, otlpValue } from "../support/otlp-encode.ts";
import { logsBody, otlpLogs } from "../support/otlp-logs.ts";

const PROTOBUF = { "content-type": "application/x-protobuf" };
const DETAILS = "gen_ai.client.inference.operation.details";
type Body = Record<string, unknown>;
const system = { name: "gen_ai.system.message", body: { content: "Be short." }, at: 1 };
const question = { name: "gen_ai.user.message", body: { content: "How is the weather?" }, at: 2 };
const answer = {
  name: "gen_ai.choice",
  body: { index: 0, finish_reason: "stop", message: { role: "assistant", content: "It rains." } },
  at: 3,
};
const all = [system, question, answer];

let nextTrace = 1;
const newTrace = () => (nextTrace++).toString(16).padStart(32, "0");
const SPAN = "00000000000000aa";

forEachDriver("messages in logs", (driver) => {
  const opened = driver.createDatabase().then((database) => openTestApi(database));
  afterAll(async () => (await opened).close());

  const sendMessages = async (
    traceId: string,
    messages: readonly { readonly name: string; readonly body: Body | string; readonly at: number }[],
    attributes: Record<string, unknown> = { "gen_ai.system": "openai" },
    spanId = SPAN,
  ) => {
    const records = messages.map(({ name, body, at }) => ({
      traceId,
      spanId,
      timeUnixNano: `${1_700_000_000_000_000_000n + BigInt(at) * 1000n}`,
      eventName: name,
      body: otlpValue(body),
      attributes: otlpAttributes(attributes),
    }));
    const { server } = await opened;
    const response = await send(server, "POST /v1/logs", {
      body: logsBody(otlpLogs(records), "protobuf"),
      headers: PROTOBUF,
    });
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 0]);
  };
  const sendSpans = async (...spans: OtlpSpan[]) => {
    const { server } = await opened;
    const sent = spans.map((span) => ({
      spanId: SPAN,
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000001000000000",
      ...span,
    }));
    const body = encodeOtlp(otlpExport(sent));
    expect((await send(server, "POST /v1/traces", { body, headers: PROTOBUF })).status).toBe(200);
  };
  /** What the job does when spans were stored. */
  const look = async () => {
    const { features, context } = await opened;
    return features.use(otlpFeature).messages.apply(context());
  };
  const graphql = async (query: string): Promise<unknown> => {
    const { server } = await opened;
    const response = await send(server, "POST /graphql", { json: { query } });
    return ((await response.json()) as { data: unknown }).data;
  };
  interface Row {
    readonly kind: number;
    readonly prompt: number | null;
    readonly sum: number;
    readonly said: string | null;
    readonly output: string | null;
    readonly large: number;
  }
  const rowOf = async (traceId: string, spanId = SPAN) => {
    const { stored, context } = await opened;
    const database = stored.storage.handle.read(context(), "short");
    const { rows } = await sql<Row>`select s.kind, s.prompt_tokens as prompt, s.sum_prompt as sum, s.input_said as said,
      s.output_said as output, p.has_large as large from spans s join traces t on t.id = s.trace_id
      join span_payloads p on p.span_id = s.id where t.trace_key = ${traceId} and s.span_key = ${spanId}`.execute(
      database,
    );
    return rows[0]!;
  };
  const spanOf = async (traceId: string, spanId = SPAN) => {
    const { server } = await opened;
    const response = await send(server, `GET /v1/projects/default/spans?trace_id=${traceId}&limit=100`);
    const { data } = (await response.json()) as {
      data: { context: { span_id: string }; attributes: Record<string, unknown>; span_kind: string }[];
    };
    return data.find(({ context }) => context.span_id === spanId)!;
  };
  const messagesOf = async (traceId: string) => {
    const { attributes } = await spanOf(traceId);
    return Object.entries(attributes).filter(([key]) => /_messages\..*(role|content)$/.test(key));
  };
  const whole = [
    ["llm.input_messages.0.message.role", "system"],
    ["llm.input_messages.0.message.content", "Be short."],
    ["llm.input_messages.1.message.role", "user"],
    ["llm.input_messages.1.message.content", "How is the weather?"],
    ["llm.output_messages.0.message.role", "assistant"],
    ["llm.output_messages.0.message.content", "It rains."],
  ];
  const sorted = (pairs: readonly (readonly unknown[])[]) => pairs.map((pair) => pair.join(" ")).sort();

  test("after the span", async () => {
    const traceId = newTrace();
    await sendSpans({ traceId, name: "chat" });
    await sendMessages(traceId, all);
    expect(sorted(await messagesOf(traceId))).toEqual(sorted(whole));
    expect((await spanOf(traceId)).span_kind).toBe("LLM");
    expect(await rowOf(traceId)).toMatchObject({ said: "How is the weather?", output: "It rains." });
  });

  test("before the span", async () => {
    const traceId = newTrace();
    await sendMessages(traceId, all);
    await sendSpans({ traceId, name: "chat" });
    expect(await look()).toBe(3);
    expect(sorted(await messagesOf(traceId))).toEqual(sorted(whole));
    expect(await look()).toBe(0);
  });

  test("one by one, out of order, on both sides of the span, each twice", async () => {
    const traceId = newTrace();
    for (const message of [answer, answer]) await sendMessages(traceId, [message]);
    await sendSpans({ traceId, name: "chat" });
    await look();
    for (const message of [question, question, system, answer, system]) await sendMessages(traceId, [message]);
    await look();
    expect(sorted(await messagesOf(traceId))).toEqual(sorted(whole));
  });

  test("never replace what the span says itself", async () => {
    const traceId = newTrace();
    const own = otlpAttributes({
      "openinference.span.kind": "CHAIN",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "mine",
    });
    await sendSpans({ traceId, name: "chat", attributes: own });
    await sendMessages(traceId, all);
    const { attributes, span_kind } = await spanOf(traceId);
    expect(span_kind).toBe("CHAIN");
    expect(attributes["llm.input_messages.0.message.content"]).toBe("mine");
    expect(attributes).not.toHaveProperty(["llm.input_messages.1.message.role"]);
    expect(attributes["llm.output_messages.0.message.content"]).toBe("It rains.");
  });

  test("bring tokens, model and session of the operation's details, and all sums follow", async () => {
    const traceId = newTrace();
    const child = "00000000000000bb";
    await sendSpans(
      { traceId, name: "parent", attributes: otlpAttributes({ "openinference.span.kind": "CHAIN" }) },
      { traceId, spanId: child, parentSpanId: SPAN, name: "chat" },
    );
    const details = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "example-1",
      "gen_ai.conversation.id": `session of ${traceId}`,
      "gen_ai.usage.input_tokens": 30,
      "gen_ai.usage.output_tokens": 12,
      "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "Hello" }] }],
      "gen_ai.output.messages": JSON.stringify([
        { role: "assistant", parts: [{ type: "text", content: "Good day" }], finish_reason: "stop" },
      ]),
    };
    await sendMessages(traceId, [{ name: DETAILS, body: {}, at: 1 }], details, child);
    await look();
    expect(await rowOf(traceId, child)).toMatchObject({ prompt: 30, sum: 30, said: "Hello", output: "Good day" });
    expect(await rowOf(traceId)).toMatchObject({ prompt: null, sum: 30 });
    const { stored, context } = await opened;
    const database = stored.storage.handle.read(context(), "short");
    const { rows } = await sql`select t.llm_count, t.prompt_tokens, t.completion_tokens, s.session_key,
      s.prompt_tokens as session_tokens, s.trace_count, s.llm_count as session_llms
      from traces t join sessions s on s.id = t.session_id where t.trace_key = ${traceId}`.execute(database);
    expect(rows).toEqual([
      {
        llm_count: 1,
        prompt_tokens: 30,
        completion_tokens: 12,
        session_key: `session of ${traceId}`,
        session_tokens: 30,
        trace_count: 1,
        session_llms: 1,
      },
    ]);
  });

  test("that tell the tokens of a call a second time do not make them count twice", async () => {
    const { stored, context } = await opened;
    const model = otlpAttributes({
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 30,
      "llm.token_count.completion": 12,
    });
    const details = {
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 30,
      "gen_ai.usage.output_tokens": 12,
    };
    const child = "00000000000000bb";
    // Once the messages are those of the inner span, once those of the outer one.
    for (const [late, known] of [
      [child, SPAN],
      [SPAN, child],
    ]) {
      const traceId = newTrace();
      await sendSpans(
        { traceId, name: "outer", attributes: known === SPAN ? model : [] },
        { traceId, spanId: child, parentSpanId: SPAN, name: "inner", attributes: known === child ? model : [] },
      );
      await sendMessages(traceId, [{ name: DETAILS, body: {}, at: 1 }], details, late);
      const { rows } = await sql`select prompt_tokens, completion_tokens, llm_count from traces
        where trace_key = ${traceId}`.execute(stored.storage.handle.read(context(), "short"));
      expect(rows).toEqual([{ prompt_tokens: 30, completion_tokens: 12, llm_count: 2 }]);
      expect(await rowOf(traceId)).toMatchObject({ prompt: 30, sum: 30 });
    }
  });

  test("are found by conditions", async () => {
    const traceId = newTrace();
    await sendSpans({ traceId, name: "found" });
    await sendMessages(traceId, [{ ...question, body: { content: "a needle in the logs" } }]);
    const condition = JSON.stringify("'needle' in attributes['llm']['input_messages'][0]['message']['content']");
    const data = await graphql(
      `{ projects { edges { node { name spans(first: 10, filterCondition: ${condition}) { edges { node { name } } } } } } }`,
    );
    expect(JSON.stringify(data)).toContain('"found"');
  });

  test("of 5 MB, of half JSON, and of no text at all", async () => {
    const traceId = newTrace();
    const long = "x".repeat(5 * 1024 * 1024);
    const { server } = await opened;
    const huge = { traceId, spanId: SPAN, eventName: "gen_ai.user.message", body: otlpValue({ content: long }) };
    const request = logsBody(otlpLogs([huge]), "json");
    const tooLarge = await send(server, "POST /v1/logs", {
      body: request,
      headers: { "content-type": "application/json" },
    });
    // The limit of this test's service; what it says is that of every body.
    expect(tooLarge.status).toBe(413);
    const half = { name: DETAILS, body: {}, at: 1 };
    await sendSpans({ traceId, name: "chat" });
    await sendMessages(traceId, [half], { "gen_ai.input.messages": '[{"role":"user","parts":[{"ty' });
    await sendMessages(traceId, [{ ...question, body: '{"content": "half' }]);
    expect((await messagesOf(traceId)).map(([, value]) => value)).toEqual(["user", '{"content": "half']);
  });

  test("longer than an attribute may be are kept apart, and go when a later one is put before them", async () => {
    const traceId = newTrace();
    const own = "y".repeat(100_000);
    const long = "x".repeat(200_000);
    await sendSpans({ traceId, name: "chat", attributes: otlpAttributes({ note: own }) });
    await sendMessages(traceId, [{ ...question, body: { content: long } }]);
    expect((await spanOf(traceId)).attributes["llm.input_messages.0.message.content"]).toBe(long);
    await sendMessages(traceId, [system]);
    const { attributes } = await spanOf(traceId);
    expect(attributes["llm.input_messages.0.message.content"]).toBe("Be short.");
    expect(attributes["llm.input_messages.1.message.content"]).toBe(long);
    expect(attributes.note).toBe(own);
    expect((await rowOf(traceId)).large).toBe(300_000);
  });

  test("with texts that a database does not take", async () => {
    const traceId = newTrace();
    await sendSpans({ traceId, name: "chat" });
    await sendMessages(traceId, [{ ...question, body: '{"content":"a\\u0000b\\ud800c"}' }]);
    const list = '[{"role":"assistant","parts":[{"type":"text","content":"d\\u0000e"}],"finish_reason":"stop"}]';
    await sendMessages(traceId, [{ name: DETAILS, body: {}, at: 9 }], { "gen_ai.output.messages": list });
    const values = (await messagesOf(traceId)).filter(([key]) => key!.endsWith("content")).map(([, value]) => value);
    expect(values.sort()).toEqual(["a\ufffdb\ufffdc", "d\ufffde"]);
  });

  test("are a thousand at most for one span", async () => {
    const traceId = newTrace();
    await sendSpans({ traceId, name: "chat" });
    const many = Array.from({ length: 1200 }, (_, at) => ({ ...question, at, body: { content: `question ${at}` } }));
    await sendMessages(traceId, many.slice(0, 700));
    await sendMessages(traceId, many.slice(500));
    const contents = (await messagesOf(traceId)).filter(([key]) => key!.endsWith("content"));
    expect(contents).toHaveLength(1000);
    await sendMessages(traceId, many.slice(1100));
    expect((await messagesOf(traceId)).filter(([key]) => key!.endsWith("content"))).toEqual(contents);
  });

  test("of a span that never comes wait for a day, and go with a span that is deleted", async () => {
    const { features, context, stored, server } = await opened;
    const traceId = newTrace();
    await sendMessages(traceId, all);
    expect(await look()).toBe(0);
    const database = stored.storage.handle;
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pending_messages
        where trace_key = ${traceId}`.execute(database.read(context(), "short"));
      return Number(rows[0]!.count);
    };
    expect([await features.use(otlpFeature).messages.dropOld(context()), await waiting()]).toEqual([0, 3]);
    await sql`update pending_messages set received_us = received_us - 90000000000`.execute(database.write(context()));
    await features.use(otlpFeature).messages.dropOld(context());
    expect(await waiting()).toBe(0);
    await sendSpans({ traceId, name: "chat" });
    await sendMessages(traceId, all);
    expect((await send(server, `DELETE /v1/traces/${traceId}`)).status).toBe(204);
    const { rows } = await sql<{ count: number }>`select count(*) as count from span_messages m
      where not exists (select 1 from spans s where s.id = m.span_id)`.execute(database.read(context(), "short"));
    expect(Number(rows[0]!.count)).toBe(0);
  });
});
