// What GraphQL asks the databases about datasets, experiments, prompts and retention: as many statements for many rows as for few.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execute, type GraphQLSchema, parse } from "graphql";
import { createCall } from "../../src/graphql/call.ts";
import { createSchema } from "../../src/http/graphql/schema.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { openGuards } from "../support/declared-routes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { categoricalConfig, createLlmEvaluator, emptyMapping, judgeVersion } from "../support/evaluators.ts";
import { askData } from "../support/graphql.ts";
import { openQueryPlans, type QueryPlans } from "../support/query-plans.ts";

const ROWS = 6;

const EXPERIMENT = `name project { name } user { username } tags { name } isBaseline dataset { name } datasetVersion { id }
  datasetSplits { edges { node { name } } } runCount errorRate averageRunLatencyMs costSummary { total { tokens } }
  costDetailSummaryEntries { tokenType } annotationSummaries { annotationName labelFractions { label } optimizationDirection }`;
const VERSION = "createdBy { username } exampleCount";
const OUTPUTS = "outputConfigs { ... on CategoricalAnnotationConfig { name } }";
const EVALUATOR = `name description datasetEvaluators { name } datasets { edges { node { name } } }
  ... on LLMEvaluator { inputSchema user { username } ${OUTPUTS} prompt { name } promptVersionTag { name } promptVersion { modelName } }`;
const DATASET_EVALUATOR = `name description user { username } dataset { name } project { name } ${OUTPUTS}
  evaluator { ${EVALUATOR} }`;
const PROMPT_VERSION = "modelName user { username } tags { name } previousVersion { id } prompt { name } isLatest";

/** Lists of Query, by what is asked of each row. */
const LISTS: Readonly<Record<string, string>> = {
  datasets: `name createdBy { username } labels { name } splits { name } exampleCount experimentCount
    experimentAnnotationSummaries { annotationName } baselineExperiment { name }
    evaluatorCount datasetEvaluators(filter: {col: name, value: "a"}) { edges { node { name } } }`,
  evaluators: EVALUATOR,
  prompts: `name createdBy { username } updatedBy { username } labels { name } versionTags { name } versionCount
    version { ${PROMPT_VERSION} } tagMoves { name version { id } user { username } }`,
  projects: "name retentionPolicy { name } retentionSweeps(first: 3) { endedAt } savedViews { name }",
};

forEachDriver("statements of GraphQL about evaluation", (driver) => {
  let api: TestApi;
  let plans: QueryPlans;
  let schema: GraphQLSchema;
  let datasetId = "";
  let promptId = "";
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    plans = openQueryPlans(api.stored);
    schema = createSchema(await api.features.loadGraphql(), openGuards);
    await fill();
  }, 60_000);
  afterAll(async () => {
    await plans.close();
    await api.close();
  });

  async function fill(): Promise<void> {
    const made = async (path: string, json: object) => {
      const answer = await send(api.server, `POST ${path}`, { json });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()).data as Record<string, string>;
    };
    for (let number = 0; number < ROWS; number++) {
      await made("/v1/projects", { name: `project ${number}` });
      const prompt = { name: `prompt-${number}` };
      const version = {
        ...{ model_provider: "OPENAI", model_name: "gpt-5", template_type: "CHAT", template_format: "MUSTACHE" },
        template: { type: "chat", messages: [{ role: "user", content: "Hi" }] },
        invocation_parameters: { type: "openai", openai: {} },
      };
      for (let at = 0; at < (number === 0 ? ROWS : 2); at++) {
        const { id } = await made("/v1/prompts", { prompt, version });
        await made(`/v1/prompt_versions/${id}/tags`, { name: "production" }).catch(() => {});
      }
      const upload = { name: `dataset ${number}`, inputs: [{ q: number }], splits: [`split ${number}`] };
      const { dataset_id } = await made("/v1/datasets/upload?sync=true", { action: "create", ...upload });
      const first = number === 0;
      for (let at = 1; at < (first ? ROWS : 2); at++) {
        const more = { action: "append", name: `dataset ${number}`, inputs: [{ q: `${number} ${at}` }] };
        await made("/v1/datasets/upload?sync=true", more);
      }
      for (let at = 0; at < (first ? ROWS : 2); at++) await made(`/v1/datasets/${dataset_id}/experiments`, {});
      if (first) datasetId = dataset_id!;
      for (let at = 0; at < (first ? ROWS : 2); at++) await attachJudge(dataset_id!, `judge-${number}-${at}`);
    }
    const { prompts } = await ask(
      api.context(),
      '{ prompts(filter: {col: name, value: "prompt-0"}) { edges { node { id } } } }',
    );
    promptId = (prompts as { edges: { node: { id: string } }[] }).edges[0]!.node.id;
  }

  async function attachJudge(dataset: string, name: string): Promise<void> {
    const input = {
      ...{ datasetId: dataset, name, inputMapping: emptyMapping },
      ...{ promptVersion: judgeVersion([name]), outputConfigs: [categoricalConfig(name)] },
    };
    await askData(api, createLlmEvaluator, { input });
  }

  async function ask(context: CallContext, query: string): Promise<Record<string, unknown>> {
    const contextValue = createCall(context, systemClock.now(), { next: () => null });
    const { data, errors } = await execute({ schema, document: parse(query), contextValue });
    expect(errors ?? []).toEqual([]);
    return data as Record<string, unknown>;
  }

  /** Statements of a list of so many rows. */
  async function statements(listOf: (rows: number) => string, rows: number): Promise<number> {
    let found = 0;
    const made = await plans.plansOf(async (context) => {
      found = JSON.stringify(await ask(context, listOf(rows))).split('"node"').length - 1;
    });
    expect(found).toBeGreaterThanOrEqual(rows);
    return made.length;
  }

  const pages = (list: string, fields: string) => (rows: number) =>
    `${list}(first: ${rows}) { edges { node { ${fields} } } }`;
  const lists: Record<string, (rows: number) => string> = {
    "experiments of a dataset": (rows) =>
      `{ node(id: "${datasetId}") { ... on Dataset { ${pages("experiments", EXPERIMENT)(rows)} } } }`,
    "versions of a dataset": (rows) =>
      `{ node(id: "${datasetId}") { ... on Dataset { ${pages("versions", VERSION)(rows)} } } }`,
    "evaluators of a dataset": (rows) =>
      `{ node(id: "${datasetId}") { ... on Dataset { ${pages("datasetEvaluators", DATASET_EVALUATOR)(rows)} } } }`,
    "versions of a prompt": (rows) =>
      `{ node(id: "${promptId}") { ... on Prompt { ${pages("promptVersions", PROMPT_VERSION)(rows)} } } }`,
  };
  for (const [list, fields] of Object.entries(LISTS)) lists[list] = (rows) => `{ ${pages(list, fields)(rows)} }`;

  test.each(Object.keys(lists))("%s: as many for many rows as for few", async (name) => {
    expect(await statements(lists[name]!, ROWS)).toBe(await statements(lists[name]!, 2));
  });
});
