// Annotations in GraphQL: created, read, changed and deleted on every kind of target, on both databases.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Principal } from "../../src/access/principal.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import { incomingSpan } from "../support/spans.ts";

const PROJECT = "annotated";
const ALL =
  "id name annotatorKind label score explanation metadata source identifier createdAt updatedAt user { id email }";
const open: Principal = { kind: "open" };
const [ada, bob, admin] = [signedIn(11, "MEMBER"), signedIn(12, "MEMBER"), signedIn(13, "ADMIN")];
const QUERY = "{ query { projectCount } }";

interface Found {
  readonly id: string;
  readonly name: string;
}

forEachDriver("annotations in GraphQL", (driver) => {
  let api: TestApi;
  let principal: Principal = open;
  const id = { span: "", other: "", retrieval: "", trace: "", session: "", project: "" };
  const typeOf = {
    span: "Span",
    other: "Span",
    retrieval: "Span",
    trace: "Trace",
    session: "ProjectSession",
    project: "Project",
  };
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), { resolvePrincipal: () => principal });
    const spans = [
      { spanKey: "s1", traceKey: "t1", sessionKey: "c1" },
      { spanKey: "s2", traceKey: "t1", sessionKey: "c1" },
      {
        spanKey: "retrieval",
        traceKey: "t3",
        kind: "RETRIEVER" as const,
        attributes: '{"retrieval":{"documents":[{"document":{"id":"a"}},{"document":{"id":"b"}}]}}',
      },
    ];
    await ingestBatch(
      api.stored.ingest,
      spans.map((span) => incomingSpan({ projectName: PROJECT, ...span })),
    );
    const found = await askData<Record<string, { id: string }>>(
      api,
      `{ span: getSpanByOtelId(spanId: "s1") { id } other: getSpanByOtelId(spanId: "s2") { id }
         retrieval: getSpanByOtelId(spanId: "retrieval") { id } trace: getTraceByOtelId(traceId: "t1") { id }
         session: getProjectSessionById(sessionId: "c1") { id } project: getProjectByName(name: "${PROJECT}") { id } }`,
    );
    for (const [name, row] of Object.entries(found)) id[name as keyof typeof id] = row.id;
    for (const userId of [11, 12, 13]) {
      const person = { auth_method: "LOCAL", password_hash: "$argon2id$", password_change: "none" } as const;
      await api.stored.storage.handle
        .write(api.context())
        .insertInto("users")
        .values({
          ...person,
          id: userId,
          role: userId === 13 ? "ADMIN" : "MEMBER",
          username: `user ${userId}`,
          email: `${userId}@example.com`,
          created_us: 1,
          updated_us: 1,
        })
        .execute();
    }
  });
  afterAll(async () => {
    const report = await verifyStorage(api.stored.storage, api.context(), ownedTables);
    expect(report.differences).toEqual([]);
    await api.close();
  });

  const as = async <Result>(who: Principal, work: () => Promise<Result>): Promise<Result> => {
    principal = who;
    try {
      return await work();
    } finally {
      principal = open;
    }
  };
  const run = async <Result>(mutation: string, member: string): Promise<Result> => {
    const data = await askData<Record<string, Record<string, Result>>>(api, `mutation { done: ${mutation} }`);
    return data.done![member]!;
  };
  const refused = (mutation: string) => askRefusal(api, `mutation { ${mutation} }`);
  const said = (rest: string) => `annotatorKind: HUMAN, source: API, metadata: {}, ${rest}`;
  const createSpan = (given: string) =>
    run<Found[]>(
      `createSpanAnnotations(input: {spanId: "${id.span}", ${given}}) { spanAnnotations { ${ALL} } }`,
      "spanAnnotations",
    );
  const list = async (target: keyof typeof id, field: string, fields = "id name") => {
    const { node } = await askData<{ node: { found: Found[] } }>(
      api,
      `{ node(id: "${id[target]}") { ... on ${typeOf[target]} { found: ${field} { ${fields} } } } }`,
    );
    return node.found;
  };

  const content = {
    name: "q",
    annotatorKind: "LLM",
    label: "good\u0000",
    score: 0.25,
    explanation: "because",
    metadata: { n: 1, deep: { text: "x" } },
    source: "API",
    identifier: "i",
  };
  const stored = { ...content, label: "good\uFFFD" };
  test.each([
    ["Span", () => ({ spanId: id.span }), "span"],
    ["Trace", () => ({ traceId: id.trace }), "trace"],
    ["Document", () => ({ spanId: id.retrieval, documentPosition: 1 }), "retrieval"],
  ] as const)("of a %s are stored, found, changed and deleted", async (word, target, owner) => {
    const member = `${word.toLowerCase()}Annotations`;
    const field = word === "Document" ? "documentEvaluations" : member;
    const created = await askData<{ done: Record<string, Found[]> }>(
      api,
      `mutation ($input: [Create${word}AnnotationInput!]!) {
        done: create${word}Annotations(input: $input) { ${member} { ${ALL} } query { projectCount } } }`,
      { input: { ...target(), ...content } },
    );
    const [made] = created.done[member]!;
    expect(made).toMatchObject({ ...stored, user: null });
    const { node } = await askData<{ node: Found }>(
      api,
      `query ($id: ID!) { node(id: $id) { ... on ${word}Annotation { ${ALL} } } }`,
      { id: made!.id },
    );
    expect(node).toEqual(made!);
    expect(await list(owner, field, ALL)).toContainEqual(made!);

    const change = "label: null, score: 2, metadata: {more: [1]}, annotatorKind: CODE, source: APP";
    const [patched] = await run<Found[]>(
      `patch${word}Annotations(input: {annotationId: "${made!.id}", ${change}}) { ${member} { ${ALL} } }`,
      member,
    );
    const changed = { label: null, score: 2, metadata: { more: [1] }, annotatorKind: "CODE", source: "APP" };
    expect(patched).toMatchObject({ ...stored, id: made!.id, ...changed });
    expect(await list(owner, field, ALL)).toContainEqual(patched!);
    const removal = `delete${word}Annotations(input: {annotationIds: "${made!.id}"})`;
    expect(await run<Found[]>(`${removal} { ${member} { ${ALL} } }`, member)).toEqual([patched!]);
    expect((await list(owner, field)).map((one) => one.id)).not.toContain(made!.id);
    expect(await refused(`${removal} ${QUERY}`)).toBe(
      `NOT_FOUND Could not find ${word.toLowerCase()} annotations with IDs: ${made!.id}`,
    );
  });

  test("of a session are stored, replaced wholly and deleted, one at a time", async () => {
    const fields = `{ projectSessionAnnotation { ${ALL} projectSessionId projectSession { sessionId } } }`;
    const create = (rest: string) =>
      `createProjectSessionAnnotations(input: {projectSessionId: "${id.session}", name: "csat", metadata: {a: 1}, ${rest}}) ${fields}`;
    const made = await run<Found>(create('score: 5, label: "fine"'), "projectSessionAnnotation");
    expect(made).toMatchObject({
      ...{ name: "csat", score: 5, label: "fine", annotatorKind: "HUMAN", source: "APP" },
      ...{ projectSessionId: id.session, projectSession: { sessionId: "c1" } },
    });
    expect(await refused(create("score: 1"))).toStartWith("CONFLICT ");
    expect(await refused(create('label: ""'))).toStartWith("BAD_REQUEST At least one of score");
    const update = (rest: string) =>
      `updateProjectSessionAnnotations(input: {id: "${made.id}", name: "csat", metadata: {}, ${rest}}) ${fields}`;
    expect(await refused(update('explanation: ""'))).toStartWith("BAD_REQUEST At least one of score");
    const updated = await run<Found>(update("score: 2"), "projectSessionAnnotation");
    expect(updated).toMatchObject({ score: 2, label: null, metadata: {} });
    expect(await list("session", "sessionAnnotations")).toEqual([{ id: made.id, name: "csat" }]);
    await run(`deleteProjectSessionAnnotation(id: "${made.id}") ${fields}`, "projectSessionAnnotation");
    expect(await list("session", "sessionAnnotations")).toEqual([]);
  });

  test("are replaced by the next of their name and identifier; on the pages each person has one", async () => {
    const [first] = await createSpan(said('name: "own", label: "a"'));
    const again = await as(ada, () => createSpan(said('name: "own", label: "b"')));
    const author = { id: globalId("User", 11), email: "11@example.com" };
    expect(again).toMatchObject([{ id: first!.id, label: "b", identifier: "", user: author }]);
    const page = (who: Principal) =>
      as(who, () => createSpan('annotatorKind: HUMAN, source: APP, metadata: {}, name: "own", label: "c"'));
    const [[hers], [his], [hersAgain]] = [await page(ada), await page(bob), await page(ada)];
    expect(hers).toMatchObject({ identifier: `px-app:${globalId("User", 11)}` });
    expect(his!.id).not.toBe(hers!.id);
    expect(hersAgain!.id).toBe(hers!.id);
    // Others' addresses are for administrators.
    const field = 'spanAnnotations(filter: {include: {names: "own", sources: APP}})';
    const addresses = async (who: Principal) =>
      (await as(who, () => list("span", field, "user { email }"))).map((one) => one as unknown);
    const shown = (...emails: (string | null)[]) => emails.map((email) => ({ user: { email } }));
    expect(await addresses(ada)).toEqual(shown("11@example.com", null));
    expect(await addresses(admin)).toEqual(shown("11@example.com", "12@example.com"));
  });

  test("are changed by their author, and deleted by the author or an administrator", async () => {
    const [made] = await as(ada, () => createSpan(said('name: "mine"')));
    const patch = `patchSpanAnnotations(input: {annotationId: "${made!.id}", label: "x"}) ${QUERY}`;
    const remove = `deleteSpanAnnotations(input: {annotationIds: ["${made!.id}"]}) ${QUERY}`;
    const denied = "UNAUTHORIZED At least one span annotation is not associated with the current user.";
    for (const who of [bob, admin]) expect(await as(who, () => refused(patch))).toBe(denied);
    expect(await as(bob, () => refused(remove))).toBe(denied);
    expect(await as(ada, () => refused(patch))).toBe("none");
    expect(await as(admin, () => refused(remove))).toBe("none");
    const judge = `createDocumentAnnotations(input: {spanId: "${id.retrieval}", documentPosition: 0, ${said('name: "theirs"')}}) ${QUERY}`;
    expect(await as(ada, () => refused(judge))).toBe("none");
    for (const who of [bob, admin]) {
      expect(await as(who, () => refused(judge))).toBe(
        "UNAUTHORIZED Cannot overwrite document annotation owned by another user.",
      );
    }
    expect(await as(ada, () => refused(judge))).toBe("none");
  });

  test("several changes are made or refused together", async () => {
    const [one] = await createSpan(said('name: "pair", identifier: "1"'));
    const [two] = await createSpan(said('name: "pair", identifier: "2"'));
    const patch = (first: string, second: string) =>
      `patchSpanAnnotations(input: [{annotationId: "${one!.id}", ${first}}, {annotationId: "${two!.id}", ${second}}])
        { spanAnnotations { id label } }`;
    const labelled = [
      { id: one!.id, label: "a" },
      { id: two!.id, label: "b" },
    ];
    expect(await run<unknown>(patch('label: "a"', 'label: "b"'), "spanAnnotations")).toEqual(labelled);
    for (const [first, second] of [
      ['label: "c"', 'identifier: "1"'],
      ['identifier: "3", label: "c"', 'identifier: "3"'],
      ['identifier: "2", label: "c"', 'identifier: "1"'],
    ] as const) {
      expect(await refused(patch(first, second))).toStartWith("CONFLICT The span has another annotation");
    }
    expect(await refused(patch('label: "c"', 'name: "note"'))).toStartWith("BAD_REQUEST The name 'note' is reserved");
    const twice = `{annotationId: "${one!.id}"}`;
    expect(await refused(`patchSpanAnnotations(input: [${twice}, ${twice}]) ${QUERY}`)).toBe(
      `BAD_REQUEST Duplicate span annotation ID: ${one!.id}`,
    );
    const field = 'spanAnnotations(filter: {include: {names: ["pair"]}})';
    expect((await list("span", field, "id label")) as unknown).toEqual(labelled);
  });

  test("what is wrong is named, and nothing is stored", async () => {
    const span = (input: string) => refused(`createSpanAnnotations(input: [${input}]) ${QUERY}`);
    const of = (content: string) => span(`{spanId: "${id.span}", ${content}}`);
    expect(await span("")).toBe("BAD_REQUEST No span annotations provided.");
    expect(await span(`{spanId: "${id.trace}", ${said('name: "x"')}}`)).toBe(
      `BAD_REQUEST Invalid Span ID: ${id.trace}`,
    );
    const gone = globalId("Span", 999);
    const unstored = `{spanId: "${id.span}", ${said('name: "unstored"')}}`;
    expect(await span(`{spanId: "${gone}", ${said('name: "x"')}}, ${unstored}`)).toBe(
      `NOT_FOUND No span has the id ${gone}`,
    );
    const long = "x".repeat(1025);
    expect(await of(said('name: " "'))).toBe("BAD_REQUEST name: must not be empty");
    expect(await of(said(`name: "${long}"`))).toStartWith("BAD_REQUEST name");
    expect(await of(said(`name: "x", identifier: "${long}"`))).toStartWith("BAD_REQUEST identifier");
    expect(await of(said('name: "x"').replace("{}", "[1]"))).toStartWith("BAD_REQUEST metadata");
    expect(await of(said('name: "x", score: 1e999'))).toStartWith("BAD_REQUEST Float cannot represent");
    for (const position of [2, -1]) {
      const document = `{spanId: "${id.retrieval}", documentPosition: ${position}, ${said('name: "x"')}}`;
      expect(await refused(`createDocumentAnnotations(input: ${document}) ${QUERY}`)).toStartWith(
        "BAD_REQUEST document_position",
      );
    }
    expect((await list("span", "spanAnnotations")).map(({ name }) => name)).not.toContain("unstored");
  });

  test("lists are narrowed and sorted", async () => {
    const add = (who: Principal, rest: string) => {
      const given = `spanId: "${id.other}", annotatorKind: HUMAN, metadata: {}, ${rest}`;
      return as(who, () => refused(`createSpanAnnotations(input: {${given}}) ${QUERY}`));
    };
    await add(open, 'name: "b", source: API');
    await add(ada, 'name: "a", source: APP');
    await add(bob, 'name: "c", source: APP');
    await refused(`createSpanNote(annotationInput: {spanId: "${id.other}", note: "n"}) ${QUERY}`);
    const names = async (given: string) => (await list("other", `spanAnnotations${given}`)).map(({ name }) => name);
    expect(await names("")).toEqual(["b", "a", "c", "note"]);
    expect(await names("(sort: {col: name, dir: desc})")).toEqual(["note", "c", "b", "a"]);
    expect(await names("(sort: {col: createdAt, dir: desc})")).toEqual(["note", "c", "a", "b"]);
    expect(await names('(filter: {include: {names: ["a", "b"], sources: [APP]}})')).toEqual(["a"]);
    expect(await names('(filter: {exclude: {names: ["a"], sources: [API]}})')).toEqual(["c", "note"]);
    expect(await names("(filter: {include: {userIds: [null]}})")).toEqual(["b", "note"]);
    expect(await names(`(filter: {exclude: {userIds: ["${globalId("User", 11)}"]}})`)).toEqual(["b", "c", "note"]);
    expect((await list("other", "spanNotes", "explanation")) as unknown).toEqual([{ explanation: "n" }]);
    const field = 'spanAnnotations(filter: {include: {userIds: ["x"]}}) { id }';
    expect(await askRefusal(api, `{ node(id: "${id.other}") { ... on Span { ${field} } } }`)).toBe(
      "BAD_REQUEST x is not the id of a User",
    );
  });

  test("all of one name in a project go together", async () => {
    const remove = (rest: string) =>
      run<number>(
        `deleteProjectSpanAnnotations(input: {projectId: "${id.project}", annotationName: "bulk", ${rest}}) { deletedAnnotationCount }`,
        "deletedAnnotationCount",
      );
    for (const identifier of ["1", "2"]) await createSpan(said(`name: "bulk", identifier: "${identifier}"`));
    const past = 'timeRange: {end: "2001-01-01T00:00:00Z"}';
    expect(await remove(past)).toBe(0);
    expect(await remove(`${past}, timeRangeField: SOURCE_START_TIME`)).toBe(0);
    expect(await remove("")).toBe(2);
    expect(await remove("")).toBe(0);
  });

  test("of all spans of a trace are listed in one go, newest first and without notes", async () => {
    const say = (spanId: string, name: string) =>
      run(
        `createSpanAnnotations(input: {spanId: "${spanId}", ${said(`name: "${name}", label: "x"`)}}) { spanAnnotations { id } }`,
        "spanAnnotations",
      );
    await say(id.span, "tree one");
    await say(id.other, "tree two");
    await say(id.retrieval, "tree elsewhere");
    await run(
      `createSpanNotes(input: {spanId: "${id.span}", note: "n", ${"annotatorKind: HUMAN, source: APP"}}) { spanAnnotations { id } }`,
      "spanAnnotations",
    );
    const ofTrace = async (first: number) =>
      (await list("trace", `spanAnnotations(first: ${first})`, "name spanId")) as unknown as {
        name: string;
        spanId: string;
      }[];
    expect((await ofTrace(2)).map(({ name, spanId }) => [name, spanId])).toEqual([
      ["tree two", id.other],
      ["tree one", id.span],
    ]);
    const names = (await ofTrace(1000)).map(({ name }) => name);
    expect(names).not.toContain("note");
    expect(names).not.toContain("tree elsewhere");
    expect(
      await askRefusal(api, `{ node(id: "${id.trace}") { ... on Trace { spanAnnotations(first: 0) { id } } } }`),
    ).toBe("BAD_REQUEST first: must be from 1 to 1000");
  });
});
