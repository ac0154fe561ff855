// One search over projects, datasets, experiments and prompts, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi } from "../support/api.ts";
import { datasetsOf } from "../support/datasets.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

forEachDriver("searchResources", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ask("POST /v1/projects", { name: "weather 50%" });
    await ask("POST /v1/projects", { name: "other", description: "about WEATHER" });
    const { dataset_id: id } = await uploaded({ name: "Weather questions", inputs: [{ q: 1 }], outputs: [{ a: 1 }] });
    const { data } = await ask(`POST /v1/datasets/${id}/experiments`, { name: "weather, first try" });
    experimentId = data.id;
    await ask("POST /v1/prompts", {
      prompt: { name: "forecast", description: "Tells the weather" },
      version: {
        model_provider: "OPENAI",
        model_name: "m",
        template_type: "CHAT",
        template_format: "NONE",
        template: { type: "chat", messages: [{ role: "user", content: "hi" }] },
        invocation_parameters: { type: "openai", openai: {} },
      },
    });
  });
  const { ask, uploaded } = datasetsOf(() => api);
  let experimentId = "";

  const FOUND = `__typename ... on Project { name } ... on Dataset { name } ... on Experiment { name dataset { name } }
    ... on Prompt { promptName: name }`;
  const find = (query: string, more = "") =>
    askData<{ searchResources: object[] }>(
      api,
      `query($q: String!) { searchResources(query: $q${more}) { ${FOUND} } }`,
      {
        q: query,
      },
    ).then(({ searchResources }) => searchResources);

  test("a text in names and descriptions, in any letter case, names first, type by type", async () => {
    expect(await find(" wEATHER ")).toEqual([
      { __typename: "Project", name: "weather 50%" },
      { __typename: "Project", name: "other" },
      { __typename: "Dataset", name: "Weather questions" },
      { __typename: "Experiment", name: "weather, first try", dataset: { name: "Weather questions" } },
      { __typename: "Prompt", promptName: "forecast" },
    ]);
    expect(await find("50%")).toEqual([{ __typename: "Project", name: "weather 50%" }]);
    expect(await find("%")).toHaveLength(1);
    expect(await find("Experiment-")).toEqual([]);
  });

  test("at most the given number of each type; nothing for a blank text; a number below 1 is refused", async () => {
    for (let each = 0; each < 30; each++) await ask("POST /v1/projects", { name: `many ${each}` });
    expect(await find("many", ", limitPerType: 2")).toHaveLength(2);
    expect(await find("many")).toHaveLength(5);
    expect(await find("many", ", limitPerType: 1000")).toHaveLength(25);
    expect(await find("  ")).toEqual([]);
    const refused = await askRefusal(api, '{ searchResources(query: "a", limitPerType: 0) { __typename } }');
    expect(refused).toContain("limitPerType must be a positive integer");
  });

  test("neither what is dismissed nor what is deleted is found", async () => {
    await askData(api, `mutation($id: ID!) { dismissExperiment(experimentId: $id) { __typename } }`, {
      id: experimentId,
    });
    expect(await find("first try")).toEqual([]);
  });
});
