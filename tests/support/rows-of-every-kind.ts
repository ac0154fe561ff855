// Rows of every kind that GraphQL shows, one of each at a time, each with others than the row before: its own project, author, trace, dataset, ….
// Those that hang on one owner are also added to the owners of the first row, so that their lists grow.
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { findRowId, globalId } from "../../src/kernel/ids.ts";
import type { Tables } from "../../src/storage/tables.ts";
import { wanted } from "./accounts.ts";
import type { TestApi } from "./api.ts";
import { configs, createCustomProvider } from "./custom-providers.ts";
import { datasetsOf } from "./datasets.ts";
import { evaluatorRequests } from "./evaluators.ts";
import { askData } from "./graphql.ts";
import { incomingSpan, START_US } from "./spans.ts";

const MINUTE_US = 60_000_000;
const DAY_US = 24 * 60 * MINUTE_US;
const DOCUMENTS = '{"retrieval":{"documents":[{"document":{"id":"a"}},{"document":{"id":"b"}}]}}';
const FAILURE = '[{"name":"exception","timestamp":"2024-01-01T00:00:00Z","attributes":{"exception.type":"TypeError"}}]';

/** Ids of what a row has, as GraphQL knows them. */
export interface RowIds {
  readonly Project: string;
  readonly Dataset: string;
  readonly DatasetEvaluator: string;
  readonly Experiment: string;
  readonly Prompt: string;
}

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

