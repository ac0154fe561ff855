// Every mutation, and every query that is not for all, × every kind of caller with real credentials.
import { describe, expect, test } from "bun:test";
import type { GraphQLResolveInfo } from "graphql";
import { PASSWORD_REQUIRED } from "../../src/access/policy.ts";
import type { GraphqlCall } from "../../src/graphql/call.ts";
import { createSchema } from "../../src/http/graphql/schema.ts";
import type { Failure } from "../../src/kernel/failure.ts";
import { type CallerName, callersOfSuite } from "../support/callers.ts";
import { openGuards } from "../support/declared-routes.ts";
import { declaredSchema } from "../support/declared-schema.ts";
import { forEachDriver } from "../support/drivers.ts";
import { restricted } from "../support/principals.ts";
import type { SentRequest, SignInServer } from "../support/sign-in.ts";

const VIEWER = "Viewers cannot perform this action";
const ADMIN = "Only admin can perform this action";
const KEY = "API keys cannot create API keys";
const PERSON = "Only a signed-in user can change a profile";
const OFF = "Authentication must be enabled to manage API keys";
const gates: readonly string[] = [VIEWER, ADMIN, KEY, PERSON, OFF];

type Told = Readonly<Record<Exclude<CallerName, "none" | "restricted_login"> | "auth_off", string>>;

const everybody: Told = {
  viewer_login: "passed",
  viewer_key: "passed",
  member_login: "passed",
  member_key: "passed",
  system_key: "passed",
  admin_login: "passed",
  admin_key: "passed",
  admin_secret: "passed",
  auth_off: "passed",
};
const notViewers: Told = { ...everybody, viewer_login: VIEWER, viewer_key: VIEWER };
const admins: Told = { ...notViewers, member_login: ADMIN, member_key: ADMIN, system_key: ADMIN };
const signedInAdmins: Told = { ...admins, auth_off: ADMIN };
const adminsOfQueries: Told = { ...signedInAdmins, viewer_login: ADMIN, viewer_key: ADMIN };
const keyMakers: Told = {
  ...everybody,
  viewer_key: KEY,
  member_key: KEY,
  system_key: KEY,
  admin_key: KEY,
  admin_secret: KEY,
  auth_off: OFF,
};
const people: Told = {
  ...everybody,
  viewer_key: PERSON,
  member_key: PERSON,
  system_key: PERSON,
  admin_key: PERSON,
  admin_secret: PERSON,
  auth_off: PERSON,
};

const project = btoa("Project:99");
const user = btoa("User:999");
const model = btoa("GenerativeModel:999");
const view = btoa("SavedView:999");
const failures = btoa("FailureGroup:999");
const policy = btoa("ProjectTraceRetentionPolicy:999");
const prompt = btoa("Prompt:999");
const promptVersion =
  '{templateFormat: NONE, template: {messages: []}, invocationParameters: {openai: {}}, modelProvider: AWS, modelName: ""}';

