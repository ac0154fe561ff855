// The OpenAPI document, written from the same declarations that serve the requests. (The Elysia plugin would need the schemas in
// Elysia's own hooks, where they would also validate, by other rules than ours.)
import type { TSchema } from "@sinclair/typebox";
import type { Route, RouteModule } from "../api/route.ts";
import type { FailureKind } from "../kernel/failure.ts";
import { statusOfKind } from "./failures.ts";
import { pathParameters } from "./input.ts";
import { createSchemaWriter, type SchemaObject, type SchemaWriter } from "./openapi-schema.ts";

/** What the guards may answer to any operation, or to those of a certain kind. */
const guardErrors = {
  unauthenticated: "No valid credential was sent.",
  forbidden: "The caller may not do this, or the server is in read-only mode.",
  malformed: "The body is not UTF-8.",
  too_large: "The body is larger than the server takes.",
  locked: "The database is full: only what frees space is allowed.",
} as const satisfies Partial<Record<FailureKind, string>>;

const violations: SchemaObject = {
  type: "object",
  properties: {
    detail: {
      type: "array",
      items: {
        type: "object",
        properties: {
          type: { type: "string" },
          loc: { type: "array", items: { anyOf: [{ type: "integer" }, { type: "string" }] } },
          msg: { type: "string" },
          input: {},
          ctx: { type: "object" },
        },
        required: ["type", "loc", "msg"],
      },
    },
  },
};
const violationsExample = {
  detail: [{ type: "greater_than", loc: ["query", "limit"], msg: "Must be above 0", input: "0", ctx: { gt: 0 } }],
};

/** The text of the document. `rootPath` is where a browser finds the service. */
export function openApiText(modules: readonly RouteModule[], version: string, rootPath: string): string {
  const schemas = createSchemaWriter({ Violations: violations });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const module of modules) {
    for (const route of module.routes.filter((declared) => declared.documented !== false)) {
      paths[route.path] ??= {};
      paths[route.path]![route.method.toLowerCase()] = operationOf(route, module.name, schemas);
    }
  }
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Spanlight", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: rootPath === "" ? "/" : rootPath }],
    security: [{}, { bearer: [] }],
    tags: modules
      .filter((module) => module.routes.some((declared) => declared.documented !== false))
      .map((module) => ({ name: module.name })),
    paths,
    components: { schemas: schemas.components, securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  });
}

function operationOf(route: Route, tag: string, schemas: SchemaWriter): Record<string, unknown> {
  const parameters = [...pathParametersOf(route), ...queryParametersOf(route, schemas)];
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(route, schemas),
    responses: { [route.status]: successOf(route, schemas), ...errorsOf(route) },
  };
}

function exampleOf(route: Route, parameter: string): Record<string, unknown> {
  const example = route.example?.parameters?.[parameter];
  return example === undefined ? {} : { example };
}

function pathParametersOf(route: Route): Record<string, unknown>[] {
  return pathParameters(route.path).map(({ name }) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...exampleOf(route, name),
  }));
}

function queryParametersOf(route: Route, schemas: SchemaWriter): Record<string, unknown>[] {
  const query = route.query;
  if (query === undefined) return [];
  return Object.entries(query.properties).map(([name, parameter]) => {
    const { description, deprecated, ...schema } = schemas.write(parameter);
    return {
      name,
      in: "query",
      required: query.required?.includes(name) === true && parameter.default === undefined,
      ...(description === undefined ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated }),
      schema,
      ...exampleOf(route, name),
    };
  });
}

function requestBodyOf(route: Route, schemas: SchemaWriter): Record<string, unknown> {
  if (route.rawBody !== undefined) {
    const content = Object.fromEntries(
      route.rawBody.map((type) => [type, { schema: {}, ...route.shown?.request?.[type] }]),
    );
    return { requestBody: { required: true, content } };
  }
  if (route.streamed !== undefined) {
    const content = Object.fromEntries(
      Object.entries(route.streamed.contents).map(([type, schema]) => [
        type,
        { schema: schemas.write(schema), ...route.shown?.request?.[type] },
      ]),
    );
    return { requestBody: { required: true, content } };
  }
  if (route.body === undefined) return {};
  return { requestBody: { required: true, content: jsonContent(route.body, route.example?.body, schemas) } };
}

function successOf(route: Route, schemas: SchemaWriter): Record<string, unknown> {
  const links = Object.entries(route.links ?? {}).map(([operationId, parameters]) => {
    return [operationId, { operationId, parameters }];
  });
  return { ...answerOf(route, schemas), ...(links.length === 0 ? {} : { links: Object.fromEntries(links) }) };
}

function answerOf(route: Route, schemas: SchemaWriter): Record<string, unknown> {
  if (route.shown?.answer !== undefined) return { description: "Success", content: route.shown.answer };
  const description = route.response === undefined ? "Done" : "Success";
  if (route.rawAnswer !== undefined) {
    return { description: "Success", content: { [route.rawAnswer]: { schema: { type: "string" } } } };
  }
  if (route.response === undefined) return { description };
  return { description, content: jsonContent(route.response, route.example?.response, schemas) };
}

function jsonContent(schema: TSchema, example: unknown, schemas: SchemaWriter) {
  return {
    "application/json": { schema: schemas.write(schema), ...(example === undefined ? {} : { example }) },
  };
}

function errorsOf(route: Route): Record<string, unknown> {
  const hasBody = route.body !== undefined || route.rawBody !== undefined || route.streamed !== undefined;
  const errors: Partial<Record<FailureKind, string>> = {
    unauthenticated: guardErrors.unauthenticated,
    forbidden: guardErrors.forbidden,
    ...(hasBody ? { malformed: guardErrors.malformed, too_large: guardErrors.too_large } : {}),
    ...(route.storageLocked === true ? { locked: guardErrors.locked } : {}),
  };
  for (const [kind, sentence] of Object.entries(route.errors ?? {}) as [FailureKind, string][]) {
    errors[kind] = errors[kind] === undefined ? sentence : `${errors[kind]} ${sentence}`;
  }
  const responses: Record<string, unknown> = {};
  for (const [kind, description] of Object.entries(errors) as [FailureKind, string][]) {
    const content = { ...textContent(description), ...route.shown?.failures?.[kind] };
    responses[statusOfKind[kind]] = { description, content };
  }
  if (route.query !== undefined || route.body !== undefined || errors.invalid !== undefined) {
    responses[statusOfKind.invalid] = {
      description: `Values that break a rule of the schema, each with its place.${errors.invalid === undefined ? "" : ` As text: ${errors.invalid}`}`,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/Violations" }, example: violationsExample },
        "text/plain": textContent(errors.invalid ?? "Invalid input")["text/plain"],
      },
    };
  }
  return responses;
}

function textContent(example: string) {
  return { "text/plain": { schema: { type: "string" }, example } };
}
