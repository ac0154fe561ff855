// The schema: the parts of the modules put together, and the guards that stand before every mutation and query.
import { defaultFieldResolver, GraphQLObjectType, type GraphQLSchema } from "graphql";
import { requireUnlockedStorage } from "../http/guard.ts";
import { fail } from "../kernel/failure.ts";
import { type ApiKeyTypesServices, addApiKeyTypes } from "../modules/api-keys/api-keys.graphql.ts";
import { requireAllowed } from "../modules/auth/policy.ts";
import { addProjectTypes, type ProjectTypesServices } from "../modules/projects/projects.graphql.ts";
import { addSecretTypes, type SecretTypesServices } from "../modules/secrets/secrets.graphql.ts";
import { addSessionTypes, type SessionTypesServices } from "../modules/sessions/sessions.graphql.ts";
import { addSpanTypes, type SpanTypesServices } from "../modules/spans/spans.graphql.ts";
import { addVocabularyTypes, type VocabularyTypesServices } from "../modules/spans/vocabulary/vocabulary.graphql.ts";
import { addTraceTypes, type TraceTypesServices } from "../modules/traces/traces.graphql.ts";
import { addUserTypes, type UserTypesServices } from "../modules/users/users.graphql.ts";
import { addConditionChecks } from "./conditions.ts";
import { addNodeField } from "./node.ts";
import { explainSlowFields } from "./slow-fields.ts";
import type { GraphqlCall } from "./types/call.ts";
import { allowLargeCounts } from "./types/scalars.ts";
import { createTypes, type MutationGuard, type QueryGuard } from "./types/types.ts";

export interface GraphqlServices
  extends ProjectTypesServices,
    TraceTypesServices,
    SpanTypesServices,
    VocabularyTypesServices,
    SessionTypesServices,
    SecretTypesServices,
    UserTypesServices,
    ApiKeyTypesServices {}

export interface GraphqlGuards {
  readonly readOnly: boolean;
  readonly isStorageLocked: () => boolean;
  readonly supportEmail: string | null;
}

export function createSchema(services: GraphqlServices, guards: GraphqlGuards): GraphQLSchema {
  allowLargeCounts();
  const types = createTypes();
  addProjectTypes(types, services);
  addTraceTypes(types, services);
  addSpanTypes(types, services);
  addVocabularyTypes(types, services);
  addSessionTypes(types, services);
  addSecretTypes(types, services);
  addUserTypes(types, services);
  addApiKeyTypes(types, services);
  addConditionChecks(types);
  addNodeField(types);
  const schema = types.builder.toSchema();
  guardMutations(schema, guards);
  explainSlowFields(schema);
  guardQueries(schema);
  return schema;
}

/** Asks the policy before each field of Query, wherever the Query is reached from: a mutation answers with one, too. What a field
 *  does not declare is open to every known caller who needs no new password. */
function guardQueries(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { action = "graphql.query" } = (field.extensions.guard as QueryGuard | undefined) ?? {};
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (parent, given, call: GraphqlCall, info) => {
      requireAllowed(call.context.principal, action);
      return resolve(parent, given, call, info);
    };
  }
}

/** Puts the guard that each mutation declares before its resolver; one without a declaration stops the start. */
function guardMutations(schema: GraphQLSchema, { readOnly, isStorageLocked, supportEmail }: GraphqlGuards): void {
  const mutations = schema.getMutationType();
  if (!(mutations instanceof GraphQLObjectType)) return;
  for (const field of Object.values(mutations.getFields())) {
    const guard = field.extensions.guard as MutationGuard | undefined;
    const { resolve } = field;
    if (guard === undefined || resolve === undefined) {
      throw fail("graphql.unguarded", "internal", `The mutation ${field.name} declares no guard`);
    }
    field.resolve = (parent, given, call: GraphqlCall, info) => {
      if (readOnly) throw fail("graphql.read_only", "forbidden", "Application is read-only");
      guard.requireInput?.(given as never);
      requireAllowed(call.context.principal, guard.action);
      requireUnlockedStorage(guard, isStorageLocked(), supportEmail);
      return resolve(parent, given, call, info);
    };
  }
}