/** Who gets past the gates of each mutation. What happens behind them is for the tests of its module. */
const mutations: Record<string, readonly [call: string, told: Told]> = {
  createProject: ['createProject(input: {name: "walked"}) { project { id } }', notViewers],
  clearProject: [`clearProject(input: {id: "${project}"}) { projectCount }`, admins],
  deleteTraces: ["deleteTraces(traceIds: []) { projectCount }", notViewers],
  transferTracesToProject: [
    `transferTracesToProject(traceIds: [], projectId: "${project}") { projectCount }`,
    notViewers,
  ],
  patchProject: [`patchProject(input: {id: "${project}"}) { project { id } }`, admins],
  deleteProject: [`deleteProject(id: "${project}") { projectCount }`, admins],
  upsertOrDeleteSecrets: [
    'upsertOrDeleteSecrets(input: {secrets: [{key: "WALKED", value: "x"}]}) { deletedIds }',
    admins,
  ],
  createProjectTraceRetentionPolicy: [
    'createProjectTraceRetentionPolicy(input: {name: "", cronExpression: "", rule: {maxDays: {maxDays: 1}}}) { node { id } }',
    admins,
  ],
  patchProjectTraceRetentionPolicy: [
    `patchProjectTraceRetentionPolicy(input: {id: "${policy}"}) { node { id } }`,
    admins,
  ],
  deleteProjectTraceRetentionPolicy: [
    `deleteProjectTraceRetentionPolicy(input: {id: "${policy}"}) { node { id } }`,
    admins,
  ],
  runProjectTraceRetentionPolicy: [`runProjectTraceRetentionPolicy(input: {id: "${policy}"}) { node { id } }`, admins],
  createModel: ['createModel(input: {name: "", namePattern: "", costs: []}) { model { id } }', notViewers],
  updateModel: [
    `updateModel(input: {id: "${model}", name: "", namePattern: "", costs: []}) { model { id } }`,
    notViewers,
  ],
  startCostRecomputation: ["startCostRecomputation(input: {}) { recomputation { status } }", admins],
  cancelCostRecomputation: ["cancelCostRecomputation { recomputation { status } }", admins],
  deleteModel: [`deleteModel(input: {id: "${model}"}) { model { id } }`, notViewers],
  patchFailureGroup: [`patchFailureGroup(input: {id: "${failures}", state: OPEN}) { failureGroup { id } }`, notViewers],
  mergeFailureGroups: [
    `mergeFailureGroups(input: {id: "${failures}", mergedIds: []}) { failureGroup { id } }`,
    notViewers,
  ],
  splitFailureGroup: [
    `splitFailureGroup(input: {id: "${failures}", fingerprint: "x"}) { failureGroup { id } }`,
    notViewers,
  ],
  createSavedView: [
    `createSavedView(input: {projectId: "${project}", name: "x", tab: traces, query: "", isShared: false}) { savedView { id } }`,
    everybody,
  ],
  patchSavedView: [`patchSavedView(input: {id: "${view}", name: "x"}) { savedView { id } }`, everybody],
  deleteSavedView: [`deleteSavedView(id: "${view}") { savedViewId }`, everybody],
  setStartView: [`setStartView(input: {projectId: "${project}"}) { project { id } }`, notViewers],
  setBudget: ["setBudget(input: {scope: USER, period: DAY}) { budget { id } }", admins],
  deleteBudget: ['deleteBudget(budgetId: "x") { query { projectCount } }', admins],
  createAnnotationConfig: [
    'createAnnotationConfig(input: {annotationConfig: {freeform: {name: "note"}}}) { query { projectCount } }',
    notViewers,
  ],
  updateAnnotationConfig: [
    'updateAnnotationConfig(input: {id: "x", annotationConfig: {freeform: {name: "x"}}}) { query { projectCount } }',
    notViewers,
  ],
  deleteAnnotationConfigs: ["deleteAnnotationConfigs(input: {ids: []}) { query { projectCount } }", notViewers],
  addAnnotationConfigToProject: [
    `addAnnotationConfigToProject(input: {projectId: "${project}", annotationConfigId: "x"}) { project { id } }`,
    notViewers,
  ],
  removeAnnotationConfigFromProject: [
    `removeAnnotationConfigFromProject(input: {projectId: "${project}", annotationConfigId: "x"}) { project { id } }`,
    notViewers,
  ],
  createChatPrompt: [`createChatPrompt(input: {name: "x", promptVersion: ${promptVersion}}) { id }`, notViewers],
  createChatPromptVersion: [
    `createChatPromptVersion(input: {promptId: "${prompt}", promptVersion: ${promptVersion}}) { id }`,
    notViewers,
  ],
  patchExperiment: [`patchExperiment(input: {experimentId: "x", name: "y"}) { experiment { id } }`, notViewers],
  deleteExperiments: ['deleteExperiments(input: {experimentIds: ["x"]}) { experiments { id } }', notViewers],
  setExperimentBaseline: ['setExperimentBaseline(experimentId: "x", baseline: true) { dataset { id } }', notViewers],
  setExperimentMeasureDirection: [
    "setExperimentMeasureDirection(input: {measure: COST, optimizationDirection: NONE}) { optimizationDirection }",
    notViewers,
  ],
  dismissExperiment: ['dismissExperiment(experimentId: "x") { experiment { id } }', notViewers],
  stopExperiment: ['stopExperiment(experimentId: "x") { job { id } }', notViewers],
  resumeExperiment: ['resumeExperiment(experimentId: "x") { job { id } }', notViewers],
  reinstateExperiment: ['reinstateExperiment(experimentId: "x") { experiment { id } }', notViewers],
  patchPrompt: [`patchPrompt(input: {promptId: "${prompt}", description: ""}) { id }`, notViewers],
  clonePrompt: [`clonePrompt(input: {promptId: "${prompt}", name: "y"}) { id }`, notViewers],
  deletePrompt: [`deletePrompt(input: {promptId: "${prompt}"}) { query { projectCount } }`, notViewers],
  setPromptVersionTag: [
    'setPromptVersionTag(input: {promptVersionId: "x", name: "y"}) { query { projectCount } }',
    notViewers,
  ],
  deletePromptVersionTag: [
    'deletePromptVersionTag(input: {promptVersionTagId: "x"}) { query { projectCount } }',
    notViewers,
  ],
  createPromptLabel: ['createPromptLabel(input: {name: "", color: ""}) { query { projectCount } }', notViewers],
  patchPromptLabel: ['patchPromptLabel(input: {promptLabelId: "x"}) { query { projectCount } }', notViewers],
  deletePromptLabels: ["deletePromptLabels(input: {promptLabelIds: []}) { query { projectCount } }", notViewers],
  setPromptLabels: [
    `setPromptLabels(input: {promptId: "${prompt}", promptLabelIds: []}) { query { projectCount } }`,
    notViewers,
  ],
  unsetPromptLabels: [
    `unsetPromptLabels(input: {promptId: "${prompt}", promptLabelIds: []}) { query { projectCount } }`,
    notViewers,
  ],
  createUser: ['createUser(input: {email: "no", username: "no", role: VIEWER}) { user { id } }', signedInAdmins],
  patchUser: [`patchUser(input: {userId: "${user}", newUsername: "x"}) { user { id } }`, signedInAdmins],
  deleteUsers: [`deleteUsers(input: {userIds: ["${user}"]}) { userIds }`, signedInAdmins],
  patchViewer: ['patchViewer(input: {newPassword: "abcd"}) { user { id } }', people],
  createUserApiKey: ['createUserApiKey(input: {name: "walked"}) { apiKey { id } }', keyMakers],
  deleteUserApiKey: [
    `deleteUserApiKey(input: {id: "${btoa("UserApiKey:999")}"}) { apiKeyId }`,
    { ...everybody, auth_off: OFF },
  ],
  createSystemApiKey: [
    'createSystemApiKey(input: {name: "walked"}) { apiKey { id } }',
    { ...signedInAdmins, admin_key: KEY },
  ],
  deleteSystemApiKey: [`deleteSystemApiKey(input: {id: "${btoa("SystemApiKey:999")}"}) { apiKeyId }`, signedInAdmins],
};

