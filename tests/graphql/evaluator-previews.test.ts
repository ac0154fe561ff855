// Evaluators tried in GraphQL, on both databases: the rows of tests/vectors/playground.json about built-in evaluators and templates, judges
// that ask a scripted model, bounds, and that nothing is stored and no key is shown.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { DATASET_EVALUATOR } from "../../src/modules/evaluation/evaluators/evaluators.schema.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { categoricalConfig, emptyMapping, evaluatorRequests, judgeVersion } from "../support/evaluators.ts";
import { askData, askGraphql, askRefusal } from "../support/graphql.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import document from "../vectors/playground.json" with { type: "json" };

const PREVIEW = `mutation($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  evaluatorName error trace { id }
  annotation { id name label score explanation annotatorKind metadata error traceId }
} } }`;

interface Result {
  readonly evaluatorName: string;
  readonly error: string | null;
  readonly annotation: {
    readonly name: string;
    readonly label: string | null;
    readonly score: number | null;
    readonly annotatorKind: string;
  } | null;
}
interface Row {
  readonly id: string;
  readonly group: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly text?: string;
    readonly error?: string;
    readonly errorContains?: string;
    readonly label?: string | null;
    readonly score?: number;
    readonly deleted?: number;
    readonly annotationNames?: readonly string[];
  };
}
interface Filled {
  readonly applyChatTemplate: {
    readonly messages: { readonly content: { readonly text: { readonly text: string } }[] }[];
  };
}
const rowsOf = (wanted: string) => (document.vectors as unknown as Row[]).filter(({ group }) => group === wanted);

/** This engine needs no time limit for the pattern: its time is linear in the text. */
const otherwise: Readonly<Record<string, Row["expect"]>> = { b37: { label: "false", score: 0 } };

