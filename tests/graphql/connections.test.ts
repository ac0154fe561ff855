// Lists in GraphQL: whatever part of a list is asked for is that part of the whole list, in orders of numbers, texts and values that
// rows may lack, of one list and of those of many rows at once, and nothing is skipped or repeated by what arrives meanwhile.

import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import { openForSuite } from "../support/suite.ts";

const ROWS = 5;
/** Lists of one request. */
const AT_ONCE = 40;
const FIELDS = "edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage }";
const TIMES = { start_time: "2024-01-01T00:00:00Z", end_time: "2024-01-01T00:00:01Z" };

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: Readonly<Record<"hasNextPage" | "hasPreviousPage", boolean>>;
}

/** What is asked of lists of the root: name, arguments. */
const LISTS: readonly (readonly [list: string, given: string])[] = [
  ["projects", ""],
  ["projects", "sort: {col: name, dir: desc}"],
  ["projects", "sort: {col: endTime, dir: asc}"],
  ["projects", "sort: {col: endTime, dir: desc}"],
  ["datasets", ""],
  ["datasets", "sort: {col: name, dir: asc}"],
  ["datasetLabels", ""],
  ["users", ""],
  ["secrets", ""],
];
const OF_DATASETS: readonly (readonly [list: string, given: string])[] = [
  ["versions", ""],
  ["versions", "sort: {col: createdAt, dir: asc}"],
  ["examples", ""],
  ["experiments", "sort: {col: createdAt, dir: asc}"],
];
const RUNS: readonly string[] = [
  "",
  "sort: {col: {metric: latencyMs}, dir: asc}",
  'sort: {col: {annotationName: "exact"}, dir: asc}',
  'sort: {col: {annotationName: "exact"}, dir: desc}',
];