const target = (type: string) => btoa(`${type}:999`);
const content = 'name: "walked", annotatorKind: HUMAN, source: API, metadata: {}';
const ids = (type: string) => `input: {annotationIds: ["${target(type)}"]}`;
const note = 'note: "walked", annotatorKind: HUMAN, source: API';
const bulk = 'target: SPAN, name: "walked", identifier: "walk", score: 1';
/** Annotations and notes: everybody who writes; all of one name, administrators. */
const annotationMutations: readonly (readonly [name: string, given: string, told?: Told])[] = [
  ["createSpanAnnotations", `input: {spanId: "${target("Span")}", ${content}}`],
  ["createTraceAnnotations", `input: {traceId: "${target("Trace")}", ${content}}`],
  ["createDocumentAnnotations", `input: {spanId: "${target("Span")}", documentPosition: 0, ${content}}`],
  ["createProjectSessionAnnotations", `input: {projectSessionId: "${target("ProjectSession")}", score: 1, ${content}}`],
  ["annotateSelected", `input: {ids: ["${target("Span")}"], ${bulk}}`],
  ["annotateMatching", `input: {projectId: "${target("Project")}", ${bulk}}`],
  ["patchSpanAnnotations", `input: {annotationId: "${target("SpanAnnotation")}"}`],
  ["patchTraceAnnotations", `input: {annotationId: "${target("TraceAnnotation")}"}`],
  ["patchDocumentAnnotations", `input: {annotationId: "${target("DocumentAnnotation")}"}`],
  ["updateProjectSessionAnnotations", `input: {id: "${target("ProjectSessionAnnotation")}", score: 1, ${content}}`],
  ["deleteSpanAnnotations", ids("SpanAnnotation")],
  ["deleteTraceAnnotations", ids("TraceAnnotation")],
  ["deleteDocumentAnnotations", ids("DocumentAnnotation")],
  ["deleteProjectSessionAnnotation", `id: "${target("ProjectSessionAnnotation")}"`],
  ["createSpanNote", `annotationInput: {spanId: "${target("Span")}", note: "walked"}`],
  ["createSpanNotes", `input: {span: {otelId: "none"}, ${note}}`],
  ["createTraceNotes", `input: {trace: {otelId: "none"}, ${note}}`],
  ["createProjectSessionNotes", `input: {session: {sessionId: "none"}, ${note}}`],
  ["deleteSpanNotes", ids("SpanAnnotation")],
  ["deleteTraceNotes", ids("TraceAnnotation")],
  ["deleteProjectSessionNotes", ids("ProjectSessionAnnotation")],
  ["deleteProjectSpanAnnotations", `input: {projectId: "${project}", annotationName: "walked"}`, admins],
  ["deleteProjectTraceAnnotations", `input: {projectId: "${project}", annotationName: "walked"}`, admins],
  ["deleteProjectSessionAnnotations", `input: {projectId: "${project}", annotationName: "walked"}`, admins],
];
for (const [name, given, told = notViewers] of annotationMutations) {
  mutations[name] = [`${name}(${given}) { query { projectCount } }`, told];
}