/** `become` makes the account that of the caller. */
export function rowsOfEveryKind(testApi: () => TestApi, become: (userId: number) => void) {
  const { ask, uploaded, examples } = datasetsOf(testApi);
  const evaluators = evaluatorRequests(testApi);
  let first: RowIds | null = null;
  const promptLabelIds: string[] = [];

  const made = async (line: string, json?: object): Promise<Any> => {
    const { status, text, data } = await ask(line, json);
    if (status >= 300) throw new Error(`${line}: ${status} ${text}`);
    return data;
  };
  const mutate = async (field: string, input: string, given: object, chosen: string): Promise<Any> => {
    const query = `mutation($input: ${input}!) { made: ${field}(input: $input) { ${chosen} } }`;
    return (await askData<{ made: Any }>(testApi(), query, { input: given })).made;
  };
  const insert = async <Table extends keyof Tables>(table: Table, row: object): Promise<void> => {
    const { stored, context } = testApi();
    await stored.storage.handle
      .write(context())
      .insertInto(table)
      .values(row as never)
      .execute();
  };

  /** A chain that calls a model and a retriever, in a session of its own. */
  const ingestTrace = (key: string, project: string, number: number) => {
    const startUs = START_US + number * MINUTE_US;
    const shared = { projectName: project, traceKey: `trace-${key}`, sessionKey: `session-${key}`, startUs };
    const texts = { inputHead: "question", outputHead: "answer", userKey: `user ${number}` };
    const attributes = `{"input":{"value":"question"},"output":{"value":"answer"},"metadata":{"tier":"${number}"}}`;
    const parentKey = `span-${key}`;
    return ingestBatch(testApi().stored.ingest, [
      incomingSpan({ ...shared, ...texts, attributes, spanKey: parentKey, status: number % 2 ? "ERROR" : "OK" }),
      incomingSpan({
        ...{ ...shared, ...texts, attributes, parentKey, spanKey: `call-${key}`, kind: "LLM" },
        ...{ model: `model-${number}`, promptTokens: 5, completionTokens: 7, status: "ERROR", events: FAILURE },
      }),
      incomingSpan({ ...shared, parentKey, spanKey: `search-${key}`, kind: "RETRIEVER", attributes: DOCUMENTS }),
    ]);
  };

  const annotate = async (keys: readonly string[], number: number) => {
    const targets = {
      span: (key: string) => ({ span_id: `span-${key}` }),
      trace: (key: string) => ({ trace_id: `trace-${key}` }),
      session: (key: string) => ({ session_id: `session-${key}` }),
      document: (key: string) => ({ span_id: `search-${key}`, document_position: 0 }),
    };
    for (const [word, targetOf] of Object.entries(targets)) {
      const result = { label: `label ${number}`, score: 1, explanation: "as expected" };
      // Those of documents are told apart by their name alone.
      const told =
        word === "document" ? { name: `quality ${number}` } : { name: "quality", identifier: `by ${number}` };
      const said = { ...told, annotator_kind: "HUMAN", result };
      const data = keys.map((key) => ({ ...said, ...targetOf(key) }));
      await made(`POST /v1/${word}_annotations?sync=true`, { data });
      if (word === "document") continue;
      for (const key of keys) await made(`POST /v1/${word}_notes`, { data: { ...targetOf(key), note: "a note" } });
    }
  };

  const addProject = async (number: number, projects: readonly string[], userId: number): Promise<void> => {
    const [project] = projects as [string];
    const projectId = findRowId("Project", project)!;
    const policy = { name: `policy ${number}`, cronExpression: "0 0 * * 0", rule: { maxDays: { maxDays: 36_500 } } };
    const { node } = await mutate(
      "createProjectTraceRetentionPolicy",
      "CreateProjectTraceRetentionPolicyInput",
      { ...policy, addProjects: [project] },
      "node { id }",
    );
    const nowUs = Date.now() * 1000;
    await insert("retention_sweeps", {
      ...{ policy_id: findRowId("ProjectTraceRetentionPolicy", node.id)!, project_id: projectId, due_us: nowUs },
      ...{ began_us: nowUs, ended_us: nowUs, traces: 1, spans: 1, bytes: 1, failure: null },
    });
    const given = { projectId: project, name: `view ${number}`, tab: "traces", query: "", isShared: true };
    const { savedView } = await mutate("createSavedView", "CreateSavedViewInput", given, "savedView { id }");
    await mutate("setStartView", "SetStartViewInput", { projectId: project, viewId: savedView.id }, "project { id }");
    const bounds = { description: null, optimization_direction: "MAXIMIZE", lower_bound: 0, upper_bound: 1 };
    const kinds = {
      CATEGORICAL: { values: [{ label: "good", score: 1 }], optimization_direction: "MAXIMIZE", description: null },
      CONTINUOUS: bounds,
      FREEFORM: { ...bounds, threshold: 0.5 },
    };
    for (const [type, content] of Object.entries(kinds)) {
      const { id } = await made("POST /v1/annotation_configs", { ...content, type, name: `${type} ${number}` });
      for (const each of projects) await made(`PUT /v1/projects/${each}/annotation_configs/${id}`);
    }
    await insert("spending", {
      ...{ day_us: Math.floor(nowUs / DAY_US) * DAY_US, user_id: userId, api_key_id: 0, project_id: projectId },
      ...{ purpose: "playground", provider: "openai", model: `model-${number}`, calls: 1, failed_calls: 0 },
      ...{ prompt_tokens: 1, completion_tokens: 1, cost: 1, unpriced_calls: 0, estimated_calls: 0 },
      ...{ lost_calls: 0, lost_cost: 0 },
    });
  };

  const addSettings = async (number: number, project: string, userId: number): Promise<void> => {
    await made("PUT /v1/secrets", { secrets: [{ key: `SECRET_${number}`, value: "x" }] });
    const name = `model-${number}`;
    const costs = [
      { tokenType: "input", kind: "PROMPT", costPerMillionTokens: 0.5 },
      { tokenType: "output", kind: "COMPLETION", costPerMillionTokens: 2 },
    ];
    await mutate("createModel", "CreateModelMutationInput", { name, namePattern: `^${name}$`, costs }, "model { id }");
    await mutate("createSystemApiKey", "CreateApiKeyInput", { name: `system ${number}` }, "apiKey { id }");
    const { apiKey } = await mutate("createUserApiKey", "CreateUserApiKeyInput", { name: "own" }, "apiKey { id }");
    const owners = { USER: { userId: globalId("User", userId) }, PROJECT: { projectId: project } };
    for (const [scope, owner] of Object.entries({ ...owners, API_KEY: { apiKeyId: apiKey.id } })) {
      await mutate("setBudget", "SetBudgetInput", { scope, ...owner, period: "DAY", maxTokens: 9 }, "budget { id }");
    }
  };

  /** The rows of the dataset and of its experiment, whose job calls the version of the prompt. */
  const addExperiment = async (
    number: number,
    datasetId: string,
    { judge, userId, promptVersionId, customProviderId }: Readonly<Record<string, Any>>,
  ): Promise<string> => {
    const inSplit = { name: `experiment ${number}`, splits: [`split ${number}`] };
    const { id } = await made(`POST /v1/datasets/${datasetId}/experiments`, inSplit);
    await made(`POST /v1/experiments/${id}/tags`, { name: "baseline" });
    await made(`POST /v1/experiments/${id}/tags`, { name: `tag-${number}` });
    const experimentId = findRowId("Experiment", id)!;
    const all = await examples(datasetId);
    const runs = [[id, all.at(-1)!.node_id, 1]];
    if (first !== null && datasetId !== first.Dataset)
      runs.push([first.Experiment, (await examples(first.Dataset))[0]!.node_id, number + 1]);
    const times = { start_time: "2024-01-01T00:00:00Z", end_time: "2024-01-01T00:00:01Z" };
    const trace_id = `trace-${number}`;
    for (const [experiment, dataset_example_id, repetition_number] of runs) {
      const run = { dataset_example_id, repetition_number, output: "answer", trace_id, ...times };
      const { id: experiment_run_id } = await made(`POST /v1/experiments/${experiment}/runs`, run);
      const result = { score: 1, label: "good", explanation: "as expected" };
      const evaluation = { experiment_run_id, name: "exact", annotator_kind: "CODE", trace_id, result, ...times };
      await made("POST /v1/experiment_evaluations", evaluation);
    }
    await insert("experiment_jobs", {
      ...{ experiment_id: experimentId, status: "STOPPED", stop_reason: "stopped", stop_message: null },
      ...{ prompt_version_id: promptVersionId, model_provider: "OPENAI", model_name: `model-${number}` },
      ...{ template_type: "CHAT", template_format: "MUSTACHE" },
      template: '{"type":"chat","messages":[{"role":"user","content":"hi {{x}}"}]}',
      invocation_parameters: '{"type":"openai","openai":{}}',
      ...{ tools: null, response_format: null, custom_provider_id: customProviderId, uses_custom_provider: 1 },
      ...{ connection: null, template_variables_path: "input", appended_messages_path: null, stream_model_output: 1 },
      ...{ tracing_enabled: 1, max_concurrency: 1, max_cost: null, max_tokens: null, estimate: null },
      ...{ user_id: userId, api_key_id: null, needs_credentials: 0, claimed_by: null, created_us: 1, started_us: 1 },
      ...{ ended_us: 2, toggled_us: null },
    });
    const link = {
      experiment_id: experimentId,
      dataset_evaluator_id: findRowId("DatasetEvaluator", judge)!,
      position: 0,
    };
    await insert("experiment_job_evaluators", link);
    await insert("experiment_logs", {
      ...{ experiment_id: experimentId, occurred_us: 2, category: "TASK", level: "ERROR", message: "No answer" },
      ...{ code: "timeout", retries: null, example_id: 1, repetition: 1, run_id: null, dataset_evaluator_id: null },
    });
    return id;
  };

  const addPrompt = async (number: number, customProviderId: number) => {
    const version = {
      ...{ model_provider: "OPENAI", model_name: "gpt-5", template_type: "CHAT", template_format: "MUSTACHE" },
      template: { type: "chat", messages: [{ role: "user", content: "Hi" }] },
      invocation_parameters: { type: "openai", openai: {} },
    };
    const names = first === null ? ["prompt-0"] : [`prompt-${number}`, "prompt-0"];
    let versionId = 0;
    for (const name of names) {
      const { id } = await made("POST /v1/prompts", { prompt: { name }, version });
      await made(`POST /v1/prompt_versions/${id}/tags`, { name: `tag-${number}` });
      versionId = findRowId("PromptVersion", id)!;
      await testApi()
        .stored.storage.handle.write(testApi().context())
        .updateTable("prompt_versions")
        .set({ custom_provider_id: customProviderId })
        .where("id", "=", versionId)
        .execute();
      const call = { projectName: `project-${number}`, traceKey: `prompted-${id}`, spanKey: `prompted-${id}` };
      const attributes = JSON.stringify({ prompt: { id } });
      await ingestBatch(testApi().stored.ingest, [incomingSpan({ ...call, kind: "LLM", attributes })]);
    }
    const list = `{ prompts(filter: {col: name, value: "prompt-${number}"}) { edges { node { id } } } }`;
    const { prompts } = await askData<{ prompts: Any }>(testApi(), list);
    const { id: promptId } = prompts.edges[0].node;
    await mutate("clonePrompt", "ClonePromptInput", { promptId, name: `copy-${number}` }, "id");
    const label = { name: `label ${number}`, color: "#33c5e8" };
    const written = await mutate("createPromptLabel", "CreatePromptLabelInput", label, "promptLabels { id }");
    promptLabelIds.push(written.promptLabels[0].id);
    const carried = { [first?.Prompt ?? promptId]: promptLabelIds, [promptId]: promptLabelIds.slice(-1) };
    for (const [carrier, ids] of Object.entries(carried)) {
      const given = { promptId: carrier, promptLabelIds: ids };
      await mutate("setPromptLabels", "SetPromptLabelsInput", given, "query { __typename }");
    }
    return { promptId, versionId };
  };

  /** The row of that number, from 0 on. */
  return async function addRow(number: number): Promise<RowIds> {
    const api = testApi();
    const person = wanted({ username: `person ${number}`, email: `person-${number}@example.com`, role: "ADMIN" });
    const { id: userId } = await api.accounts.users.createUser(api.context(), person);
    become(userId);
    await ingestTrace(`${number}`, `project-${number}`, number);
    if (first !== null) await ingestTrace(`shared-${number}`, "project-0", number);
    await annotate(first === null ? ["0"] : [`${number}`, "0"], number);
    const { id: project } = await made(`GET /v1/projects/project-${number}`);
    await addProject(number, first === null ? [project] : [project, first.Project], userId);
    await addSettings(number, project, userId);
    const provider = await createCustomProvider(api, `provider ${number}`, configs("http://127.0.0.1:1").openai);
    const customProviderId = findRowId("GenerativeModelCustomProvider", provider.id)!;
    const { promptId, versionId: promptVersionId } = await addPrompt(number, customProviderId);

    const content = (key: string) => ({
      ...{ inputs: [{ q: key }], outputs: [{ a: key }], splits: [`split ${number}`], span_ids: [`span-${key}`] },
    });
    const { dataset_id } = await uploaded({ action: "create", name: `dataset ${number}`, ...content(`${number}`) });
    if (first !== null) await uploaded({ action: "append", name: "dataset 0", ...content(`shared-${number}`) });
    const label = {
      name: `label ${number}`,
      color: "#33c5e8",
      datasetIds: [...new Set([dataset_id, first?.Dataset ?? dataset_id])],
    };
    await mutate("createDatasetLabel", "CreateDatasetLabelInput", label, "datasetLabel { id }");
    const judge = await evaluators.createLlm(dataset_id, `judge-${number}`);
    await evaluators.createBuiltIn(dataset_id, "contains", `words-${number}`);
    const job = { judge, userId, promptVersionId, customProviderId };
    const experiment = await addExperiment(number, dataset_id, job);
    if (first !== null) {
      const another = await evaluators.createLlm(first.Dataset, `other-${number}`);
      await addExperiment(number, first.Dataset, { ...job, judge: another });
    }
    const ids = {
      Project: project,
      Dataset: dataset_id,
      DatasetEvaluator: judge,
      Experiment: experiment,
      Prompt: promptId,
    };
    first ??= ids;
    return ids;
  };
}
