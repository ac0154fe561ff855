// The schema under construction: its builder, the types that several modules add fields to, and what all of them share. Each
// module implements its own type and may add fields to those of others, as the services it receives allow.
import type { Action } from "../../modules/auth/policy.ts";
import type { Project } from "../../modules/projects/projects.schema.ts";
import type { Secret } from "../../modules/secrets/secrets.schema.ts";
import type { SessionRecord } from "../../modules/sessions/sessions.schema.ts";
import type { SpanRecord } from "../../modules/spans/spans.schema.ts";
import { type SpanKind, spanKinds } from "../../modules/traces/span.schema.ts";
import type { TraceRecord } from "../../modules/traces/traces.schema.ts";
import type { User } from "../../modules/users/users.schema.ts";
import { createBuilder } from "./builder.ts";
import type { GraphqlCall } from "./call.ts";
import { type Connection, DEFAULT_FIRST, type Edge, type PageInfo } from "./connection.ts";
import { dateTimeScalar, jsonScalar, redactedScalar } from "./scalars.ts";
import { timeBinConfig } from "./statistics.ts";

/** What the guard of a mutation asks before its resolver runs (`graphql.md` 6). Every field of Mutation declares it. */
export interface MutationGuard {
  readonly action: Action;
  /** True for what is refused while the storage lock is on. */
  readonly storageLocked?: boolean;
  /** Throws for an input that is refused whoever sends it: asked before the caller's rights. Gets the arguments. */
  readonly requireInput?: (given: never) => void;
}

/** What is asked before a field of Query is resolved; fields without it are open to every known caller. */
export interface QueryGuard {
  readonly action: Action;
}

/** Finds a row for `node`; null when there is none. */
export type NodeFinder = (call: GraphqlCall, rowId: number) => Promise<object | null>;

/** The same for a type whose ids carry a name. */
export type NamedNodeFinder = (call: GraphqlCall, name: string) => Promise<object | null>;

/** Type words of ids, and the rows behind them. */
interface Nodes {
  Project: Project;
  Trace: TraceRecord;
  Span: SpanRecord;
  ProjectSession: SessionRecord;
  User: User;
  Secret: Secret;
}

export type GraphqlTypes = ReturnType<typeof createTypes>;

export function createTypes() {
  const builder = createBuilder();
  builder.scalarType("DateTime", dateTimeScalar);
  builder.scalarType("JSON", jsonScalar);
  builder.scalarType("RedactedString", redactedScalar);
  /** Also what mutations without a result of their own answer. */
  const QueryRoot = builder.queryType({});
  builder.mutationType({});

  const node = builder.interfaceRef<{ readonly id: number } | { readonly name: string }>("Node").implement({
    fields: (t) => ({ id: t.id({ resolve: (row) => String("id" in row ? row.id : row.name) }) }),
  });
  const finders = new Map<string, NodeFinder>();
  const namedFinders = new Map<string, NamedNodeFinder>();
  const pageInfo = builder.objectRef<PageInfo>("PageInfo").implement({
    fields: (t) => ({
      hasNextPage: t.exposeBoolean("hasNextPage"),
      hasPreviousPage: t.exposeBoolean("hasPreviousPage"),
      startCursor: t.exposeString("startCursor", { nullable: true }),
      endCursor: t.exposeString("endCursor", { nullable: true }),
    }),
  });

  const refs = {
    Project: builder.objectRef<Nodes["Project"]>("Project"),
    Trace: builder.objectRef<Nodes["Trace"]>("Trace"),
    Span: builder.objectRef<Nodes["Span"]>("Span"),
    ProjectSession: builder.objectRef<Nodes["ProjectSession"]>("ProjectSession"),
    User: builder.objectRef<Nodes["User"]>("User"),
    Secret: builder.objectRef<Nodes["Secret"]>("Secret"),
  };

  /** `<Name>Connection` with its `<Name>Edge`. */
  function connectionOf<Node>(name: string, ref: ReturnType<typeof builder.objectRef<Node>>) {
    const edge = builder.objectRef<Edge<Node>>(`${name}Edge`).implement({
      fields: (t) => ({
        cursor: t.exposeString("cursor"),
        node: t.field({ type: ref, resolve: (parent) => parent.node as never }),
      }),
    });
    return builder.objectRef<Connection<Node>>(`${name}Connection`).implement({
      fields: (t) => ({
        edges: t.field({ type: [edge], resolve: ({ edges }) => [...edges] }),
        pageInfo: t.field({ type: pageInfo, resolve: (parent) => parent.pageInfo }),
      }),
    });
  }

  return {
    builder,
    ...refs,
    SpanConnection: connectionOf("Span", refs.Span),
    TraceConnection: connectionOf("Trace", refs.Trace),
    ProjectConnection: connectionOf("Project", refs.Project),
    ProjectSessionConnection: connectionOf("ProjectSession", refs.ProjectSession),
    UserConnection: connectionOf("User", refs.User),
    SecretConnection: connectionOf("Secret", refs.Secret),
    QueryRoot,
    PageInfo: pageInfo,
    SpanKind: builder.enumType("SpanKind", {
      values: Object.fromEntries(spanKinds.map((kind) => [kind.toLowerCase(), { value: kind }])) as Record<
        Lowercase<SpanKind>,
        { value: SpanKind }
      >,
    }),
    node,
    finders,
    namedFinders,
    /** How a row is found for `node`. */
    addFinder(type: keyof Nodes, find: NodeFinder): void {
      finders.set(type, find);
    },
    TimeRange: builder.inputType("TimeRange", {
      description: "Start included, end excluded; either may be missing.",
      fields: (t) => ({ start: t.field({ type: "DateTime" }), end: t.field({ type: "DateTime" }) }),
    }),
    TimeBinConfig: timeBinConfig(builder),
    SortDir: builder.enumType("SortDir", { values: ["asc", "desc"] as const }),
    /** Arguments of a list that is paged by position. */
    pagingArguments() {
      return {
        first: builder.args((t) => ({ first: t.int({ defaultValue: DEFAULT_FIRST }) })).first,
        ...builder.args((t) => ({ last: t.int(), after: t.string(), before: t.string() })),
      };
    },
    /** Arguments of a bounded list, which only goes forward: the others exist and are refused. */
    boundedArguments() {
      return builder.args((t) => ({
        first: t.int({ required: true }),
        last: t.int(),
        after: t.string(),
        before: t.string(),
      }));
    },
  };
}