const dataset = `datasetId: "${target("Dataset")}"`;
const example = target("DatasetExample");
/** Datasets with their examples, splits and labels: everybody who writes. */
const datasetMutations: readonly (readonly [name: string, given: string, chosen: string])[] = [
  ["createDataset", 'name: ""', "dataset { id }"],
  ["patchDataset", dataset, "dataset { id }"],
  ["deleteDataset", dataset, "dataset { id }"],
  ["addExamplesToDataset", `${dataset}, examples: []`, "dataset { id }"],
  ["addSpansToDataset", `${dataset}, spanIds: []`, "dataset { id }"],
  ["addSelectionToDataset", `${dataset}, selection: {spanIds: []}`, "dataset { id }"],
  ["patchDatasetExamples", `${dataset}, operations: []`, "dataset { id }"],
  ["deleteDatasetExamples", `exampleIds: ["${example}"]`, "dataset { id }"],
  ["createDatasetSplit", 'name: "", color: "x"', "datasetSplit { id }"],
  ["patchDatasetSplit", `datasetSplitId: "${target("DatasetSplit")}"`, "datasetSplit { id }"],
  ["deleteDatasetSplits", "datasetSplitIds: []", "datasetSplits { id }"],
  ["createDatasetSplitWithExamples", `name: "x", color: "x", exampleIds: ["${example}"]`, "datasetSplit { id }"],
  ["setDatasetExampleSplits", `exampleId: "${example}", datasetSplitIds: []`, "example { id }"],
  ["setDatasetExamplesSplits", `exampleIds: ["${example}"], datasetSplitIds: []`, "examples { id }"],
  ["createDatasetLabel", 'name: "", color: "x"', "datasetLabel { id }"],
  ["deleteDatasetLabels", "datasetLabelIds: []", "datasetLabels { id }"],
  ["setDatasetLabels", `${dataset}, datasetLabelIds: []`, "dataset { id }"],
];
const version = `promptVersion: {templateFormat: NONE, template: {messages: []}, invocationParameters: {openai: {}},
  modelProvider: OPENAI, modelName: "x"}`;
