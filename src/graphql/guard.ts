// The guard of the schema, a plugin of its builder: each field of Query, Mutation and Subscription declares its action of the policy. One without
// does not compile, and stops the start should it have come past the compiler.
import SchemaBuilder, {
  BasePlugin,
  type BuildCache,
  type FieldNullability,
  type InputFieldMap,
  type InputShapeFromFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from "@pothos/core";
import type { GraphQLFieldResolver } from "graphql";
import { type Action, requireAllowed } from "../access/policy.ts";
import { requireUnlockedStorage } from "../api/storage-lock.ts";
import { fail } from "../kernel/failure.ts";
import type { GraphqlCall } from "./call.ts";

const PLUGIN = "guard";

/** What the service allows at present. */
export interface GraphqlGuards {
  readonly readOnly: boolean;
  readonly isStorageLocked: () => boolean;
  readonly supportEmail: string | null;
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [PLUGIN]: GuardPlugin<Types>;
    }

    interface SchemaBuilderOptions<Types extends SchemaTypes> {
      guards: GraphqlGuards;
    }

    interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Asked of the policy before the field is resolved, wherever the Query is reached from. */
      may: Action;
    }

    interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Asked of the policy before the field is resolved. */
      may: Action;
      /** True for what adds data, which the storage lock refuses. */
      adds: boolean;
      /** Throws for an input that is refused to every caller: asked before the rights are. */
      requireInput?: (given: InputShapeFromFields<Args>) => void;
    }

    interface SubscriptionFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Asked of the policy before the source is opened. */
      may: Action;
      /** True for what adds data, which the storage lock refuses. */
      adds: boolean;
      /** Throws for an input that is refused to every caller: asked before the rights are. */
      requireInput?: (given: InputShapeFromFields<Args>) => void;
    }
  }
}

interface Declared {
  readonly may?: Action;
  readonly adds?: boolean;
  readonly requireInput?: (given: object) => void;
}

type Resolve = GraphQLFieldResolver<unknown, GraphqlCall, object>;

class GuardPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  readonly #guards: GraphqlGuards;

  constructor(cache: BuildCache<Types>, name: typeof PLUGIN) {
    super(cache, name);
    this.#guards = cache.builder.options.guards;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    { kind, name, pothosOptions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (kind !== "Query" && kind !== "Mutation") return resolve;
    const guard = requireDeclared(pothosOptions as Declared, `${kind}.${name}`);
    // The builder of this service has one kind of call.
    const inner = resolve as Resolve;
    const outer = kind === "Query" ? guardedQuery(inner, guard) : guardedMutation(inner, guard, this.#guards);
    return outer as typeof resolve;
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types["Context"], object> | undefined,
    { kind, name, pothosOptions }: PothosOutputFieldConfig<Types>,
  ): typeof subscribe {
    if (kind !== "Subscription" || subscribe === undefined) return subscribe;
    const guard = requireDeclared(pothosOptions as Declared, `${kind}.${name}`);
    return guardedChange(subscribe as Resolve, guard, this.#guards) as typeof subscribe;
  }
}

type Guard = Declared & { readonly may: Action };

function requireDeclared(declared: Declared, field: string): Guard {
  const { may } = declared;
  if (may === undefined) {
    throw fail("graphql.unguarded", "internal", `The field ${field} declares no action of the policy`);
  }
  return { ...declared, may };
}

function guardedQuery(resolve: Resolve, { may }: Guard): Resolve {
  return (parent, given, call, info) => {
    requireAllowed(call.context.principal, may);
    return resolve(parent, given, call, info);
  };
}

/** What changes something, and what costs money: refused by the mode of the server, the input, the rights, the storage lock. */
function guardedChange(resolve: Resolve, guard: Guard, guards: GraphqlGuards): Resolve {
  return async (parent, given, call, info) => {
    if (guards.readOnly) throw fail("graphql.read_only", "forbidden", "Application is read-only");
    guard.requireInput?.(given);
    requireAllowed(call.context.principal, guard.may);
    requireUnlockedStorage(guard.adds === true, guards.isStorageLocked(), guards.supportEmail);
    return resolve(parent, given, call, info);
  };
}

function guardedMutation(resolve: Resolve, guard: Guard, guards: GraphqlGuards): Resolve {
  const change = guardedChange(resolve, guard, guards);
  return async (parent, given, call, info) => {
    try {
      return await change(parent, given, call, info);
    } finally {
      // Also one that failed may have changed something.
      call.forgetLoaded();
    }
  };
}

// The builder keeps its plugins by name, for every schema of the process.
SchemaBuilder.registerPlugin(PLUGIN, GuardPlugin);