forEachDriver("evaluators tried in GraphQL", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  let builtIn: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), {
      variables: { OPENAI_BASE_URL: models.openAi, SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" },
    });
    const { builtInEvaluators } = await askData<{ builtInEvaluators: { id: string; name: string }[] }>(
      api,
      "{ builtInEvaluators { id name } }",
    );
    builtIn = Object.fromEntries(builtInEvaluators.map(({ id, name }) => [name, id]));
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });

  const credentials = [{ envVarName: "OPENAI_API_KEY", value: TEST_KEY }];
  const preview = async (previews: readonly object[], keys: readonly object[] = credentials): Promise<Result[]> =>
    (
      await askData<{ evaluatorPreviews: { results: Result[] } }>(api, PREVIEW, {
        input: { previews, credentials: keys },
      })
    ).evaluatorPreviews.results;
  const refused = (previews: readonly object[]) => askRefusal(api, PREVIEW, { input: { previews } });
  const exact = (context: object = {}) => ({
    evaluator: { builtInEvaluatorId: builtIn.exact_match },
    context,
    inputMapping: { literalMapping: { expected: "a", actual: "a" }, pathMapping: {} },
  });
  const judge = (name: string, model: string, outputs = [name], changes: object = {}) => ({
    evaluator: {
      inlineLlmEvaluator: {
        name,
        promptVersion: judgeVersion(outputs, { modelName: model, ...changes }),
        outputConfigs: outputs.map((output) => categoricalConfig(output)),
      },
    },
    context: { output: "42" },
    inputMapping: emptyMapping,
  });

  test("every row about built-in evaluators", async () => {
    const rows = rowsOf("builtin");
    const items = rows.map(({ request: { evaluator, context, literalMapping, pathMapping } }) => ({
      evaluator: { builtInEvaluatorId: builtIn[evaluator as string] },
      context,
      inputMapping: { literalMapping, pathMapping },
    }));
    const results: Result[] = [];
    for (let first = 0; first < items.length; first += 20)
      results.push(...(await preview(items.slice(first, first + 20))));
    expect(results).toHaveLength(42);
    for (const [position, { id, expect: given }] of rows.entries()) {
      const { error, errorContains, ...annotation } = otherwise[id] ?? given;
      const result = results[position]!;
      if (error !== undefined) expect([id, result.error]).toEqual([id, error]);
      else if (errorContains !== undefined)
        expect([id, result.error]).toEqual([id, expect.stringContaining(errorContains)]);
      else expect({ id, ...result }).toMatchObject({ id, error: null, annotation });
    }
  });

  test("every row about LLM evaluators that the rules alone do not decide", async () => {
    const rows = rowsOf("llmEvaluators").filter(({ request: { op } }) =>
      ["deleteDatasetEvaluators", "evaluatorPreviews"].includes(op as string),
    );
    expect(rows.map(({ id }) => id)).toEqual(["e40", "e41", "e42", "e43"]);
    const [whole, unknown, several, none] = rows.map((row) => row.expect);
    const requests = evaluatorRequests(() => api);
    const { id, project, evaluator } = await requests.link(
      await requests.createLlm(await requests.newDataset("rows"), "row-judge"),
    );
    expect(await requests.remove([id])).toHaveLength(whole!.deleted!);
    for (const gone of [project.id, evaluator.prompt.id]) {
      expect(await askRefusal(api, "query($id: ID!) { node(id: $id) { id } }", { id: gone })).toContain("NOT_FOUND");
    }
    expect(await requests.remove([globalId(DATASET_EVALUATOR, 999)])).toHaveLength(unknown!.deleted!);
    const results = await preview([judge("jj", "tool", ["a", "b"])]);
    expect(results.map(({ annotation }) => annotation?.name)).toEqual([...several!.annotationNames!]);
    expect(results.map((result) => (result as { trace?: unknown }).trace)).toEqual([null, null]);
    // The library puts the same words in another order.
    expect(none!.error).toContain("exactly one key");
    expect((await refused([{ evaluator: {}, context: {}, inputMapping: emptyMapping }])).toLowerCase()).toContain(
      "exactly one key",
    );
  });

  const APPLY = `query($template: PromptChatTemplateInput!, $options: PromptTemplateOptions!, $mapping: EvaluatorInputMappingInput) {
    applyChatTemplate(template: $template, templateOptions: $options, inputMapping: $mapping) {
      messages { content { ... on TextContentPart { text { text } } ... on ToolResultContentPart { toolResult { result } } } }
    }
  }`;
  const template = (text: string) => ({ messages: [{ role: "USER", content: [{ text: { text } }] }] });

  test("every row about templates", async () => {
    for (const { id, request, expect: expected } of rowsOf("templates")) {
      const { format, text, variables } = request;
      const { data, errors } = await askGraphql(api, APPLY, {
        template: template(text as string),
        options: { format, variables },
      });
      const filled = (data as Filled | null)?.applyChatTemplate.messages[0]?.content[0]?.text.text;
      if (expected.text === undefined)
        expect([id, errors?.[0]?.message]).toEqual([id, expect.stringContaining(expected.error ?? "")]);
      // White space in JSON is free.
      else expect([id, filled?.replaceAll('": ', '":')]).toEqual([id, expected.text.replaceAll('": ', '":')]);
    }
  });

  test("a template is filled through a mapping, with texts cast", async () => {
    const filled = await askData<Readonly<Record<string, { messages: unknown[] }>>>(api, APPLY, {
      template: {
        messages: [
          { role: "USER", content: [{ text: { text: "{{question}}: {{#items}}{{n}};{{/items}} {{flag}}" } }] },
          { role: "TOOL", content: [{ toolResult: { toolCallId: "1", result: { said: "{{question}}", n: 1 } } }] },
        ],
      },
      options: { format: "MUSTACHE", variables: JSON.stringify({ input: { q: ["a"] }, items: [{ n: 1 }, { n: 2 }] }) },
      mapping: { literalMapping: { flag: true }, pathMapping: { question: "$.input.q" } },
    });
    expect(filled.applyChatTemplate!.messages).toEqual([
      { content: [{ text: { text: '["a"]: 1;2; true' } }] },
      { content: [{ toolResult: { result: { said: '["a"]', n: 1 } } }] },
    ]);
    const refusal = (options: object, mapping: object | null = null) =>
      askRefusal(api, APPLY, { template: template("{{a}}"), options: { format: "MUSTACHE", ...options }, mapping });
    expect(await refusal({ variables: "[1]" })).toContain("must parse to a dictionary");
    expect(await refusal({ variables: 1 })).toContain("must be a dictionary or a string");
    expect(await refusal({ variables: {} }, { literalMapping: {}, pathMapping: { a: "$.nope" } })).toContain(
      "JSONPath expression '$.nope' for key 'a' did not match any values",
    );
    expect(await refusal({ variables: {} }, emptyMapping)).toContain("'a' is a required property");
  });

  test("judges are asked without a stream; results come in order, one an output, and nothing is stored", async () => {
    const results = await preview([judge("jj", "tool", ["a", "b"]), exact(), judge("kk", "tool")]);
    expect(results).toMatchObject([
      {
        evaluatorName: "jj.a",
        error: null,
        annotation: { name: "jj.a", label: "good", score: 1, annotatorKind: "LLM" },
      },
      { evaluatorName: "jj.b", annotation: { name: "jj.b", label: "good" } },
      { evaluatorName: "exact_match", annotation: { name: "exact_match", label: "true", annotatorKind: "CODE" } },
      { evaluatorName: "kk", annotation: { name: "kk" } },
    ]);
    expect(models.requests.at(-1)!.body.stream ?? false).toBe(false);
    const { projects, evaluatorCount } = await askData<{ projects: { edges: unknown[] }; evaluatorCount: number }>(
      api,
      "{ projects { edges { node { name } } } evaluatorCount }",
    );
    expect([projects.edges, evaluatorCount]).toEqual([[{ node: { name: "default" } }], 0]);
  });

  test("what goes wrong with one is its error, and no key is shown", async () => {
    const results = await preview([
      judge("refusing", "e401"),
      judge("silent", "text"),
      judge("elsewhere", "tool", ["elsewhere"], {
        modelProvider: "ANTHROPIC",
        invocationParameters: { anthropic: { maxTokens: 10 } },
      }),
      exact(),
    ]);
    expect(results.map(({ evaluatorName, error }) => [evaluatorName, error])).toEqual([
      ["refusing", expect.stringContaining("401")],
      ["silent", "No tool calls received from LLM"],
      ["elsewhere", expect.stringContaining("An API key is required for Anthropic models")],
      ["exact_match", null],
    ]);
    expect(results.slice(0, 3).map(({ annotation }) => annotation)).toEqual([null, null, null]);
    expect(JSON.stringify(results)).not.toContain(TEST_KEY);
  });

  test("a stored key is used, and shown nowhere", async () => {
    const canary = "sk-canary-of-the-store-0123456789";
    await api.secrets.changeSecrets(api.context(), [{ key: "OPENAI_API_KEY", value: canary }]);
    const results = await preview([judge("stored", "e500"), judge("keyecho", "keyecho")], []);
    expect(models.requests.some(({ headers }) => headers.authorization === `Bearer ${canary}`)).toBe(true);
    expect(JSON.stringify(results)).not.toContain(canary);
    await api.secrets.changeSecrets(api.context(), [{ key: "OPENAI_API_KEY", value: null }]);
  });

  test("a request that cannot be right is refused as a whole", async () => {
    const asked = models.requests.length;
    const inline = judge("x", "tool").evaluator.inlineLlmEvaluator;
    expect(await refused([])).toContain("from 1 to 20");
    expect(await refused(Array.from({ length: 21 }, () => exact()))).toContain("from 1 to 20");
    expect(await refused([exact(), { ...exact(), evaluator: {} }])).toContain(
      'Exactly one key must be specified for OneOf type "EvaluatorPreviewInput"',
    );
    expect(await refused([{ ...exact(), evaluator: { builtInEvaluatorId: btoa("Project:1") } }])).toContain(
      "Expected built-in evaluator, got Project",
    );
    expect(await refused([{ ...exact(), evaluator: { builtInEvaluatorId: btoa("BuiltInEvaluator:999") } }])).toContain(
      "not found",
    );
    expect(await refused([{ ...exact(), context: [] }])).toContain("context: must be a JSON object");
    const continuous = { continuous: { name: "x", optimizationDirection: "MAXIMIZE" } };
    expect(
      await refused([
        { ...judge("x", "tool"), evaluator: { inlineLlmEvaluator: { ...inline, outputConfigs: [continuous] } } },
      ]),
    ).toContain("Only categorical annotation configs are supported for LLM evaluator previews");
    expect(
      await refused([
        judge("y", "tool"),
        {
          ...judge("x", "tool"),
          evaluator: { inlineLlmEvaluator: { ...inline, outputConfigs: [categoricalConfig("z")] } },
        },
      ]),
    ).toContain("No tool definition found matching output config name 'z'");
    expect(models.requests.length).toBe(asked);
  });

  test("texts of a megabyte, catastrophic patterns and names of every object", async () => {
    const text = "a".repeat(900_000);
    const item = (name: string, literalMapping: object) => ({
      evaluator: { builtInEvaluatorId: builtIn[name] },
      context: {},
      inputMapping: { literalMapping, pathMapping: {} },
    });
    const results = await preview([
      item("regex", { pattern: "(a|aa)+$", text: `${text}!` }),
      item("levenshtein_distance", { expected: "b", actual: "a".repeat(100_001) }),
      item("contains", { words: "constructor", text: "" }),
      item("regex", { pattern: "^(?!.*secret).*$", text: "nothing hidden" }),
    ]);
    expect(results.map(({ annotation, error }) => error ?? annotation?.label)).toEqual([
      "false",
      expect.stringContaining("up to 100000 bytes"),
      "false",
      "true",
    ]);
    const [odd] = await preview([
      { ...judge("odd", "echo", ["odd"], { template: template("{{output.constructor}}{{output.__proto__}}") }) },
    ]);
    expect(odd!.error).toBe("No tool calls received from LLM");
    expect(JSON.stringify(models.requests.at(-1)!.body)).toContain('"content":""');
  });
});
