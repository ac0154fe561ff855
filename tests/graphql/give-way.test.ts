// Long answers of GraphQL leave the main thread to others, and what is too much for one answer is refused soon.

import { beforeAll, expect, test } from "bun:test";
import { createCall } from "../../src/graphql/call.ts";
import { createTimeSlices } from "../../src/graphql/time-slices.ts";
import { textInSlices } from "../../src/http/graphql/answer-text.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { parseJson, stringifyJson } from "../../src/kernel/json.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askGraphql, askRefusal } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SPANS = 2000;
/** Of each other: a scheduler may take the process away once in a while. */
const SHARE_OF_A_STALL = 0.4;

/** The longest time in which nothing else had its turn, as a share of the whole. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let [isOver, longest] = [false, 0];
  const began = performance.now();
  let last = began;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  await work();
  isOver = true;
  const end = performance.now();
  return Math.max(longest, end - last) / (end - began);
}

forEachDriver("long answers of GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase(), { stoppableReads: true }));
  let id: string;
  beforeAll(async () => {
    for (let first = 0; first < SPANS; first += 500) {
      await ingestBatch(
        api.stored.ingest,
        Array.from({ length: 500 }, (_, at) => incomingSpan({ projectName: "long", traceKey: `trace ${at % 50}` })),
      );
    }
    const { found } = await askData<{ found: { id: string } }>(api, '{ found: getProjectByName(name: "long") { id } }');
    id = found.id;
  });

  const ofProject = (fields: string) => `{ node(id: "${id}") { ... on Project { ${fields} } } }`;
  const aliased = (count: number) =>
    ofProject(
      Array.from(
        { length: count },
        (_, at) => `a${at}: spans(first: 1000) { edges { node { id name spanKind startTime latencyMs } } }`,
      ).join("\n"),
    );

  test("leave the main thread to others while they are made", async () => {
    const share = await longestStall(async () => {
      const { data, errors } = await askGraphql(api, aliased(50));
      expect(errors).toBeUndefined();
      const { node } = data as { node: Record<string, { edges: unknown[] }> };
      expect(Object.values(node).map(({ edges }) => edges.length)).toEqual(Array(50).fill(1000));
    });
    expect(share).toBeLessThan(SHARE_OF_A_STALL);
  });

  const rowFields = "id name spanKind startTime endTime latencyMs statusCode project { id name } trace { id traceId }";
  const page = (rows: number, fields = rowFields) => `spans(first: ${rows}) { edges { node { ${fields} } } }`;
  const repeated = (times: number, field: string) =>
    Array.from({ length: times }, (_, at) => `a${at}: ${field}`).join("\n");
  const shortLists = {
    "below each row of another": page(99, `project { ${page(99)} }`),
    "beside each other": repeated(50, page(100)),
    "with many fields a row": page(100, repeated(50, "trace { id traceId startTime endTime project { id name } }")),
  };
  test.each(Object.entries(shortLists))("leave it in many short lists, too: %s", async (_, fields) => {
    const share = await longestStall(async () => {
      expect((await askGraphql(api, ofProject(fields))).errors).toBeUndefined();
    });
    expect(share).toBeLessThan(SHARE_OF_A_STALL);
  });

  test("are refused by the rows of all lists, each as often as it comes", async () => {
    const list = "spans(first: 1000) { edges { node { id } } }";
    const nested = ofProject(`spans(first: 1000) { edges { node { id project { id ${list} } } } }`);
    expect(await askRefusal(api, nested)).toBe(
      "BAD_REQUEST The answer would hold more than 100000 rows: ask for fewer rows or fields",
    );
  });

  test("a project that many rows lead to is read once for the same arguments", async () => {
    const list = "spans(first: 20) { edges { node { id } } } traces(first: 20) { edges { node { id } } }";
    const nested = (spans: number) => ofProject(`spans(first: ${spans}) { edges { node { project { ${list} } } } }`);
    const { node } = await askData<{ node: { spans: { edges: { node: { project: unknown } }[] } } }>(api, nested(300));
    const [first, ...others] = node.spans.edges.map((edge) => JSON.stringify(edge.node.project));
    expect(first!.match(/"id"/g)).toHaveLength(40);
    expect(others.every((other) => other === first)).toBe(true);
  });
});

test("an answer written in slices is the text that it would be at once", async () => {
  const rows = Array.from({ length: 4000 }, (_, at) => ({
    id: at,
    text: `é " \u2028 ${at}`,
    nested: { list: [1, null, true, []], exact: parseJson('{"a":1.0,"b":12345678901234567890}') },
    absent: undefined,
  }));
  const value = {
    data: { a: { edges: rows }, b: [], c: null, d: rows.map(({ id }) => id), long: "x".repeat(9_000_000) },
  };
  expect(await textInSlices(value, createTimeSlices())).toBe(JSON.stringify(value));
  expect(await textInSlices({ data: null }, createTimeSlices())).toBe('{"data":null}');
  expect(stringifyJson(parseJson("1.0"))).toBe("1.0");
});

test("many that give way go on in their order, with others in between", async () => {
  const call = createCall({} as never, 0);
  const done: number[] = [];
  let [others, isOver] = [0, false];
  const other = () => {
    others++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await Promise.all(
    numbers.map(async (number) => {
      await call.giveWay(20);
      const end = performance.now() + 1;
      while (performance.now() < end);
      done.push(number);
    }),
  );
  isOver = true;
  expect(done).toEqual(numbers);
  // 200 milliseconds of work in slices of 10.
  expect(others).toBeGreaterThanOrEqual(10);
});

forEachDriver("bodies of GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));

  const asked = async (variables: object) => {
    const answer = await send(api.server, "POST /graphql", { json: { query: "{ projectCount }", variables } });
    return [answer.status, await answer.text()];
  };
  const members = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

  test("are refused beyond 20,000 members of objects, wherever they are; colons in texts are none", async () => {
    const refusal = [413, "The objects of the body have more than 20000 members"];
    expect(await asked(members(20_000, 1))).toEqual(refusal);
    expect(await asked({ list: Array.from({ length: 2500 }, () => members(8, 1)) })).toEqual(refusal);
    expect((await asked(members(19_000, 1)))[0]).toBe(200);
    expect((await asked({ text: '":\\":'.repeat(30_000) }))[0]).toBe(200);
  });

  const filled = `query($text: String!, $variables: JSON!) { applyChatTemplate(
    template: {messages: [{role: USER, content: [{text: {text: $text}}]}]}
    templateOptions: {variables: $variables, format: MUSTACHE}) { messages { role } } }`;
  const manyFilled = (count: number) =>
    `query($text: String!, $variables: JSON!) { ${Array.from(
      { length: count },
      (_, at) => `a${at}: applyChatTemplate(
        template: {messages: [{role: USER, content: [{text: {text: $text}}]}]}
        templateOptions: {variables: $variables, format: MUSTACHE}) { messages { role } }`,
    ).join("\n")} }`;

  test("a template is filled up to 4 MiB, and 32 MB in one request", async () => {
    const fill = (value: string, times: number) => ({ text: "{{v}}".repeat(times), variables: { v: value } });
    const mebibyte = fill("x".repeat(1024), 1024);
    const refusal = await askRefusal(api, filled, fill("x".repeat(2000), 45_000));
    expect(refusal).toBe("BAD_REQUEST Template: the texts with the values in place have more than 4194304 characters");
    expect(await askRefusal(api, filled, fill("x".repeat(1024), 4096))).toBe("none");
    expect(await askRefusal(api, filled, fill("x".repeat(1024), 4097))).toStartWith("BAD_REQUEST");
    expect(await askRefusal(api, manyFilled(30), mebibyte)).toBe("none");
    expect(await askRefusal(api, manyFilled(31), mebibyte)).toStartWith("BAD_REQUEST The answer would hold more than");
    const objects = { text: "{{v}}{{v}}", variables: { v: { a: [1] } } };
    expect(await askRefusal(api, filled, objects)).toBe("none");
  });
});