forEachDriver("connections", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { resolvePrincipal: () => signedIn(2, "ADMIN") }),
  );
  let experiment = "";
  beforeAll(async () => {
    for (let number = 0; number < ROWS; number++) await fill(number);
    // Beyond the plane of most letters, and not in the order of UTF-16.
    for (const name of ["\u{10400}", "\uff5e", "é", "Z"]) await made("/v1/projects", { name: `list ${name}` });
    await sql`update users set email = null, auth_method = 'LDAP', ldap_unique_id = 'x', password_hash = null,
      password_change = 'none' where username = 'person 0'`.execute(api.stored.storage.handle.write(api.context()));
  }, 60_000);

  async function made(path: string, json: object) {
    const answer = await send(api.server, `POST ${path}`, { json });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data as Record<string, string>;
  }

  async function fill(number: number): Promise<void> {
    const name = `list ${"cadbe"[number]}`;
    await made("/v1/projects", { name });
    const span = { name: "step", span_kind: "CHAIN", ...TIMES, status_code: "OK", attributes: {} };
    const context = { trace_id: `${number + 1}`.padStart(32, "0"), span_id: `${number + 1}`.padStart(16, "0") };
    if (number % 2 === 0)
      await made(`/v1/projects/${encodeURIComponent(name)}/spans`, { data: [{ ...span, context }] });
    const inputs = Array.from({ length: number + 1 }, (_, q) => ({ q }));
    const upload = { name, inputs, outputs: inputs.map(() => ({})) };
    const { dataset_id } = await made("/v1/datasets/upload?sync=true", { action: "create", ...upload });
    for (let at = 0; at < number; at++) {
      await made("/v1/datasets/upload?sync=true", { action: "append", name, inputs: [{ later: at }] });
      await made(`/v1/datasets/${dataset_id}/experiments`, {});
    }
    await askData(
      api,
      `mutation { createDatasetLabel(input: {name: "${name}", color: "#102030"}) { query { __typename } }
        upsertOrDeleteSecrets(input: {secrets: [{key: "SECRET_${"CADBE"[number]}", value: "x"}]}) { query { __typename } }
        createUser(input: {email: "${"cadbe"[number]}@example.com", username: "person ${number}", password: "a-Long-Passw0rd", role: MEMBER}) { user { id } } }`,
    );
    if (number === ROWS - 1) experiment = await fillRuns(dataset_id!);
  }

  /** Two of the scores are the same, and two runs have none. */
  async function fillRuns(datasetId: string): Promise<string> {
    const { id } = await made(`/v1/datasets/${datasetId}/experiments`, {});
    const { examples } = (await (await send(api.server, `GET /v1/datasets/${datasetId}/examples`)).json()).data;
    for (const [at, score] of [0.5, null, 1 / 3, 0.5, null].entries()) {
      const run = { dataset_example_id: examples[at].id, repetition_number: 1, output: {}, ...TIMES };
      const { id: runId } = await made(`/v1/experiments/${id}/runs`, run);
      const evaluation = { experiment_run_id: runId, name: "exact", annotator_kind: "CODE", ...TIMES };
      if (score !== null) await made("/v1/experiment_evaluations", { ...evaluation, result: { score } });
    }
    return id!;
  }

  type Parts = Readonly<Record<string, Page>>;
  /** Parts of one list, in few requests. `ask`: the selection of them. */
  const partsOf = (list: string, ask: (selected: string) => Promise<Parts>) => async (parts: readonly string[]) => {
    const pages: Page[] = [];
    for (let begin = 0; begin < parts.length; begin += AT_ONCE) {
      const group = parts.slice(begin, begin + AT_ONCE);
      const found = await ask(group.map((given, at) => `part${at}: ${list}(${given}) { ${FIELDS} }`).join(" "));
      pages.push(...group.map((_, at) => found[`part${at}`]!));
    }
    return pages;
  };
  const ofRoot = (list: string) => partsOf(list, (selected) => askData<Parts>(api, `{ ${selected} }`));
  const ofExperiment = (list: string) =>
    partsOf(list, async (selected) => {
      const query = `{ node(id: "${experiment}") { ... on Experiment { ${selected} } } }`;
      return (await askData<{ node: Parts }>(api, query)).node;
    });

  /** Every part of the list between two of its rows, from its beginning and from its end. */
  async function expectParts(ask: ReturnType<typeof ofRoot>, sort: string, forwardOnly = false): Promise<void> {
    const [whole] = await ask([`first: 100, ${sort}`]);
    const { edges } = whole!;
    const ids = edges.map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(ROWS - 1);
    const parts: { readonly given: string; readonly expected: readonly string[] }[] = [];
    for (let after = -1; after < ids.length; after++) {
      const behind = after < 0 ? sort : `after: "${edges[after]!.cursor}" ${sort}`;
      const add = (given: string, before: number, choose: (between: readonly string[]) => readonly string[]) => {
        const until = before === ids.length ? "" : `before: "${edges[before]!.cursor}"`;
        parts.push({ given: `${given} ${behind} ${until}`, expected: choose(ids.slice(after + 1, before)) });
      };
      add("first: 2", ids.length, (between) => between.slice(0, 2));
      for (let before = after + 1; before <= ids.length && !forwardOnly; before++) {
        add("first: 2", before, (between) => between.slice(0, 2));
        add("last: 2", before, (between) => between.slice(-2));
        add("first: 3, last: 2", before, (between) => between.slice(0, 3).slice(-2));
      }
    }
    const pages = await ask(parts.map(({ given }) => given));
    for (const [at, { given, expected }] of parts.entries()) {
      const { edges: found, pageInfo } = pages[at]!;
      expect([given, found.map(({ node }) => node.id)]).toEqual([given, [...expected]]);
      if (expected.length === 0) continue;
      expect(pageInfo).toEqual({
        hasPreviousPage: ids.indexOf(expected[0]!) > 0,
        hasNextPage: ids.indexOf(expected.at(-1)!) < ids.length - 1,
      });
    }
  }

  test.each(LISTS)("%s(%s): every part is that part of the whole", async (list, sort) => {
    await expectParts(ofRoot(list), sort);
  });

  test.each(RUNS)("runs(%s): every part is that part of the whole", async (sort) => {
    await expectParts(ofExperiment("runs"), sort, true);
  });

  test.each(OF_DATASETS)("%s(%s) of many datasets at once are those of each", async (list, sort) => {
    type Listed = Readonly<Record<string, Page>>;
    const { datasets } = await askData<{ datasets: { edges: { node: { id: string } }[] } }>(
      api,
      "{ datasets { edges { node { id } } } }",
    );
    for (const given of ["first: 2", "last: 3"]) {
      const part = `${list}(${given}, ${sort}) { ${FIELDS} }`;
      const { all } = await askData<{ all: { edges: { node: Listed }[] } }>(
        api,
        `{ all: datasets { edges { node { ${part} } } } }`,
      );
      for (const [at, { node }] of datasets.edges.entries()) {
        const own = await askData<{ node: Listed }>(api, `{ node(id: "${node.id}") { ... on Dataset { ${part} } } }`);
        expect(all.edges[at]!.node).toEqual(own.node);
      }
    }
  });

  test("names are in the order of their bytes, accounts without an address last, projects without traces last", async () => {
    const names = async (list: string, field: string) => {
      const page = await askData<Record<string, { edges: { node: Record<string, string | null> }[] }>>(
        api,
        `{ ${list} { edges { node { ${field} } } } }`,
      );
      return Object.values(page)[0]!.edges.map(({ node }) => node[field]);
    };
    const sorted = await names('projects(sort: {col: name, dir: asc}, filter: {col: name, value: "list "})', "name");
    expect(sorted).toEqual([..."Zabcde", "é", "\uff5e", "\u{10400}"].map((letter) => `list ${letter}`));
    expect((await names("users", "email")).at(-1)).toBeNull();
    const latest = await names("projects(sort: {col: endTime, dir: asc})", "name");
    expect(latest.slice(0, 3)).toEqual(["list c", "list d", "list e"]);
  });

  test("a cursor of another list and negative numbers are refused, no row is an empty page", async () => {
    const [page] = await ofRoot("projects")(["first: 1"]);
    const after = `after: "${page!.edges[0]!.cursor}"`;
    expect(await askRefusal(api, `{ datasetLabels(${after}) { edges { cursor } } }`)).toContain(
      "BAD_REQUEST The cursor after",
    );
    expect(await askRefusal(api, `{ users(before: "x") { edges { cursor } } }`)).toContain(
      "BAD_REQUEST The cursor before",
    );
    expect(await askRefusal(api, "{ projects(last: -1) { edges { cursor } } }")).toContain("BAD_REQUEST last");
    expect(await askData<unknown>(api, "{ projects(first: 0) { edges { cursor } } }")).toEqual({
      projects: { edges: [] },
    });
  });

  test("what arrives between two pages neither repeats nor hides a row", async () => {
    const [first] = await ofRoot("datasets")(["first: 2"]);
    await made("/v1/datasets/upload?sync=true", { action: "create", name: "new one", inputs: [{ q: 1 }] });
    const [next] = await ofRoot("datasets")([`first: 100, after: "${first!.edges[1]!.cursor}"`]);
    expect(next!.edges).toHaveLength(ROWS - 2);
    expect(next!.edges.map(({ node }) => node.id)).not.toContain(first!.edges[1]!.node.id);
  });
});
