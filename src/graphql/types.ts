// The schema under construction: its builder, the types that modules share by name, and what all lists take. A module defines its
// own nodes, and adds fields to those of others by their type word.
import type { FieldMap } from "@pothos/core";
import { globalId, namedId, type TypeWord } from "../kernel/ids.ts";
import { type Builder, type BuilderTypes, createBuilder } from "./builder.ts";
import { type GraphqlCall, goneMeanwhile } from "./call.ts";
import { type Connection, DEFAULT_FIRST, type Edge, type PageInfo } from "./connection.ts";
import type { GraphqlGuards } from "./guard.ts";
import { dateTimeScalar, identifierScalar, jsonScalar } from "./scalars.ts";
import { timeBinConfig } from "./statistics.ts";

/** A row behind a global id: most are numbered, some are known by their name. */
type NumberedRow = { readonly id: number };
type NamedRow = { readonly name: string };

/** Finds a row for `node`; null when there is none. */
type Find<Key, Row> = (call: GraphqlCall, key: Key) => Promise<Row | null>;

/** What the fields of a type are made with. */
export type ObjectFields<Row> = PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Row>;
type Fields<Row> = (t: ObjectFields<Row>) => FieldMap;

/** What the fields of an input are made with. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, "InputObject">;

interface NodeDefinition<Key, Row> {
  readonly find: Find<Key, Row>;
  readonly fields: Fields<Row>;
  /** Beside `Node`. */
  readonly interfaces?: readonly unknown[];
}

const fieldsOf = <Row>(fields: Fields<Row>, builtWith: unknown) => fields(builtWith as Parameters<Fields<Row>>[0]);

const emptyRef = <Row>(builder: Builder, name: string) => builder.objectRef<Row>(name);

export type GraphqlTypes = ReturnType<typeof createTypes>;
/** What a module adds to the schema. */
export type GraphqlPart = (types: GraphqlTypes) => void;

export function createTypes(guards: GraphqlGuards) {
  const builder = createBuilder(guards);
  builder.scalarType("DateTime", dateTimeScalar);
  builder.scalarType("Identifier", identifierScalar);
  builder.scalarType("JSON", jsonScalar);
  /** Also what mutations without a result of their own answer. */
  const QueryRoot = builder.queryType({});
  builder.mutationType({});

  const node = builder.interfaceRef<object>("Node").implement({
    // Every type has a resolver of its own.
    fields: (t) => ({ id: t.id({ resolve: () => "" }) }),
  });
  const pageInfo = builder.objectRef<PageInfo>("PageInfo").implement({
    fields: (t) => ({
      hasNextPage: t.exposeBoolean("hasNextPage"),
      hasPreviousPage: t.exposeBoolean("hasPreviousPage"),
      startCursor: t.exposeString("startCursor", { nullable: true }),
      endCursor: t.exposeString("endCursor", { nullable: true }),
    }),
  });
  const finders = new Map<string, Find<number, NumberedRow>>();
  const namedFinders = new Map<string, Find<string, object>>();
  const shared = new Map<string, unknown>();

  /** What several modules use, made by the first that asks. */
  function once<Made>(name: string, make: () => Made): Made {
    if (!shared.has(name)) shared.set(name, make());
    return shared.get(name) as Made;
  }

  /** The type of a node, of this or another module. */
  const ref = <Row>(type: TypeWord<Row>) => once(type, () => emptyRef<Row>(builder, type));

  /** `<Name>Connection` with its `<Name>Edge`. */
  const connection = <Row>(type: TypeWord<Row>) =>
    once(`${type}Connection`, () => {
      const edge = builder.objectRef<Edge<Row>>(`${type}Edge`).implement({
        fields: (t) => ({
          cursor: t.exposeString("cursor"),
          node: t.field({ type: ref(type), resolve: (parent) => parent.node as never }),
        }),
      });
      return builder.objectRef<Connection<Row>>(`${type}Connection`).implement({
        fields: (t) => ({
          edges: t.field({ type: [edge], resolve: ({ edges }) => [...edges] }),
          pageInfo: t.field({ type: pageInfo, resolve: (parent) => parent.pageInfo }),
        }),
      });
    });

  function implement<Row>(
    type: TypeWord<Row>,
    { fields, interfaces = [] }: Pick<NodeDefinition<unknown, Row>, "fields" | "interfaces">,
    idOf: (row: Row) => string,
  ): void {
    ref(type).implement({
      interfaces: [node, ...interfaces] as never,
      fields: (t) => ({ id: t.id({ resolve: (row: Row) => idOf(row) }), ...fieldsOf(fields, t) }),
    });
  }

  /** Defines a type whose global ids hold a row id: its `id`, its other fields, and how `node` finds a row. */
  function defineNode<Row extends NumberedRow>(type: TypeWord<Row>, definition: NodeDefinition<number, Row>): void {
    finders.set(type, definition.find);
    implement(type, definition, ({ id }) => globalId(type, id));
  }

  /** Defines a type whose global ids hold a name. */
  function defineNamedNode<Row extends NamedRow>(type: TypeWord<Row>, definition: NodeDefinition<string, Row>): void {
    namedFinders.set(type, definition.find);
    implement(type, definition, ({ name }) => namedId(type, name));
  }

  /** What a mutation answers: its own fields, and the Query to go on with. */
  function payload<Shape>(name: string, fields: Fields<Shape>) {
    return builder.objectRef<Shape>(name).implement({
      fields: (t) => ({ ...fieldsOf(fields, t), query: t.field({ type: QueryRoot, resolve: () => ({}) }) }),
    });
  }

  return {
    builder,
    ref,
    connection,
    defineNode,
    defineNamedNode,
    payload,
    once,
    QueryRoot,
    PageInfo: pageInfo,
    node,
    finders,
    namedFinders,
    TimeRange: builder.inputType("TimeRange", {
      description: "Start included, end excluded; either may be missing.",
      fields: (t) => ({ start: t.field({ type: "DateTime" }), end: t.field({ type: "DateTime" }) }),
    }),
    TimeBinConfig: timeBinConfig(builder),
    SortDir: builder.enumType("SortDir", { values: ["asc", "desc"] as const }),
    /** Arguments of a list that is paged by position. */
    pagingArguments(first = DEFAULT_FIRST) {
      return {
        first: builder.args((t) => ({ first: t.int({ defaultValue: first }) })).first,
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

/** Adds a field to the Subscription, which exists once there is one. */
export function addSubscription(
  { builder, once }: GraphqlTypes,
  ...field: Parameters<Builder["subscriptionField"]>
): void {
  once("Subscription", () => builder.subscriptionType({}));
  builder.subscriptionField(...field);
}

/** A node of any module; null when it is not stored. */
export async function findNode<Row extends NumberedRow>(
  { finders }: GraphqlTypes,
  call: GraphqlCall,
  type: TypeWord<Row>,
  id: number,
): Promise<Row | null> {
  return (await finders.get(type)!(call, id)) as Row | null;
}

/** A node of any module that a row points to. Throws kind `not_found` when it was deleted meanwhile. */
export async function getNode<Row extends NumberedRow>(
  types: GraphqlTypes,
  call: GraphqlCall,
  type: TypeWord<Row>,
  id: number,
): Promise<Row> {
  const found = await findNode(types, call, type, id);
  if (found === null) throw goneMeanwhile(id);
  return found;
}
