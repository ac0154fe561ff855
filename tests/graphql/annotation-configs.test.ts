// Annotation configurations in GraphQL, on both databases: three types of one list, changed one by one, given to projects.

import { beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const config = `
  __typename
  ... on AnnotationConfigBase { name description annotationType }
  ... on CategoricalAnnotationConfig { id optimizationDirection values { label score } }
  ... on ContinuousAnnotationConfig { id optimizationDirection lowerBound upperBound }
  ... on FreeformAnnotationConfig { id optimizationDirection threshold lowerBound upperBound }`;
const create = `mutation($config: AnnotationConfigInput!) {
  createAnnotationConfig(input: {annotationConfig: $config}) { annotationConfig { ${config} } query { projectCount } }
}`;
const update = `mutation($id: ID!, $config: AnnotationConfigInput!) {
  updateAnnotationConfig(input: {id: $id, annotationConfig: $config}) { annotationConfig { ${config} } }
}`;
const remove = `mutation($ids: [ID!]!) {
  deleteAnnotationConfigs(input: {ids: $ids}) { annotationConfigs { ${config} } }
}`;
const pairs = (
  field: string,
) => `mutation($pairs: [${field === "add" ? "AddAnnotationConfigToProject" : "RemoveAnnotationConfigFromProject"}Input!]!) {
  ${field === "add" ? "addAnnotationConfigToProject" : "removeAnnotationConfigFromProject"}(input: $pairs) {
    project { name annotationConfigs { edges { node { ... on AnnotationConfigBase { name } } } } }
  }
}`;

const categorical = {
  categorical: { name: "b", optimizationDirection: "MAXIMIZE", values: [{ label: "yes", score: 1 }, { label: "no" }] },
};
const continuous = {
  continuous: { name: "a", description: "How near", optimizationDirection: "MINIMIZE", upperBound: 2 },
};
const freeform = { freeform: { name: "c" } };

interface Config {
  readonly id: string;
  readonly name: string;
}
interface Names {
  readonly edges: readonly { readonly node: { readonly name: string } }[];
}

forEachDriver("annotation configurations in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let project = "";
  beforeAll(async () => {
    project = globalId("Project", (await api.projects.ensureDefaultProject(api.context())).id);
  });
  beforeEach(async () => {
    await sql`delete from annotation_configs`.execute(api.stored.storage.handle.write(api.context()));
  });

  const made = async (given: object) =>
    (await askData<{ createAnnotationConfig: { annotationConfig: Config } }>(api, create, { config: given }))
      .createAnnotationConfig.annotationConfig;
  const namesOf = (list: Names) => list.edges.map(({ node }) => node.name);
  const assigned = async (given = "") => {
    const query = `{ node(id: "${project}") { ... on Project {
      annotationConfigs${given} { edges { node { ... on AnnotationConfigBase { name } } } } } } }`;
    return namesOf((await askData<{ node: { annotationConfigs: Names } }>(api, query)).node.annotationConfigs);
  };

  test("each kind is made with its own fields, found by its id and listed by name", async () => {
    const b = await made(categorical);
    const a = await made(continuous);
    const c = await made(freeform);
    const wanted = [
      {
        __typename: "ContinuousAnnotationConfig",
        id: a.id,
        name: "a",
        description: "How near",
        annotationType: "CONTINUOUS",
        optimizationDirection: "MINIMIZE",
        lowerBound: null,
        upperBound: 2,
      },
      {
        __typename: "CategoricalAnnotationConfig",
        id: b.id,
        name: "b",
        description: null,
        annotationType: "CATEGORICAL",
        optimizationDirection: "MAXIMIZE",
        values: [
          { label: "yes", score: 1 },
          { label: "no", score: null },
        ],
      },
      {
        __typename: "FreeformAnnotationConfig",
        id: c.id,
        name: "c",
        description: null,
        annotationType: "FREEFORM",
        optimizationDirection: "NONE",
        threshold: null,
        lowerBound: null,
        upperBound: null,
      },
    ];
    const list = await askData<{ annotationConfigs: { edges: { node: object }[] } }>(
      api,
      `{ annotationConfigs { edges { node { ${config} } } } }`,
    );
    expect(list.annotationConfigs.edges.map(({ node }) => node)).toEqual(wanted);
    for (const each of wanted) {
      const { node } = await askData<{ node: object }>(api, `{ node(id: "${each.id}") { ${config} } }`);
      expect(node).toEqual(each);
    }
    const paged = await askData<{ annotationConfigs: Names & { pageInfo: object } }>(
      api,
      `{ annotationConfigs(first: 2) { edges { node { ... on AnnotationConfigBase { name } } } pageInfo { hasNextPage } } }`,
    );
    expect([namesOf(paged.annotationConfigs), paged.annotationConfigs.pageInfo]).toEqual([
      ["a", "b"],
      { hasNextPage: true },
    ]);
  });

  test("another kind changes the word of the id; the old word finds no node any more", async () => {
    const { id } = await made(categorical);
    const changed = await askData<{ updateAnnotationConfig: { annotationConfig: Config } }>(api, update, {
      id,
      config: { freeform: { name: "b2", threshold: 0.5 } },
    });
    const { id: now, ...rest } = changed.updateAnnotationConfig.annotationConfig;
    expect(rest).toMatchObject({ __typename: "FreeformAnnotationConfig", name: "b2", threshold: 0.5 });
    expect(atob(now)).toBe(atob(id).replace("Categorical", "Freeform"));
    expect(await askRefusal(api, `{ node(id: "${id}") { id } }`)).toStartWith("NOT_FOUND");
  });

  test("what is wrong is refused, and nothing is changed", async () => {
    const { id } = await made(categorical);
    const other = await made(freeform);
    const refusals = [
      [create, { config: { freeform: { name: "note" } } }, /^CONFLICT .*note/],
      [create, { config: categorical }, /^CONFLICT .*"b" exists/],
      [update, { id, config: { freeform: { name: "c" } } }, /^CONFLICT .*"c" exists/],
      [update, { id: "x", config: freeform }, /^BAD_REQUEST x is not the id/],
      [update, { id: project, config: freeform }, /^BAD_REQUEST .*something else/],
      [create, { config: { freeform: { name: "é".repeat(513) } } }, /^BAD_REQUEST name/],
      [create, { config: { continuous: { ...continuous.continuous, lowerBound: 2 } } }, /^BAD_REQUEST lower_bound/],
      [create, { config: { categorical: { ...categorical.categorical, values: [] } } }, /^BAD_REQUEST values/],
      [create, { config: {} }, /exactly one/i],
      [create, { config: { ...freeform, ...continuous } }, /exactly one/i],
      [remove, { ids: [other.id, globalId("FreeformAnnotationConfig", 9999)] }, /^NOT_FOUND/],
    ] as const;
    for (const [query, variables, told] of refusals) expect(await askRefusal(api, query, variables)).toMatch(told);
    const list = await askData<{ annotationConfigs: Names }>(
      api,
      "{ annotationConfigs { edges { node { ... on AnnotationConfigBase { name } } } } }",
    );
    expect(namesOf(list.annotationConfigs)).toEqual(["b", "c"]);
  });

  test("projects are given pairs and lose them, all or none", async () => {
    const [a, b, c] = [await made(continuous), await made(categorical), await made(freeform)];
    const pair = ({ id }: Config) => ({ projectId: project, annotationConfigId: id });
    expect(await askData(api, pairs("add"), { pairs: [pair(b), pair(a)] })).toMatchObject({
      addAnnotationConfigToProject: {
        project: { name: "default", annotationConfigs: { edges: [{ node: { name: "a" } }, { node: { name: "b" } }] } },
      },
    });
    expect(await assigned(`(names: ["b", "c"])`)).toEqual(["b"]);
    expect(await askRefusal(api, pairs("add"), { pairs: [pair(c), pair(a)] })).toStartWith("CONFLICT");
    expect(await askRefusal(api, pairs("add"), { pairs: [pair(c), pair(c)] })).toStartWith("CONFLICT");
    expect(await askRefusal(api, pairs("remove"), { pairs: [pair(a), pair(c)] })).toStartWith("NOT_FOUND");
    const gone = { projectId: globalId("Project", 9999), annotationConfigId: c.id };
    expect(await askRefusal(api, pairs("add"), { pairs: [pair(c), gone] })).toStartWith("NOT_FOUND");
    expect(await askRefusal(api, pairs("add"), { pairs: [] })).toStartWith("BAD_REQUEST input");
    expect(await assigned()).toEqual(["a", "b"]);
    await askData(api, pairs("remove"), { pairs: [pair(a)] });
    await askData(api, remove, { ids: [b.id] });
    expect(await assigned()).toEqual([]);
  });
});