/** Evaluators of datasets, and trying one: everybody who writes. */
const evaluatorMutations: typeof datasetMutations = [
  ["createDatasetLlmEvaluator", `${dataset}, name: "x", ${version}, outputConfigs: []`, "evaluator { id }"],
  [
    "updateDatasetLlmEvaluator",
    `datasetEvaluatorId: "x", ${dataset}, name: "x", ${version}, outputConfigs: []`,
    "evaluator { id }",
  ],
  ["createDatasetBuiltinEvaluator", `${dataset}, evaluatorId: "x", name: "x"`, "evaluator { id }"],
  ["updateDatasetBuiltinEvaluator", 'datasetEvaluatorId: "x", name: "x"', "evaluator { id }"],
  ["deleteDatasetEvaluators", 'datasetEvaluatorIds: ["x"]', "datasetEvaluatorIds"],
  ["evaluatorPreviews", "previews: []", "results { error }"],
];
for (const [name, given, chosen] of [...datasetMutations, ...evaluatorMutations]) {
  mutations[name] = [`${name}(input: {${given}}) { ${chosen} }`, notViewers];
}

const customProvider = target("GenerativeModelCustomProvider");
const providerConfig = '{openai: {openaiAuthenticationMethod: {apiKey: ""}}}';
Object.assign(mutations, {
  createGenerativeModelCustomProvider: [
    `createGenerativeModelCustomProvider(input: {name: "", provider: "", clientConfig: ${providerConfig}}) { provider { id } }`,
    admins,
  ],
  patchGenerativeModelCustomProvider: [
    `patchGenerativeModelCustomProvider(input: {id: "${customProvider}"}) { provider { id } }`,
    admins,
  ],
  deleteGenerativeModelCustomProvider: [
    `deleteGenerativeModelCustomProvider(input: {id: "${customProvider}"}) { id }`,
    admins,
  ],
  testGenerativeModelCustomProviderCredentials: [
    `testGenerativeModelCustomProviderCredentials(input: ${providerConfig}) { error }`,
    admins,
  ],
});

const guardedQueries: Readonly<Record<string, readonly [call: string, told: Told]>> = {
  users: ["users { edges { node { email } } }", adminsOfQueries],
  userApiKeys: ["userApiKeys { id }", adminsOfQueries],
  systemApiKeys: ["systemApiKeys { id }", adminsOfQueries],
  jobFailures: ["jobFailures { reason }", { ...adminsOfQueries, auth_off: "passed" }],
  endpointModels: [`endpointModels(input: {customProviderId: "${customProvider}"}) { names }`, notViewers],
};

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

