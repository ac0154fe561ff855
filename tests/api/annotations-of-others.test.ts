// Only administrators replace annotations of other users: every target, every way, on both databases.
import { beforeAll, expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { annotationsFeature } from "../../src/modules/evaluation/annotations/annotations.feature.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { keyOf, signedIn } from "../support/principals.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const [ada, bob, admin] = [signedIn(11, "MEMBER"), signedIn(12, "MEMBER"), signedIn(13, "ADMIN")];
const system: Principal = { kind: "system", userId: 14 };
const callers: Readonly<Record<string, Principal>> = {
  "another member": bob,
  "another member's key": keyOf(12, "MEMBER"),
  "a system key": system,
  "the author": ada,
  "the author's key": keyOf(11, "MEMBER"),
  "an administrator": admin,
};
const mayReplace = new Set(["the author", "the author's key", "an administrator"]);
const DOCUMENTS = '{"retrieval":{"documents":[{"document":{"id":"a"}},{"document":{"id":"b"}}]}}';
const PART = 250;

forEachDriver("annotations of other users", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { resolvePrincipal: () => principal }),
  );
  let principal: Principal = openPrincipal;
  let asked = 0;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    await store("s1");
    const found = await askData<Record<string, { id: string }>>(
      api,
      `{ span: getSpanByOtelId(spanId: "s1") { id } trace: getTraceByOtelId(traceId: "s1-trace") { id }
         session: getProjectSessionById(sessionId: "s1-session") { id } }`,
    );
    for (const [target, { id }] of Object.entries(found)) ids[target] = id;
    for (const [userId, role] of [
      [11, "MEMBER"],
      [12, "MEMBER"],
      [13, "ADMIN"],
      [14, "MEMBER"],
    ] as const) {
      const person = { auth_method: "LOCAL", password_hash: "$argon2id$", password_change: "none" } as const;
      const names = { username: `user ${userId}`, email: `${userId}@example.com`, created_us: 1, updated_us: 1 };
      await api.stored.storage.handle
        .write(api.context())
        .insertInto("users")
        .values({ ...person, ...names, id: userId, role })
        .execute();
    }
  });

  const store = (key: string) =>
    ingestBatch(api.stored.ingest, [
      incomingSpan({
        ...{ spanKey: key, traceKey: `${key}-trace`, sessionKey: `${key}-session` },
        ...{ kind: "RETRIEVER", attributes: DOCUMENTS },
      }),
    ]);
  const as = async <Result>(who: Principal, work: () => Promise<Result>): Promise<Result> => {
    principal = who;
    try {
      return await work();
    } finally {
      principal = openPrincipal;
    }
  };
  const targets = {
    span: { table: "span_annotations", key: { span_id: "s1" }, word: "span" },
    trace: { table: "trace_annotations", key: { trace_id: "s1-trace" }, word: "trace" },
    session: { table: "session_annotations", key: { session_id: "s1-session" }, word: "session" },
    document: { table: "document_annotations", key: { span_id: "s1", document_position: 1 }, word: "span" },
  } as const;
  type Target = keyof typeof targets;
  const rowsOf = (target: Target) =>
    api.stored.storage.handle
      .read(api.context(), "short")
      .selectFrom(targets[target].table)
      .selectAll()
      .orderBy("id")
      .execute();
  const annotation = (target: Target, name: string, label: string) => ({
    ...targets[target].key,
    ...{ name, annotator_kind: "CODE", result: { label } },
  });
  /** Answers with the status, and with the message of a refusal. */
  const annotate = async (target: Target, data: readonly object[], sync: boolean) => {
    const answer = await send(api.server, `POST /v1/${target}_annotations?sync=${sync}`, { json: { data } });
    return answer.ok ? "200" : `${answer.status} ${await answer.text()}`;
  };
  const refusal = (target: Target, name: string, identifier = "") =>
    `403 Cannot overwrite ${target} annotation owned by another user: ${targets[target].word} ` +
    `${Object.values(targets[target].key)[0]} has one with the name "${name}" and the identifier "${identifier}"`;

  for (const target of Object.keys(targets) as Target[]) {
    test.each(Object.keys(callers))(`over REST, of a ${target}: %s`, async (caller) => {
      for (const sync of [true, false]) {
        const name = `owned ${++asked}`;
        expect(await as(ada, () => annotate(target, [annotation(target, name, "hers")], true))).toBe("200");
        const before = await rowsOf(target);
        // The one that is refused comes last, behind more than one part: nothing before it may be stored.
        const many = Array.from({ length: PART + 1 }, (_, at) => annotation(target, `${name} beside ${at}`, "new"));
        const batch = [...many, annotation(target, name, "theirs")];
        const answer = await as(callers[caller]!, () => annotate(target, batch, sync));
        if (mayReplace.has(caller)) {
          expect(answer).toBe("200");
          expect((await rowsOf(target)).find((row) => row.name === name)!.label).toBe("theirs");
        } else {
          expect(answer).toBe(refusal(target, name));
          expect(await rowsOf(target)).toEqual(before);
        }
      }
    });
  }

  for (const target of Object.keys(targets) as Target[]) {
    test(`requests that arrive together share transactions, each is answered by itself: of a ${target}`, async () => {
      const name = `together ${++asked}`;
      await as(ada, () => annotate(target, [annotation(target, `${name} owned`, "hers")], true));
      const one = (label: string, rest: object = {}) => ({ ...annotation(target, `${name} ${label}`, label), ...rest });
      const unknown = { [`${targets[target].word}_id`]: `later ${name}` };
      const transactions = spyOn(api.stored.storage, "transaction");
      const [single, statuses] = await as(bob, async () => {
        const requests: (readonly [readonly object[], boolean])[] = [
          ...Array.from({ length: 20 }, (_, at) => [[one(`free ${at}`)], at % 2 === 0] as const),
          [[one("beside"), { ...annotation(target, `${name} owned`, "theirs") }], true],
          [[one("beside the unknown"), one("unknown", unknown)], true],
          [[one("waits"), one("waiting", unknown)], false],
          [[one("twice")], true],
          [[{ ...one("twice"), result: { label: "the last" } }], true],
        ];
        const answers = await Promise.all(requests.map(([data, sync]) => annotate(target, data, sync)));
        return [answers.slice(0, 20), answers.slice(20).map((answer) => answer.slice(0, 3))];
      });
      const began = transactions.mock.calls.length;
      transactions.mockRestore();
      expect(single).toEqual(Array.from({ length: 20 }, () => "200"));
      expect(statuses).toEqual(["403", "404", "200", "200", "200"]);
      expect(began).toBeLessThan(20);
      const written = new Map((await rowsOf(target)).map((row) => [row.name, row.label]));
      const of = (label: string) => written.get(`${name} ${label}`);
      expect(["owned", "beside", "beside the unknown", "unknown", "waits", "waiting", "twice"].map(of)).toEqual([
        ...["hers", undefined, undefined, undefined, "waits", undefined, "the last"],
      ]);
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pending_annotations where target_key = ${`later ${name}`}`.execute(
        api.stored.storage.handle.read(api.context(), "short"),
      );
      expect(Number(rows[0]!.count)).toBe(1);
    });
  }

  const content = (name: string) => `name: "${name}", annotatorKind: CODE, source: API, metadata: {}, label: "theirs"`;
  const mutations: Record<string, { target: Target; mutation: (name: string) => string }> = {
    createSpanAnnotations: {
      target: "span",
      mutation: (name) => `createSpanAnnotations(input: [{spanId: "${ids.span}", ${content(`${name} beside`)}},
        {spanId: "${ids.span}", ${content(name)}}]) { spanAnnotations { id } }`,
    },
    createTraceAnnotations: {
      target: "trace",
      mutation: (name) => `createTraceAnnotations(input: [{traceId: "${ids.trace}", ${content(`${name} beside`)}},
        {traceId: "${ids.trace}", ${content(name)}}]) { traceAnnotations { id } }`,
    },
    annotateSelected: {
      target: "session",
      mutation: (name) => `annotateSelected(input: {target: SESSION, ids: ["${ids.session}"], name: "${name}",
        identifier: "${name}", label: "theirs"}) { annotatedCount }`,
    },
  };
  test.each(Object.keys(mutations))("in GraphQL: %s", async (mutation) => {
    const { target, mutation: written } = mutations[mutation]!;
    for (const [caller, who] of Object.entries(callers)) {
      const name = `mutated ${++asked}`;
      const identifier = mutation === "annotateSelected" ? name : "";
      await as(ada, () => annotate(target, [{ ...annotation(target, name, "hers"), identifier }], true));
      const before = await rowsOf(target);
      const answer = await as(who, () => askRefusal(api, `mutation { ${written(name)} }`));
      if (mayReplace.has(caller)) expect(answer).toBe("none");
      else {
        expect(answer).toBe(refusal(target, name, identifier).replace("403", "UNAUTHORIZED"));
        expect(await rowsOf(target)).toEqual(before);
      }
    }
  });

  test("notes with an identifier are annotations like others", async () => {
    const note = async (text: string) => {
      const data = { span_id: "s1", note: text, identifier: "mine" };
      return (await send(api.server, "POST /v1/span_notes", { json: { data } })).status;
    };
    expect(await as(ada, () => note("hers"))).toBe(200);
    expect(await as(bob, () => note("his"))).toBe(403);
    expect(await as(ada, () => note("hers again"))).toBe(200);
    expect((await rowsOf("span")).find(({ name }) => name === "note")!.explanation).toBe("hers again");
  });

  test("what another wrote is not taken over by one that waited for its target", async () => {
    const late = (label: string) => ({ ...annotation("span", "late", label), span_id: "later" });
    const before = (await rowsOf("span")).length;
    for (const [who, label] of [
      [ada, "hers"],
      [bob, "his"],
      [ada, "hers again"],
    ] as const) {
      expect(await as(who, () => annotate("span", [late(label)], false))).toBe("200");
    }
    await store("later");
    const { pending } = api.features.use(annotationsFeature);
    expect(await pending.apply(api.context())).toBe(3);
    expect(await pending.apply(api.context())).toBe(0);
    const rows = await rowsOf("span");
    expect(rows.length).toBe(before + 1);
    expect(rows.at(-1)).toMatchObject({ name: "late", label: "hers again", user_id: 11 });
  });

  test("what has no author may be replaced by any member", async () => {
    await annotate("trace", [annotation("trace", "nobody's", "open")], true);
    expect(await as(bob, () => annotate("trace", [annotation("trace", "nobody's", "his")], true))).toBe("200");
    expect(await as(ada, () => annotate("trace", [annotation("trace", "nobody's", "hers")], true))).toStartWith("403");
  });
});
