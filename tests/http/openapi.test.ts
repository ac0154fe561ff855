// Our OpenAPI document against the operations of the reference server, for everything built so far, and against itself: every
// operation has examples that its own schemas take.
import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { openApiText } from "../../src/http/openapi.ts";
import type { Json } from "../../src/kernel/json.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { Violations } from "../../src/kernel/violations.ts";
import { declaredModules } from "../support/declared-routes.ts";
import {
  type OpenApiDocument,
  type OperationSummary,
  type ParameterSummary,
  summariesOf,
} from "../support/openapi-summary.ts";
import operations from "../vectors/operations.json" with { type: "json" };

/** Where our document differs on purpose. An entry that does not occur any more fails, too. */
const differences: readonly { readonly difference: string; readonly reason: string }[] = [
  {
    difference: "updateProject body gradient_start_color: ours is string?, theirs absent",
    reason: "rest-traces D2: colours can be edited",
  },
  {
    difference: "updateProject body gradient_end_color: ours is string?, theirs absent",
    reason: "rest-traces D2: colours can be edited",
  },
  ...["getViewer response 200 data", "getUsers response 200 data[]", "createUser response 201 data"].map((place) => ({
    difference: `${place}.password: ours is absent, theirs string`,
    reason: "auth 6.6: no password is ever answered",
  })),
  ...["response 404: ours is absent, theirs there", "response 404 text/plain: ours is absent, theirs string"].map(
    (what) => ({ difference: `listPromptVersions ${what}`, reason: "prompts: one that is not there has no versions" }),
  ),
  {
    difference: "upsertExperimentEvaluation body result.metadata: ours is any?, theirs absent",
    reason: "experiments: metadata that stands inside the result is kept, too",
  },
  {
    difference: "getExperimentJSON response 200 text/plain: ours is absent, theirs string",
    reason: "experiments: the export is JSON, and says so",
  },
  {
    difference: "getExperimentCSV response 200 application/json: ours is absent, theirs any",
    reason: "experiments: the export is CSV alone",
  },
  ...[
    "tags: ours is null|object[]?",
    "tags[].name: ours is string",
    "tags[].description: ours is null|string?",
    "only_new: ours is boolean?",
  ].map((what) => ({
    difference: `postPromptVersion body ${what}, theirs absent`,
    reason: "prompts: a new prompt in one request, never a version of one that is there",
  })),
  {
    difference: "getSession parameter project_identifier: ours is query string optional {}, theirs absent",
    reason: "rest-traces D4: a session of another project is not found",
  },
];

/** Differences of many fields, for one reason. */
const differenceFamilies: readonly { readonly differences: RegExp; readonly reason: string }[] = [
  {
    differences: /^\w+ response 20[01] data(\[\])?\.invocation_parameters\.(?!openai|anthropic|google|aws)\w+/,
    reason: "prompts: what speaks as OpenAI does is answered as `openai`",
  },
  {
    differences: /\.tool_result: ours is any, theirs any\[\]\|/,
    reason: "prompts: a result of a tool is any JSON",
  },
];

