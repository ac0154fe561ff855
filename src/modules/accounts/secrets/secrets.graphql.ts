// Secrets in GraphQL: names for all readers, masks for administrators; values are never returned.
import { requireAllowed } from "../../../access/policy.ts";
import { BY_NAME, listConnection } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { fail } from "../../../kernel/failure.ts";
import { namedId } from "../../../kernel/ids.ts";
import { changeProblem } from "./secret-change.rules.ts";
import { redactedScalar, secretScalar } from "./secret-scalars.graphql.ts";
import { SECRET, type Secret, type SecretMask } from "./secrets.schema.ts";
import type { SecretsService } from "./secrets.service.ts";

interface Resolved {
  readonly mask: SecretMask;
}

export function addSecretTypes(types: GraphqlTypes, secrets: SecretsService): void {
  const { builder } = types;
  builder.scalarType("RedactedString", redactedScalar);
  builder.scalarType("SecretString", secretScalar);
  const DecryptedSecret = builder.objectRef<Resolved>("DecryptedSecret").implement({
    fields: (t) => ({ value: t.field({ type: "RedactedString", resolve: ({ mask }) => mask ?? "" }) }),
  });
  const UnparsableSecret = builder.objectRef<Resolved>("UnparsableSecret").implement({
    fields: (t) => ({
      parseError: t.string({ resolve: () => "The value was encrypted with another SERVICE_SECRET: store it again" }),
    }),
  });
  const ResolvedSecret = builder.unionType("ResolvedSecret", {
    types: [DecryptedSecret, UnparsableSecret],
    resolveType: ({ mask }) => (mask === null ? UnparsableSecret : DecryptedSecret),
  });
  types.defineNamedNode(SECRET, {
    find: (call, name) => call.load(secrets.findSecrets, name, null),
    fields: (t) => ({
      key: t.exposeString("name"),
      value: t.field({
        type: ResolvedSecret,
        description: "A mask, for administrators.",
        resolve: async ({ name }, _given, call) => {
          requireAllowed(call.context.principal, "secrets.reveal");
          return call.loadExisting(secrets.maskSecrets, name);
        },
      }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
    }),
  });

  builder.queryField("secrets", (t) =>
    t.field({
      type: types.connection(SECRET),
      may: "secrets.list",
      args: { keys: t.arg.stringList(), ...types.pagingArguments() },
      resolve: (_root, { keys, ...page }, call, info) => {
        const names = keys?.map((key) => key.trim()).filter((key) => key !== "") ?? null;
        return listConnection({ call, info }, page, BY_NAME, (request) =>
          secrets.listSecrets(call.context, names, request),
        );
      },
    }),
  );
  addSecretMutation(types, secrets);
}

interface Changed {
  readonly upserted: readonly Secret[];
  readonly deleted: readonly string[];
}

function addSecretMutation(types: GraphqlTypes, secrets: SecretsService): void {
  const { builder } = types;
  const SecretKeyValueInput = builder.inputType("SecretKeyValueInput", {
    fields: (t) => ({
      key: t.string({ required: true }),
      value: t.string({ description: "Null deletes." }),
    }),
  });
  const ChangesInput = builder.inputType("UpsertOrDeleteSecretsMutationInput", {
    fields: (t) => ({ secrets: t.field({ type: [SecretKeyValueInput], required: true }) }),
  });
  const Payload = types.payload<Changed>("UpsertOrDeleteSecretsMutationPayload", (t) => ({
    upsertedSecrets: t.field({ type: [types.ref(SECRET)], resolve: ({ upserted }) => [...upserted] }),
    deletedIds: t.idList({ resolve: ({ deleted }) => deleted.map((name) => namedId(SECRET, name)) }),
  }));

  builder.mutationField("upsertOrDeleteSecrets", (t) =>
    t.field({
      type: Payload,
      description: "All or nothing. Of entries with the same key the last one counts.",
      may: "secrets.change",
      adds: true,
      requireInput,
      args: { input: t.arg({ type: ChangesInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { upserted, deleted } = await secrets.changeSecrets(call.context, changesOf(input));
        const found = await secrets.findSecrets(call.context, upserted);
        return { upserted: upserted.flatMap((name) => found.get(name) ?? []), deleted };
      },
    }),
  );
}

interface Input {
  readonly secrets: readonly { readonly key: string; readonly value?: string | null | undefined }[];
}

function changesOf({ secrets }: Input) {
  return secrets.map(({ key, value }) => ({ key, value: value ?? null }));
}

function requireInput({ input }: { readonly input: Input }): void {
  if (input.secrets.length === 0) throw refused("At least one secret is required");
  for (const change of changesOf(input)) {
    const problem = changeProblem(change);
    if (problem !== null) throw refused(problem);
  }
}

function refused(problem: string) {
  return fail("secrets.invalid", "invalid", problem);
}
