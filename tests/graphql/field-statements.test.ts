// What GraphQL asks the databases for each field of the schema: as many statements for fifty rows as for one. The documents are generated from the
// schema. A field that asks for each row, or that no row here has, stands below with its reason; a field that is new is asked without being named.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  defaultFieldResolver,
  execute,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
} from "graphql";
import { createCall } from "../../src/graphql/call.ts";
import { createSchema } from "../../src/http/graphql/schema.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { findGlobalId } from "../../src/kernel/ids.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { openGuards } from "../support/declared-routes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { signedIn } from "../support/principals.ts";
import { openQueryPlans, type QueryPlans } from "../support/query-plans.ts";
import { type RowIds, rowsOfEveryKind } from "../support/rows-of-every-kind.ts";
import { elementsOf, fieldName, isList, isRow, questionsOf, typesOf } from "../support/schema-questions.ts";

const ROWS = 50;
/** Keys of a loader that come later than others make a statement of their own. So many more are allowed for all fields of a row together:
 *  one field that asks for each row makes 49 more. */
const LATER_BATCHES = 10;
/** An exception that grows by no more is needless. */
const SAME = 2;

/** Fields that make statements for each row, by the reason. */
const FOR_EACH_ROW: Readonly<Record<string, readonly string[]>> = {
  "a list or figures of one project, asked for one project at a time": [
    "Project.attributeGroups",
    "Project.costGroups",
    "Project.documentEvaluationNames",
    "Project.documentEvaluationSummary",
    "Project.explanation",
    "Project.listedSessionAnnotations",
    "Project.listedSpans",
    "Project.listedTraces",
    "Project.searchSpans",
    "Project.searchTraces",
    "Project.session",
    "Project.sessionAnnotationAgreements",
    "Project.sessionAnnotationMetricNames",
    "Project.sessionAnnotationMetricsTimeSeries",
    "Project.sessionAnnotationNameCounts",
    "Project.sessionAnnotationNames",
    "Project.sessionAnnotationScoreHistograms",
    "Project.sessionAnnotationScoreTimeSeries",
    "Project.sessionAnnotationSummary",
    "Project.sessionFilterVocabulary",
    "Project.sessionTurnTimeSeries",
    "Project.sessions",
    "Project.spanAnnotationAgreements",
    "Project.spanAnnotationMetricNames",
    "Project.spanAnnotationMetricsTimeSeries",
    "Project.spanAnnotationNameCounts",
    "Project.spanAnnotationNames",
    "Project.spanAnnotationScoreHistograms",
    "Project.spanAnnotationScoreTimeSeries",
    "Project.spanAnnotationSummary",
    "Project.spanCountTimeSeries",
    "Project.spanFacets",
    "Project.spanFilterVocabulary",
    "Project.spans",
    "Project.streamingLastUpdatedAt",
    "Project.topModelsByCost",
    "Project.topModelsByTokenCount",
    "Project.traceAnalysis",
    "Project.traceAnnotationAgreements",
    "Project.traceAnnotationMetricNames",
    "Project.traceAnnotationMetricsTimeSeries",
    "Project.traceAnnotationNameCounts",
    "Project.traceAnnotationNames",
    "Project.traceAnnotationScoreHistograms",
    "Project.traceAnnotationScoreTimeSeries",
    "Project.traceAnnotationSummary",
    "Project.traceAnnotationsNames",
    "Project.traceCountByStatusTimeSeries",
    "Project.traceCountTimeSeries",
    "Project.traceFigures",
    "Project.traceFilterVocabulary",
    "Project.traceLatencyMsHistogram",
    "Project.traceLatencyMsPercentileTimeSeries",
    "Project.tracePatterns",
    "Project.traceTokenCostTimeSeries",
    "Project.traceTokenCountHistogram",
    "Project.traceTokenCountTimeSeries",
    "Project.traces",
  ],
  "a count in slices for each project, stopped by its own time": ["Query.previewTraceRetention"],
  "payloads are read in parts by their size": ["Query.previewDatasetSelection"],
};