/** Documented operations that the reference does not have. */
const RETENTION = "protocol-additions A3: policies also over REST";
const TRACE_PATH = "/v1/projects/{project_identifier}/traces/{trace_identifier}";
const FAILURE_GROUP = "/v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}";
const DATASET_RUNS = "runs over datasets, as in GraphQL, and with what they may take";
const added: readonly { readonly operation: string; readonly reason: string }[] = [
  { operation: "GET /v1/sessions", reason: "rest-traces D3: sessions across projects" },
  { operation: "GET /v1/projects/{project_identifier}/spans/search", reason: "text search, as in GraphQL" },
  { operation: "GET /v1/projects/{project_identifier}/traces/search", reason: "text search, as in GraphQL" },
  { operation: `GET ${TRACE_PATH}/critical_path`, reason: "analysis of a trace" },
  { operation: `GET ${TRACE_PATH}/waste`, reason: "analysis of a trace" },
  { operation: `GET ${TRACE_PATH}/agent_graphs`, reason: "graphs of agents" },
  { operation: `GET ${TRACE_PATH}/comparison`, reason: "comparison of two traces" },
  { operation: "GET /v1/projects/{project_identifier}/explanation", reason: "what explains a selection" },
  { operation: "GET /v1/projects/{project_identifier}/trace_patterns", reason: "patterns of traces" },
  { operation: "GET /v1/projects/{project_identifier}/trace_analysis", reason: "analysis of many traces" },
  { operation: "GET /v1/projects/{project_identifier}/failure_groups", reason: "failure groups" },
  ...["GET", "GET spans", "PATCH", "POST merge", "POST split"].map((each) => {
    const [method, part] = each.split(" ");
    return { operation: `${method} ${FAILURE_GROUP}${part === undefined ? "" : `/${part}`}`, reason: "failure groups" };
  }),
  { operation: "GET /v1/spans/{span_identifier}/value", reason: "web-ui 7.4: long values are shown in part" },
  { operation: "GET /v1/datasets/{id}/parquet", reason: "typed columns, as data frames read them" },
  { operation: "PATCH /v1/datasets/{dataset_identifier}/examples", reason: "ordered operations, as in GraphQL" },
  ...["GET", "POST"].map((method) => ({ operation: `${method} /v1/retention_policies`, reason: RETENTION })),
  ...["PATCH", "DELETE"].map((method) => ({
    operation: `${method} /v1/retention_policies/{policy_id}`,
    reason: RETENTION,
  })),
  { operation: "GET /v1/retention_policies/{policy_id}/preview", reason: RETENTION },
  ...[
    "GET /v1/budgets",
    "GET /v1/budgets/left",
    "PUT /v1/budgets",
    "DELETE /v1/budgets/{budget_id}",
    "GET /v1/spending",
  ].map((operation) => ({ operation, reason: "budgets of calls of models, as in GraphQL" })),
  { operation: "POST /v1/playground/runs", reason: "the playground over REST; the reference has it in GraphQL only" },
  ...["POST /v1/playground/dataset_runs/estimate", "POST /v1/playground/dataset_runs"].map((operation) => ({
    operation,
    reason: DATASET_RUNS,
  })),
  ...["GET", "GET events", "POST stop", "POST resume"].map((call) => {
    const [method, change] = call.split(" ");
    const path = `/v1/playground/dataset_runs/{experiment_id}${change === undefined ? "" : `/${change}`}`;
    return { operation: `${method} ${path}`, reason: DATASET_RUNS };
  }),
  { operation: "POST /v1/chat/completions", reason: "the reference serves its model proxy without describing it" },
  { operation: "GET /v1/models", reason: "clients of the model proxy list models" },
  { operation: "POST /v1/spans", reason: "the reference serves tabular queries without describing them" },
  { operation: "POST /v1/logs", reason: "messages and coding agents that come as logs" },
  { operation: "POST /v1/metrics", reason: "exporters that also send metrics are told, instead of failing" },
  { operation: "POST /v1/traces", reason: "the reference serves the OTLP intake without describing it" },
];

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly deprecated?: boolean }[];
}

const modules = declaredModules();
const document = JSON.parse(openApiText(modules, "1.2.3", "")) as OpenApiDocument & { openapi: string; info: unknown };
const ours = summariesOf(document);
interface ShownAnswer {
  readonly content?: object;
}

/** The answers of an operation as the document shows them, by status. */
function answersOf(operationId: string): Readonly<Record<string, ShownAnswer>> {
  type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, ShownAnswer>> };
  const paths = Object.values(document.paths) as unknown as readonly Readonly<Record<string, Operation>>[];
  return paths.flatMap((methods) => Object.values(methods)).find((each) => each.operationId === operationId)!.responses;
}

