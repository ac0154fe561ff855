// How an operation of the API is declared. A declaration is the single source of its routing, guards, validation and
// OpenAPI entry; its handler gets checked input and returns data. http/ mounts declarations, modules only write them.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Action } from "../access/policy.ts";
import { type AnyBulkBody, type Asked, isBulkBody, isStreamedBody, type StreamedBody } from "../kernel/bulk-body.ts";
import { systemClock } from "../kernel/clock.ts";
import type { FailureKind, Violation } from "../kernel/failure.ts";
import type { CallContext } from "../storage/storage.ts";
import { explainedSlowness } from "./too-slow.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `{name}` segments of a path, each a text that was percent-decoded once. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name | keyof PathParameters<Rest>]: string }
  : { readonly [Key in never]: string };

/** Of a body in bulk or in pieces, the questions that its thread answers. */
type Input<Schema> = Schema extends
  | { readonly keep: (body: never, thread: never) => infer Kept }
  | { readonly open: (contentType: string | null) => infer Kept }
  ? Asked<Kept>
  : Schema extends TSchema
    ? Static<Schema>
    : undefined;
/** Without a schema nothing is answered, whatever the handler returns. */
type Output<Schema> = Schema extends TSchema ? Static<Schema> : unknown;

export interface Call<Params, Query, Body> {
  readonly context: CallContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For what no schema describes: raw bodies, conditional headers. */
  readonly request: Request;
  /** Where the request comes from, as far as proxies are trusted; null when it is not known. */
  readonly clientAddress: () => string | null;
}

/** What the OpenAPI document shows as an example; parameters that are left out are shown without one. What is deleted is something that no
 *  other example reads: who follows all of them, in any order, finds what they name. */
export interface Example {
  readonly parameters?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: unknown;
  readonly response?: unknown;
}

/** A body as the OpenAPI document shows it where no schema of ours checks it: JSON schemas and examples by media type. */
type ShownContents = Readonly<
  Record<string, { readonly schema?: Readonly<Record<string, unknown>>; readonly example?: unknown }>
>;

interface Declaration<Path extends string> {
  readonly method: Method;
  /** Below the root path, e.g. `/v1/projects/{project_identifier}`. */
  readonly path: Path;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the policy is asked about the caller. */
  readonly action: Action;
  /** Status of success. */
  readonly status: number;
  /** True for what is refused (507) while the database is fuller than the operator allows. */
  readonly storageLocked?: boolean;
  /** True where the body holds secrets: violations then do not show what was sent. */
  readonly confidential?: boolean;
  /** The document that an input is refused with which breaks its schema, where clients read another than that of the other routes. */
  readonly violationDocument?: (violations: readonly Violation[]) => unknown;
  /** Throws when the byte budget is used up: asked after the guards, before its input is read. */
  readonly admission?: (clientAddress: () => string | null) => void;
  /** Media types of a body that the handler reads by itself; then there is no body schema. */
  readonly rawBody?: readonly string[];
  /** Media type of the text that the handler answers as a Response of its own; then there is no response schema. */
  readonly rawAnswer?: string;
  /** Failures of the handler, each with the sentence for the OpenAPI document. Those of the guards are added by http/. */
  readonly errors?: Partial<Readonly<Record<FailureKind, string>>>;
  readonly example?: Example;
  /** What is sent and answered where the handler reads or writes by itself. */
  readonly shown?: {
    readonly request?: ShownContents;
    readonly answer?: ShownContents;
    /** Documents of failures that are no text alone. */
    readonly failures?: Partial<Readonly<Record<FailureKind, ShownContents>>>;
  };
  /** Operations that take what this one answers: by operation id, where each of their parameters stands in the answer. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False keeps the operation out of the OpenAPI document: probes, pages, redirects. */
  readonly documented?: boolean;
}

interface TypedDeclaration<Path extends string, Query, Body, Answer> extends Declaration<Path> {
  readonly query?: Query;
  /** A schema, or how a body in bulk is kept: such a body may be as large as an export and is read by a thread of its own, every
   *  other one is small (`SERVICE_MAX_JSON_BODY_BYTES`). A streamed body is fed to that thread by the handler. */
  readonly body?: Body;
  /** The JSON of success. Without it the answer is empty, or a Response that the handler makes. */
  readonly response?: Answer;
  readonly handler: (
    call: Call<PathParameters<Path>, Input<Query>, Input<Body>>,
  ) => Promise<Output<Answer> | Response> | Output<Answer> | Response;
}

/** A declaration whose types were checked by `route` and then forgotten. */
export interface Route extends Declaration<string> {
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Where the body comes in bulk. */
  readonly bulk?: AnyBulkBody;
  /** Where the handler takes the body in pieces. */
  readonly streamed?: StreamedBody;
  readonly response?: TSchema;
  readonly handler: (call: Call<unknown, unknown, unknown>) => unknown;
}

/** The routes of one module, made by a function that receives its services. */
export interface RouteModule {
  /** Tag of the operations in the OpenAPI document. */
  readonly name: string;
  readonly routes: readonly Route[];
}

/** Checks one declaration: the handler's input and output must fit its path and schemas. */
export function route<
  const Path extends string,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | AnyBulkBody | StreamedBody | undefined = undefined,
  Answer extends TSchema | undefined = undefined,
>(declaration: TypedDeclaration<Path, Query, Body, Answer>): Route {
  const { body, ...rest } = declaration;
  const sent = isStreamedBody(body)
    ? { streamed: body }
    : isBulkBody(body)
      ? { body: body.schema, bulk: body }
      : { body };
  const declared = { ...rest, ...sent } as Route;
  return { ...declared, handler: explainingSlowness(declared) };
}

/** The handler, whose failure says how to narrow the time range of the operation, if it has one. */
function explainingSlowness({ handler, query, body }: Route): Route["handler"] {
  const takesRange = [query, body].some((schema) => schema?.properties?.start_time !== undefined);
  return async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      const range = takesRange ? rangeIn({ ...asObject(call.body), ...asObject(call.query) }) : null;
      throw explainedSlowness(error, range, RANGE_PARAMETERS, systemClock.now());
    }
  };
}

const RANGE_PARAMETERS = { start: "start_time", end: "end_time" };

function asObject(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}

function rangeIn({ start_time, end_time }: Readonly<Record<string, unknown>>) {
  const instant = (value: unknown) => (typeof value === "number" ? value : null);
  return { startUs: instant(start_time), endUs: instant(end_time) };
}