/** Fields that no fifty rows here have, by the reason. */
const WITHOUT_ROWS: Readonly<Record<string, readonly string[]>> = {
  "there are five built-in evaluators": ["BuiltInEvaluator.datasetEvaluators", "BuiltInEvaluator.datasets"],
  "there are fewer built-in providers, which no database holds": [
    "GenerativeProvider.baseUrl",
    "GenerativeProvider.baseUrlProblem",
    "GenerativeProviderCredentialConfig.source",
  ],
  "takes ids that belong to one dataset": ["Dataset.datasetEvaluator", "Dataset.versionDifference"],
  "is reached through the difference of two versions": [
    "DatasetVersionDifference.counts",
    "DatasetVersionDifference.examples",
    "DatasetDifferingExample.example",
  ],
  "fewer than fifty of them are found from the rows here": [
    "DocumentAnnotation.span",
    "DocumentAnnotation.user",
    "ExperimentComparison.example",
    "ExperimentComparison.repeatedRunGroups",
    "ExperimentRepeatedRunGroup.annotationSummaries",
    "ExperimentRepeatedRunGroup.costDetailSummaryEntries",
    "ExperimentRepeatedRunGroup.costSummary",
    "SpanEvent.timestamp",
  ],
};

/** Types that `node` does not find: their rows are asked for in lists. */
const NOT_BY_ID = new Set(["SystemApiKey", "UserApiKey", "ExperimentComparison", "ExperimentRepeatedRunGroup"]);

const forEachRow = new Set(Object.values(FOR_EACH_ROW).flat());
const withoutRows = new Set(Object.values(WITHOUT_ROWS).flat());

interface Measured {
  readonly statements: number;
  /** How often each field was resolved. */
  readonly resolved: ReadonlyMap<string, number>;
}
type Answer = Readonly<Record<string, unknown>>;
/** By the source of the rows and what is asked of each. */
type Measures = Map<string, Measured>;

/** What is asked of the rows of a list, or of rows by their ids. */
interface Source {
  readonly name: string;
  readonly types: readonly GraphQLObjectType[];
  documentOf(fieldsOf: (type: GraphQLObjectType) => string): string;
}