const theirs = operations as unknown as readonly OperationSummary[];
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** A query parameter is never null: there the reference's `null|` says no more than that it may be absent. */
function parameterType(parameter: ParameterSummary): string {
  if (parameter.in !== "query") return parameter.type;
  return parameter.type
    .split("|")
    .filter((type) => type !== "null")
    .join("|");
}

/** The alternatives of a type, without order. */
function alternativesOf(type: string): Set<string> {
  return new Set(type.split("|"));
}

function parameterText(parameter: ParameterSummary | undefined): string {
  if (parameter === undefined) return "absent";
  const { name: _name, in: place, type: _type, required, ...limits } = parameter;
  const type = [...alternativesOf(parameterType(parameter))].sort().join("|");
  return [place, type, required ? "required" : "optional", JSON.stringify(limits)].join(" ");
}

function differencesOf(our: OperationSummary, their: OperationSummary): string[] {
  const found: string[] = [];
  const compare = (what: string, mine: string, other: string) => {
    if (mine !== other) found.push(`${their.operationId} ${what}: ours is ${mine}, theirs ${other}`);
  };
  compare("operationId", our.operationId, their.operationId);
  for (const name of namesOf(our.parameters, their.parameters)) {
    const [mine, other] = [our, their].map((side) => side.parameters.find((parameter) => parameter.name === name));
    compare(`parameter ${name}`, parameterText(mine), parameterText(other));
  }
  for (const [media, { fields }] of Object.entries(their.body ?? {})) {
    const mine = our.body?.[media]?.fields ?? {};
    for (const field of new Set([...Object.keys(fields), ...Object.keys(mine)])) {
      compare(`body ${field}`, mine[field] ?? "absent", fields[field] ?? "absent");
    }
  }
  // A path segment is any text: without query and body there is no schema to violate.
  const takesInput = our.body !== undefined || our.parameters.some((parameter) => parameter.in === "query");
  for (const [status, contents] of Object.entries(their.responses)) {
    if (status === "422" && !takesInput) continue;
    compare(`response ${status}`, our.responses[status] ? "there" : "absent", "there");
    for (const [media, content] of Object.entries(contents)) {
      const mine = our.responses[status]?.[media];
      compare(`response ${status} ${media}`, mine?.type ?? "absent", content.type);
      for (const [field, type] of Object.entries(content.fields)) {
        const my = mine?.fields[field] ?? "absent";
        // We always send what the reference calls optional, and of its alternatives only some: stricter promises.
        const promised = type.endsWith("?") && !my.endsWith("?") ? type.slice(0, -1) : type;
        const within = alternativesOf(my).isSubsetOf(alternativesOf(promised));
        compare(`response ${status} ${field}`, my, within ? my : promised);
      }
    }
  }
  return found;
}

function namesOf(...sides: (readonly ParameterSummary[])[]): Set<string> {
  return new Set(sides.flatMap((side) => side.map(({ name }) => name)));
}

describe("the document beside the reference's", () => {
  const found = ours.flatMap((our) => {
    const their = theirs.find((operation) => nameOf(operation) === nameOf(our));
    return their === undefined ? [] : differencesOf(our, their);
  });

  test("differs only where it says so", () => {
    const unknown = found.filter((difference) => !differences.some((known) => known.difference === difference));
    const isFamily = (difference: string) => differenceFamilies.some((family) => family.differences.test(difference));
    expect(unknown.filter((difference) => !isFamily(difference))).toEqual([]);
  });

  test("says nothing that is not so any more", () => {
    expect(differences.filter(({ difference }) => !found.includes(difference))).toEqual([]);
    const isFound = (family: RegExp) => found.some((difference) => family.test(difference));
    expect(differenceFamilies.filter((family) => !isFound(family.differences))).toEqual([]);
  });

  test("every operation of ours is one of theirs or was added on purpose", () => {
    const known = new Set([...theirs.map(nameOf), ...added.map(({ operation }) => operation)]);
    expect(ours.map(nameOf).filter((operation) => !known.has(operation))).toEqual([]);
  });
});