forEachDriver("GraphQL by every kind of caller", (driver) => {
  const suite = callersOfSuite(driver);

  const post = (at: SignInServer, caller: SentRequest, query: string) =>
    at.send("POST /graphql", { ...caller, json: { query } });

  /** The gate that refused, or that none did. */
  async function told(name: keyof Told, query: string): Promise<string> {
    const response =
      name === "auth_off" ? await post(suite.open, {}, query) : await post(suite.server, suite.callers[name], query);
    const { errors = [] } = (await response.json()) as Answer;
    return errors.map(({ message }) => message).find((message) => gates.includes(message)) ?? "passed";
  }

  async function fieldsOf(type: "queryType" | "mutationType"): Promise<string[]> {
    const response = await post(suite.server, suite.callers.viewer_key, `{ __schema { ${type} { fields { name } } } }`);
    const { data } = (await response.json()) as { data: { __schema: Record<string, { fields: { name: string }[] }> } };
    return data.__schema[type]!.fields.map(({ name }) => name);
  }

  test("every mutation has its line here", async () => {
    expect(Object.keys(mutations).sort()).toEqual((await fieldsOf("mutationType")).sort());
  });

  for (const [name, [call, expected]] of Object.entries(mutations)) {
    test(`mutation ${name}`, async () => {
      const found = await Promise.all(
        Object.keys(expected).map(async (caller) => [caller, await told(caller as keyof Told, `mutation { ${call} }`)]),
      );
      expect(Object.fromEntries(found)).toEqual(expected);
    });
  }

  for (const [name, [call, expected]] of Object.entries(guardedQueries)) {
    test(`query ${name}`, async () => {
      const found: Record<string, string> = {};
      for (const caller of Object.keys(expected)) found[caller] = await told(caller as keyof Told, `{ ${call} }`);
      expect(found).toEqual(expected);
    });
  }

  test("strangers are refused before anything is looked at", async () => {
    for (const query of ["{ projectCount }", "{ __schema { queryType { name } } }", "not GraphQL"]) {
      expect((await post(suite.server, suite.callers.none, query)).status).toBe(401);
    }
    expect((await suite.server.send("GET /graphql", { headers: { accept: "text/html" } })).status).toBe(401);
  });

  describe("whoever must choose a new password", () => {
    const refused = async (query: string) => {
      const response = await post(suite.server, suite.callers.restricted_login, query);
      return `${response.status} ${await response.text()}`;
    };

    test("may read oneself", async () => {
      expect(await refused("{ viewer { email passwordNeedsReset } }")).toBe(
        '200 {"data":{"viewer":{"email":"admin@localhost","passwordNeedsReset":true}}}',
      );
    });

    test("may ask no other query", async () => {
      const GATE = "403 Password reset required";
      for (const name of [
        "projectCount",
        "projects { edges { node { id } } }",
        ...Object.values(guardedQueries).map(([call]) => call),
      ]) {
        expect([name, await refused(`{ ${name} }`)]).toEqual([name, GATE]);
        expect(await refused(`{ viewer { email } more: ${name} }`)).toBe(GATE);
      }
      expect(await refused("fragment F on Query { projectCount } query { ...F }")).toBe(GATE);
    });

    test("may run no other mutation", async () => {
      for (const [name, [call]] of Object.entries(mutations)) {
        if (name === "patchViewer") continue;
        expect([name, await refused(`mutation { ${call} }`)]).toEqual([name, "403 Password reset required"]);
      }
    });

    test("is free once it is chosen", async () => {
      const query =
        'mutation { patchViewer(input: {newPassword: "chosen", currentPassword: "admin"}) { user { id } } }';
      expect(await refused(query)).toStartWith('200 {"data":{"patchViewer"');
      expect(await refused("{ viewer { email } }")).toBe("401 Invalid token");
      const response = await suite.server.send("POST /auth/login", {
        json: { email: "admin@localhost", password: "chosen" },
      });
      const cookies = Object.fromEntries(
        response.headers.getSetCookie().map((text) => text.split(";")[0]!.split("=", 2)),
      );
      const again = await post(suite.server, { cookies: cookies as Record<string, string> }, "{ projectCount }");
      expect(again.status).toBe(200);
    });
  });
});

test("no field of Query is without its gate, from wherever it is reached", async () => {
  const fields = Object.values((await declaredSchema()).getQueryType()!.getFields());
  const call = { context: { principal: restricted(1, "ADMIN") } } as GraphqlCall;
  const open: string[] = [];
  for (const { name, resolve } of fields) {
    const refusal = await Promise.try(() => resolve!(null, {}, call, {} as GraphQLResolveInfo)).then(
      () => null,
      (error: Failure) => error.code,
    );
    if (refusal !== PASSWORD_REQUIRED) open.push(name);
  }
  expect(fields.length).toBeGreaterThan(10);
  expect(open).toEqual(["viewer"]);
});

test("a field of Query or Mutation that declares no action stops the start", () => {
  const undeclared = (kind: "queryField" | "mutationField") => () =>
    createSchema(
      [({ builder }) => builder[kind]("forgotten", (t) => t.boolean({ resolve: () => true } as never))],
      openGuards,
    );
  expect(undeclared("queryField")).toThrow("Query.forgotten declares no action");
  expect(undeclared("mutationField")).toThrow("Mutation.forgotten declares no action");
});