forEachDriver("statements of every field", (driver) => {
  let api: TestApi;
  let plans: QueryPlans;
  let schema: GraphQLSchema;
  let userId = 0;
  const resolved = new Map<string, number>();
  const few: Measures = new Map();
  const many: Measures = new Map();
  const problems = new Set<string>();
  const growing = new Map<string, string[]>();
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), { resolvePrincipal: () => signedIn(userId, "ADMIN") });
    plans = openQueryPlans(api.stored);
    schema = createSchema(await api.features.loadGraphql(), openGuards);
    countResolved();
    const addRow = rowsOfEveryKind(
      () => api,
      (id) => {
        userId = id;
      },
    );
    const first = await addRow(0);
    const caller = userId;
    await measure(few, [first]);
    const rows = [first];
    for (let number = 1; number < ROWS; number++) rows.push(await addRow(number));
    userId = caller;
    await measure(many, rows);
  }, 240_000);
  afterAll(async () => {
    await plans.close();
    await api.close();
  });

  const ownTypes = () =>
    Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith("__"));
  const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());

  function countResolved(): void {
    for (const type of ownTypes().filter(isObjectType)) {
      for (const field of fieldsOf(type)) {
        const { resolve = defaultFieldResolver } = field;
        const name = fieldName(type, field);
        field.resolve = (...given) => {
          resolved.set(name, (resolved.get(name) ?? 0) + 1);
          return resolve(...given);
        };
      }
    }
  }

  async function ask(document: string): Promise<Measured & { readonly data: Answer }> {
    let data: Answer = {};
    resolved.clear();
    const statements = await plans.countOf(async (context) => {
      const contextValue = createCall({ ...context, principal: signedIn(userId, "ADMIN") }, systemClock.now(), {
        next: () => null,
      });
      const answer = await execute({ schema, document: parse(document), contextValue });
      for (const error of answer.errors ?? [])
        problems.add(
          `${error.path
            ?.filter((step) => typeof step === "string")
            .join(".")
            .replace(/row\d+/, "row")}: ${error.message.slice(0, 90)}`,
        );
      data = answer.data as Answer;
    });
    return { statements, resolved: new Map(resolved), data };
  }

  const aliased = (ids: readonly string[], text: string) =>
    `{ ${ids.map((id, at) => `row${at}: node(id: "${id}") { ...Row }`).join(" ")} } fragment Row on ${text}`;

  /** Ids by type, as far as lists and rows lead to them. */
  async function findIds(rows: readonly RowIds[]): Promise<Map<string, string[]>> {
    const ids = new Map<string, Set<string>>();
    const note = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { __typename: type, id } = value as { readonly __typename?: string; readonly id?: string };
      // Outputs of evaluators are no rows, and have ids below zero.
      const isStored = id !== undefined && findGlobalId(id)?.rowId !== -1;
      if (type !== undefined && isStored && !NOT_BY_ID.has(type) && isRow(schema.getType(type)!)) {
        ids.set(type, (ids.get(type) ?? new Set()).add(id));
      }
      for (const inner of Object.values(value)) note(inner);
    };
    for (const row of rows) for (const [type, id] of Object.entries(row)) note({ __typename: type, id });
    const leading = (type: GraphQLObjectType) => {
      const { listed } = questionsOf(schema, { values: valuesOf(ids, rows), leftOut: new Set(), first: 2 });
      const texts = fieldsOf(type).map((field) => {
        const targets = [...elementsOf(schema, field), ...typesOf(schema, getNamedType(field.type))];
        return !targets.some(isRow) ? "" : (listed(type, field, 2, (each) => (isRow(each) ? "id" : "")) ?? "");
      });
      return texts.join(" ");
    };
    const query = schema.getQueryType()!;
    note((await ask(`{ __typename ${leading(query)} }`)).data);
    const asked = new Set<string>();
    for (let type = next(); type !== undefined; type = next()) {
      asked.add(type);
      const own = [...ids.get(type)!].slice(0, ROWS);
      note(
        (await ask(aliased(own, `${type} { __typename ${leading(schema.getType(type) as GraphQLObjectType)} }`))).data,
      );
    }
    return new Map([...ids].map(([type, found]) => [type, [...found]]));
    function next(): string | undefined {
      return [...ids.keys()].find((type) => !asked.has(type));
    }
  }

  function valuesOf(ids: ReadonlyMap<string, Iterable<string>>, rows: readonly RowIds[]): Record<string, string> {
    const of = (type: string) => JSON.stringify([...(ids.get(type) ?? [])].slice(0, ROWS));
    const one = (type: string) => JSON.stringify([...(ids.get(type) ?? [])][0] ?? null);
    const experiment = JSON.stringify(rows[0]!.Experiment);
    const values: Record<string, string> = {
      ...{ probability: "0.5", condition: '"true"', annotationName: '"quality"', evaluationName: '"quality"' },
      ...{ traceId: '"trace-0"', sessionId: '"session-0"', text: '"question"', names: '["input.value"]' },
      timeRange: '{ start: "2023-12-31T00:00:00Z", end: "2024-01-02T00:00:00Z" }',
      ...{ attribute: `"metadata['tier']"`, experimentIds: `[${experiment}]`, baseExperimentId: experiment },
      ...{ "Query.compareExperiments.compareExperimentIds": "[]", query: '"0"' },
      "Query.previewTraceRetention.input": `{ rule: { maxDays: { maxDays: 1 } }, projectIds: ${of("Project")} }`,
    };
    if (ids.has("Trace")) {
      values["Trace.comparison.with"] = one("Trace");
      values["Query.previewDatasetSelection.selection"] = `{ traceIds: ${of("Trace")} }`;
      values["Query.previewDatasetSelection.first"] = String(ROWS);
    }
    return values;
  }

  /** Lists of Query, rows by their ids, lists of the first row of each type. */
  async function sourcesOf(rows: readonly RowIds[]) {
    const ids = await findIds(rows);
    const questions = questionsOf(schema, { values: valuesOf(ids, rows), leftOut: forEachRow, first: 2 });
    const lists = (owner: GraphQLObjectType, around: (text: string) => string) =>
      fieldsOf(owner).flatMap((field): Source[] => {
        const types = elementsOf(schema, field);
        // Values of rows are asked for with the rows.
        if (
          types.length === 0 ||
          (isRow(owner) && !isList(field)) ||
          questions.listed(owner, field, ROWS, () => "") === null
        )
          return [];
        const documentOf: Source["documentOf"] = (textOf) => around(questions.listed(owner, field, ROWS, textOf)!);
        return [{ name: fieldName(owner, field), types, documentOf }];
      });
    const ofRows = [...ids].flatMap(([name, found]): Source[] => {
      const type = schema.getType(name) as GraphQLObjectType;
      const chosen = found.slice(0, rows.length);
      return [
        { name, types: [type], documentOf: (textOf) => aliased(chosen, `${name} { __typename ${textOf(type)} }`) },
        ...lists(type, (text) => `{ node(id: "${found[0]}") { ... on ${name} { ${text} } } }`),
      ];
    });
    return { questions, sources: [...ofRows, ...lists(schema.getQueryType()!, (text) => `{ ${text} }`)] };
  }

  /** Asks each source for all fields together, and for each exception alone where it is first met. */
  async function measure(measures: Measures, rows: readonly RowIds[]): Promise<void> {
    const { questions, sources } = await sourcesOf(rows);
    const alone = (source: Source, wanted: string) =>
      ask(source.documentOf((type) => questions.fieldsOf(type, (field) => field === wanted)));
    for (const source of sources) {
      const together = await ask(source.documentOf((type) => questions.fieldsOf(type)));
      measures.set(source.name, together);
      const fields = source.types.flatMap((type) => fieldsOf(type).map((field) => fieldName(type, field)));
      for (const field of fields) {
        const name = `${field} alone`;
        if (forEachRow.has(field) && !measures.has(name)) measures.set(name, await alone(source, field));
      }
      const before = few.get(source.name);
      if (source.name.startsWith("Query.") && forEachRow.has(source.name)) continue;
      if (measures === few || before === undefined || together.statements <= before.statements + LATER_BATCHES)
        continue;
      const named: string[] = [];
      for (const field of fields) {
        if (!forEachRow.has(field) && (await alone(source, field)).statements >= ROWS / 2) named.push(field);
      }
      growing.set(source.name, [`${before.statements} → ${together.statements}`, ...named]);
    }
  }

  test("no question is refused", () => {
    expect([...problems]).toEqual([]);
  });

  test("a row more is no statement more", () => {
    expect(Object.fromEntries(growing)).toEqual({});
  });

  test("exceptions are needed", () => {
    const needless = [...forEachRow].filter((field) => {
      const name = field.startsWith("Query.") ? field : `${field} alone`;
      const [before, after] = [few.get(name)?.statements, many.get(name)?.statements];
      return before === undefined || after === undefined || after <= before + SAME;
    });
    expect(needless).toEqual([]);
  });

  test("every field is asked for one row and for fifty", () => {
    const covered = new Set<string>();
    for (const [source, measured] of many) {
      for (const [field, times] of measured.resolved) {
        const before = few.get(source)?.resolved.get(field) ?? 0;
        if (before > 0 && before < times && times >= ROWS) covered.add(field);
      }
    }
    const wanted = reachedFields().filter((field) => !forEachRow.has(field));
    expect(wanted.filter((field) => !covered.has(field) && !withoutRows.has(field))).toEqual([]);
    expect([...withoutRows].filter((field) => covered.has(field) || !wanted.includes(field))).toEqual([]);
  });

  /** Fields that could ask a database, of types that Query leads to: their resolvers take the call. */
  function reachedFields(): string[] {
    const reached = new Set<GraphQLObjectType>([schema.getQueryType()!]);
    for (const type of reached) {
      for (const field of fieldsOf(type)) {
        if (forEachRow.has(fieldName(type, field))) continue;
        for (const each of typesOf(schema, getNamedType(field.type))) reached.add(each);
      }
    }
    reached.delete(schema.getQueryType()!);
    return [...reached].flatMap((type) =>
      fieldsOf(type)
        .filter(takesCall)
        .map((field) => fieldName(type, field)),
    );
  }
});

/** Its resolver is given the call, through which it could ask a database. */
function takesCall({ extensions }: GraphQLField<unknown, unknown>): boolean {
  const { pothosOptions } = extensions as {
    readonly pothosOptions?: { readonly resolve?: (...given: never[]) => unknown };
  };
  return (pothosOptions?.resolve?.length ?? 0) > 2;
}