describe("the document itself", () => {
  test("is OpenAPI 3.1 with our version, and every operation below /v1", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Spanlight", version: "1.2.3" } });
    const declared = modules
      .flatMap(({ routes }) => routes)
      .filter(({ path, documented }) => path.startsWith("/v1/") && documented !== false);
    expect(ours.map(nameOf).sort()).toEqual(declared.map(nameOf).sort());
  });

  test("parameters that a filter replaces are marked as such", () => {
    const list = document.paths["/v1/projects/{project_identifier}/traces"]!.get as unknown as Operation;
    const marked = list.parameters.filter(({ deprecated }) => deprecated === true).map(({ name }) => name);
    expect(marked).toEqual(["error", "min_latency_ms", "max_latency_ms"]);
  });

  test("operation ids are unique", () => {
    const ids = ours.map(({ operationId }) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test("every reference has its target", () => {
    const targets = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(targets.length).toBeGreaterThan(0);
    for (const [, name] of targets) expect(document.components.schemas).toHaveProperty(name!);
  });

  test("a refused batch of spans is shown as the document that it is", () => {
    const { content } = answersOf("createSpans")["400"]!;
    const counts = { total_received: 1, total_queued: 0 };
    expect(content).toMatchObject({ "text/plain": {}, "application/json": { example: counts } });
  });

  test("links lead to operations by parameters that they have, from what is answered", () => {
    const linked = new Map<string, string[]>();
    const routes = new Map(modules.flatMap((module) => module.routes).map((route) => [route.operationId, route]));
    for (const { operationId, links = {}, example } of routes.values()) {
      for (const [target, parameters] of Object.entries(links)) {
        linked.set(operationId, [...(linked.get(operationId) ?? []), target]);
        for (const [name, place] of Object.entries(parameters)) {
          expect(routes.get(target)?.path).toContain(`{${name}}`);
          const steps = place.replace("$response.body#/", "").split("/");
          const value = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], example?.response);
          expect([operationId, typeof value]).toEqual([operationId, "string"]);
        }
      }
    }
    for (const maker of [
      "createProject",
      "uploadDataset",
      "createExperiment",
      "postPromptVersion",
      "createPromptVersion",
    ]) {
      expect(linked.get(maker)).not.toBeUndefined();
    }
  });

  test("what is answered with a success has a content, unless it is empty by its status", () => {
    const without = ours
      .map(({ operationId }) => operationId)
      .filter((id) => {
        const good = Object.entries(answersOf(id)).filter(([status]) => status.startsWith("2") && status !== "204");
        return good.some(([, { content }]) => content === undefined);
      });
    expect(without).toEqual([]);
  });

  test("below a root path the browser is sent there", () => {
    expect(JSON.parse(openApiText(modules, "1.2.3", "/sub"))).toMatchObject({ servers: [{ url: "/sub" }] });
  });

  for (const route of modules.flatMap((module) => module.routes).filter(({ documented }) => documented !== false)) {
    const check = (schema: TSchema | undefined, example: unknown) => {
      const violations = new Violations();
      if (schema !== undefined) readValue(schema, example as Json, [], violations);
      return violations.list();
    };

    test(`${nameOf(route)} has an example that its schemas take`, () => {
      const { parameters = {}, body, response } = route.example ?? {};
      expect(route.summary.length).toBeGreaterThan(3);
      expect([body !== undefined, response !== undefined]).toEqual([
        route.body !== undefined,
        route.response !== undefined,
      ]);
      expect([...check(route.body, body), ...check(route.response, response)]).toEqual([]);
      for (const name of [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!)) {
        expect(parameters).toHaveProperty(name);
      }
      for (const [name, value] of Object.entries(parameters)) {
        const schema = route.query?.properties[name];
        if (!route.path.includes(`{${name}}`)) expect(schema).toBeDefined();
        expect(check(schema, value)).toEqual([]);
      }
    });
  }
});
