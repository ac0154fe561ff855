// Annotation configurations over REST: made, replaced, listed, deleted and given to projects, on both databases. (What is refused
// for its shape is in the recorded requests.)

import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { globalId } from "../../src/kernel/ids.ts";
import { annotationConfigsFeature } from "../../src/modules/evaluation/annotation-configs/annotation-configs.feature.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

const categorical = {
  name: "correctness",
  type: "CATEGORICAL",
  description: "Is it right?",
  optimization_direction: "MAXIMIZE",
  values: [
    { label: "yes", score: 1 },
    { label: "no", score: null },
  ],
};
const continuous = {
  name: "closeness",
  type: "CONTINUOUS",
  description: null,
  optimization_direction: "MINIMIZE",
  lower_bound: -0.5,
  upper_bound: 10,
};
const freeform = {
  name: "remark",
  type: "FREEFORM",
  description: null,
  optimization_direction: null,
  threshold: 0.25,
  lower_bound: null,
  upper_bound: null,
};

interface Config {
  readonly id: string;
  readonly name: string;
}

forEachDriver("annotation configurations over REST", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeEach(async () => {
    await sql`delete from annotation_configs`.execute(api.stored.storage.handle.write(api.context()));
  });

  const ask = async (line: string, json?: unknown) => {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    return { status: response.status, text, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
  };
  const create = async (config: object): Promise<Config> => {
    const { status, text, data } = await ask("POST /v1/annotation_configs", config);
    expect({ status, text }).toEqual({ status: 200, text });
    return data;
  };
  const names = async (path: string) => {
    const { data, next_cursor } = await ask(`GET ${path}`);
    return [(data as Config[]).map(({ name }) => name), next_cursor];
  };
  const numberIn = (id: string) => Number(atob(id).split(":")[1]);
  const withWord = (word: string, id: string) => globalId(word, numberIn(id));

  describe("CRUD", () => {
    test.each([categorical, continuous, freeform])(
      "$type comes back as it was sent, by id and by name",
      async (sent) => {
        const { id, ...created } = await create(sent);
        expect(created).toEqual(sent);
        const word = `${sent.type[0]}${sent.type.slice(1).toLowerCase()}AnnotationConfig`;
        expect(atob(id)).toStartWith(`${word}:`);
        for (const identifier of [id, sent.name, withWord("FreeformAnnotationConfig", id)]) {
          const { status, data } = await ask(`GET /v1/annotation_configs/${identifier}`);
          expect([status, data]).toEqual([200, { id, ...sent }]);
        }
      },
    );

    test("what is left out is null, unknown members are ignored, numbers may be texts", async () => {
      const { id: _id, ...free } = await create({ type: "FREEFORM", name: "", stars: 5 });
      const empty: object = { ...freeform, name: "", threshold: null };
      expect(free).toEqual(empty as typeof free);
      const { id: _other, ...chosen } = await create({
        ...categorical,
        values: [{ label: "a", score: "0.1" }, { label: "b" }],
      });
      expect(chosen).toMatchObject({
        values: [
          { label: "a", score: 0.1 },
          { label: "b", score: null },
        ],
      });
    });

    test("a name is there once, be it made twice at the same time", async () => {
      const answers = await Promise.all([1, 2, 3].map(() => ask("POST /v1/annotation_configs", categorical)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.text).toContain('"correctness"');
      const { id } = await create(continuous);
      const taken = await ask(`PUT /v1/annotation_configs/${id}`, { ...continuous, name: "correctness" });
      expect([taken.status, taken.text]).toEqual([409, 'An annotation configuration named "correctness" exists']);
      expect((await ask("GET /v1/annotation_configs/closeness")).status).toBe(200);
    });

    test("PUT replaces everything: another type changes the word of the id, the number stays", async () => {
      const { id } = await create(categorical);
      const { status, data } = await ask(`PUT /v1/annotation_configs/${id}`, continuous);
      const changed = withWord("ContinuousAnnotationConfig", id);
      expect([status, data]).toEqual([200, { id: changed, ...continuous }]);
      expect((await ask(`GET /v1/annotation_configs/${id}`)).data).toEqual({ id: changed, ...continuous });
      const bare = { name: "bare", type: "FREEFORM" };
      expect((await ask(`PUT /v1/annotation_configs/${id}`, bare)).data).toMatchObject({
        name: "bare",
        threshold: null,
      });
    });

    test("DELETE answers with what is gone; its number is not used again", async () => {
      const { id } = await create(categorical);
      const { status, data } = await ask(`DELETE /v1/annotation_configs/${id}`);
      expect([status, data]).toEqual([200, { id, ...categorical }]);
      expect((await ask(`DELETE /v1/annotation_configs/${id}`)).status).toBe(404);
      expect((await ask(`PUT /v1/annotation_configs/${id}`, categorical)).status).toBe(404);
      expect(numberIn((await create(categorical)).id)).toBeGreaterThan(numberIn(id));
    });

    test.each([
      ["values: at least one label is needed", { ...categorical, values: [] }],
      ['values.1.label: "a" is there twice', { ...categorical, values: [{ label: "a" }, { label: "a", score: 1 }] }],
      ["values.0.label: must not be empty", { ...categorical, values: [{ label: "" }] }],
      ["lower_bound: 2 is not below upper_bound 2", { ...continuous, lower_bound: 2, upper_bound: 2 }],
      ["lower_bound: 2 is not below upper_bound 1", { ...freeform, lower_bound: 2, upper_bound: 1 }],
    ])("%s", async (problem, sent) => {
      const { id } = await create({ ...freeform, name: "kept" });
      const made = await ask("POST /v1/annotation_configs", sent);
      expect([made.status, made.text]).toEqual([400, problem]);
      const changed = await ask(`PUT /v1/annotation_configs/${id}`, sent);
      expect([changed.status, changed.text]).toEqual([400, problem]);
      expect(await names("/v1/annotation_configs")).toEqual([["kept"], null]);
    });

    test("of several mistakes the name of notes is reported first, then the id, then the content, then the row", async () => {
      const bad = { ...categorical, values: [] };
      const line = (id: string) => `PUT /v1/annotation_configs/${id}`;
      const missing = globalId("FreeformAnnotationConfig", 9999);
      const statuses = [
        await ask("POST /v1/annotation_configs", { ...bad, name: "note" }),
        await ask(line("bad"), { ...bad, name: "note" }),
        await ask(line("bad"), bad),
        await ask(line(globalId("Project", 1)), bad),
        await ask(line(missing), bad),
        await ask(line(missing), categorical),
      ].map(({ status }) => status);
      expect(statuses).toEqual([409, 409, 422, 400, 400, 404]);
    });

    test("a name of more than 1,024 bytes and scores that are no numbers are refused by their place", async () => {
      const long = await ask("POST /v1/annotation_configs", { ...freeform, name: "é".repeat(513) });
      expect([long.status, long.detail[0]]).toMatchObject([
        422,
        { type: "string_too_long", loc: ["body", "FREEFORM", "name"] },
      ]);
      await create({ ...freeform, name: "é".repeat(512) });
      const response = await send(api.server, "POST /v1/annotation_configs", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(categorical).replace("null", "NaN"),
      });
      expect([response.status, await response.json()]).toMatchObject([422, {}]);
    });

    test("is paged newest first, by cursors that are ids of configurations only", async () => {
      for (const name of ["a", "b", "c"]) await create({ ...continuous, name });
      const first = await ask("GET /v1/annotation_configs?limit=2");
      expect(first.data.map(({ name }: Config) => name)).toEqual(["c", "b"]);
      const { id } = (await ask("GET /v1/annotation_configs/a")).data;
      expect(first.next_cursor).toBe(id);
      expect(await names(`/v1/annotation_configs?limit=2&cursor=${id}`)).toEqual([["a"], null]);
      expect(await names("/v1/annotation_configs?cursor=")).toEqual([["c", "b", "a"], null]);
      for (const cursor of ["zz", globalId("Project", 1), globalId("FreeformAnnotationConfig", 2 ** 31)]) {
        expect((await ask(`GET /v1/annotation_configs?cursor=${cursor}`)).status).toBe(400);
      }
    });
  });

  describe("in projects", () => {
    let project = 0;
    let path = "";
    beforeEach(async () => {
      project += 1;
      await ask("POST /v1/projects", { name: `p${project}` });
      path = `/v1/projects/p${project}/annotation_configs`;
    });

    test("are assigned and taken away one by one, by id or name, any number of times", async () => {
      const { id } = await create(categorical);
      await create(continuous);
      for (const identifier of [id, "correctness", "closeness"]) {
        const { status, data } = await ask(`PUT ${path}/${identifier}`);
        expect([status, data.name]).toEqual([200, identifier === id ? "correctness" : identifier]);
      }
      expect(await names(path)).toEqual([["closeness", "correctness"], null]);
      const page = await ask(`GET ${path}?limit=1`);
      expect([page.data.length, page.next_cursor]).toEqual([1, id]);
      for (const _again of [1, 2]) expect((await ask(`DELETE ${path}/correctness`)).status).toBe(204);
      expect(await names(path)).toEqual([["closeness"], null]);
      expect((await ask("GET /v1/annotation_configs/correctness")).status).toBe(200);
    });

    test("are set as a whole, or not at all", async () => {
      const first = await create(categorical);
      const second = await create(continuous);
      const set = (ids: readonly string[]) => ask(`PUT ${path}`, { annotation_config_ids: ids });
      const both = await set([first.id, second.id, withWord("FreeformAnnotationConfig", first.id)]);
      expect([both.status, both.data, both.next_cursor]).toEqual([200, [second, first], null]);
      for (const bad of ["x", "correctness", globalId("Project", 1), globalId("FreeformAnnotationConfig", 9999)]) {
        const { status, text } = await set([bad]);
        expect([status, text.includes(bad)]).toEqual([422, true]);
      }
      expect((await ask("PUT /v1/projects/none/annotation_configs", { annotation_config_ids: [] })).status).toBe(404);
      expect(await names(path)).toEqual([["closeness", "correctness"], null]);
      expect((await set([first.id])).data).toEqual([first]);
      expect((await set([])).data).toEqual([]);
      expect(await names(path)).toEqual([[], null]);
    });

    test("those set by one caller are never mixed with those of another", async () => {
      const sets = [];
      for (const part of ["a", "b", "c"]) {
        const ids = [];
        for (const number of [1, 2, 3]) ids.push((await create({ ...freeform, name: `${part}${number}` })).id);
        sets.push(ids);
      }
      const answers = await Promise.all(
        [...sets, ...sets].map((ids) => ask(`PUT ${path}`, { annotation_config_ids: ids })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const [kept] = await names(path);
      expect(kept.length).toBe(3);
      expect(new Set(kept.map((name: string) => name[0])).size).toBe(1);
    });

    test("go with the configuration and with the project, whoever else changes them", async () => {
      const ids: string[] = [];
      for (const number of [1, 2, 3, 4]) ids.push((await create({ ...freeform, name: `c${number}` })).id);
      await ask(`PUT ${path}`, { annotation_config_ids: ids });
      const answers = await Promise.all([
        ask(`DELETE /v1/projects/p${project}`),
        ...ids.slice(0, 3).map((id) => ask(`DELETE /v1/annotation_configs/${id}`)),
        ...ids.map((id) => ask(`PUT ${path}/${id}`)),
      ]);
      expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
      const { rows } = await sql`select * from project_annotation_configs`.execute(
        api.stored.storage.handle.write(api.context()),
      );
      expect(rows).toEqual([]);
      expect(await names("/v1/annotation_configs")).toEqual([["c4"], null]);
    });
  });

  test("the configuration of users' feedback is made at start, unless one has its name", async () => {
    const ensure = () => api.features.use(annotationConfigsFeature).configs.ensureFeedbackConfig(api.context());
    await ensure();
    await ensure();
    const { data } = await ask("GET /v1/annotation_configs/user_feedback");
    expect(data).toMatchObject({
      type: "CATEGORICAL",
      optimization_direction: "MAXIMIZE",
      values: [
        { label: "positive", score: 1 },
        { label: "negative", score: 0 },
      ],
    });
    await ask(`PUT /v1/annotation_configs/${data.id}`, { ...freeform, name: "user_feedback" });
    await ensure();
    expect((await ask("GET /v1/annotation_configs/user_feedback")).data.type).toBe("FREEFORM");
    expect((await names("/v1/annotation_configs"))[0]).toEqual(["user_feedback"]);
  });
});
