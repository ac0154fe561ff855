// Models and their prices in GraphQL: the list, what calls of them cost, and what changes people's own.

import { TOKENS_OF_A_PRICE, type TokenPrice, UNITS_PER_USD } from "../../../costs/price-list.ts";
import { offsetConnection } from "../../../graphql/connection.ts";
import { costSummaryType } from "../../../graphql/cost-summary.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import { type GivenRange, rangeOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { costEntryType, summaryOf } from "../costs/cost-types.graphql.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { modelInterface, providerKeyType } from "./model-provider.graphql.ts";
import { providerKeyOf } from "./model-provider.rules.ts";
import { GENERATIVE_MODEL, type GenerativeModel, type GivenModel } from "./models.schema.ts";
import type { ModelsService } from "./models.service.ts";
import { addRecomputations } from "./recomputation/recomputation.graphql.ts";
import type { RecomputationService } from "./recomputation/recomputation.service.ts";

interface ModelTypesServices {
  readonly models: ModelsService;
  readonly recomputation: RecomputationService;
}

export function addModelTypes(types: GraphqlTypes, { models, recomputation }: ModelTypesServices): void {
  const TokenKind = tokenKindType(types);
  addModelNode(types, models, TokenKind);
  addModelCosts(types, models);
  addTopModels(types, models);
  types.builder.queryField("generativeModels", (t) =>
    t.field({
      type: types.connection(GENERATIVE_MODEL),
      description: "People's own before built-in ones, then by provider and name.",
      may: "models.read",
      args: types.pagingArguments(),
      resolve: async (_root, page, call, info) =>
        offsetConnection({ call, info }, await models.listModels(call.context), page),
    }),
  );
  addModelMutations(types, models, TokenKind);
  addRecomputations(types, recomputation);
}

type TokenKindRef = ReturnType<typeof tokenKindType>;
const tokenKindType = ({ builder }: GraphqlTypes) =>
  builder.enumType("TokenKind", { values: ["PROMPT", "COMPLETION"] as const });

/** USD for a token, and for a million of them. */
const perToken = (rate: number) => rate / UNITS_PER_USD;
const perMillion = (rate: number) => rate / (UNITS_PER_USD / TOKENS_OF_A_PRICE);

function addModelNode(types: GraphqlTypes, models: ModelsService, TokenKind: TokenKindRef): void {
  const { builder } = types;
  const Tier = builder.objectRef<NonNullable<TokenPrice["tiers"]>[number]>("TokenPriceTier").implement({
    fields: (t) => ({
      abovePromptTokens: t.exposeFloat("abovePromptTokens", {
        description: "All tokens of the kind cost the price of the highest tier that the prompt exceeds.",
      }),
      costPerMillionTokens: t.float({ resolve: ({ rate }) => perMillion(rate) }),
    }),
  });
  const Price = builder.objectRef<TokenPrice>("TokenPrice").implement({
    fields: (t) => ({
      tokenType: t.exposeString("tokenType"),
      kind: t.field({ type: TokenKind, resolve: ({ isPrompt }) => (isPrompt ? "PROMPT" : "COMPLETION") }),
      costPerMillionTokens: t.float({ resolve: ({ rate }) => perMillion(rate) }),
      costPerToken: t.float({ resolve: ({ rate }) => perToken(rate) }),
      tiers: t.field({ type: [Tier], resolve: ({ tiers }) => [...(tiers ?? [])] }),
    }),
  });
  const Kind = builder.enumType("GenerativeModelKind", { values: ["CUSTOM", "BUILT_IN"] as const });
  types.defineNode(GENERATIVE_MODEL, {
    interfaces: [modelInterface(types)],
    find: (call, id) => call.load(models.findModels, id, null),
    fields: (t) => ({
      name: t.string({ resolve: ({ priced }) => priced.name }),
      providerKey: t.field({
        type: providerKeyType(types),
        nullable: true,
        resolve: ({ priced }) => providerKeyOf(priced.provider),
      }),
      provider: t.string({ nullable: true, resolve: ({ priced }) => priced.provider }),
      namePattern: t.string({ resolve: ({ priced }) => priced.namePattern }),
      kind: t.field({ type: Kind, resolve: ({ priced }) => (priced.isBuiltIn ? "BUILT_IN" : "CUSTOM") }),
      createdAt: t.field({
        type: "DateTime",
        description: "Of a built-in model the start of its prices.",
        resolve: ({ createdUs, priced }) => createdUs ?? priced.startUs ?? 0,
      }),
      updatedAt: t.field({
        type: "DateTime",
        resolve: ({ updatedUs, priced }) => updatedUs ?? priced.startUs ?? 0,
      }),
      startTime: t.field({
        type: "DateTime",
        nullable: true,
        description: "The prices apply to spans that start from then on; null for always.",
        resolve: ({ priced }) => priced.startUs,
      }),
      priceSource: t.string({
        nullable: true,
        description: "Where the prices are from, usually the page of the provider; null for what people have entered.",
        resolve: ({ priced }) => priced.source ?? null,
      }),
      tokenPrices: t.field({ type: [Price], resolve: ({ priced }) => [...priced.prices] }),
      lastUsedAt: t.field({
        type: "DateTime",
        nullable: true,
        description: "Start of the latest call that its prices were used for.",
        resolve: async ({ priced }, _given, call) => (await call.load(models.lastUses, priced.id, null)) ?? null,
      }),
    }),
  });
}

interface GivenScope {
  readonly projectId?: string | null | undefined;
  readonly timeRange?: GivenRange;
}

function addModelCosts(types: GraphqlTypes, models: ModelsService): void {
  const { builder, ref, TimeRange } = types;
  const used = {
    projectId: builder.args((t) => ({ projectId: t.id() })).projectId,
    timeRange: builder.args((t) => ({ timeRange: t.field({ type: TimeRange }) })).timeRange,
  };
  const scopeOf = ({ projectId, timeRange }: GivenScope) => ({
    ...rangeOf(timeRange),
    projectId: projectId === null || projectId === undefined ? null : requireRowId(PROJECT, projectId),
  });
  builder.objectFields(ref(GENERATIVE_MODEL), (t) => ({
    costSummary: t.field({
      type: costSummaryType(types),
      description: "Of the calls that its prices were used for, each once.",
      args: used,
      resolve: async ({ priced }, given, call) =>
        summaryOf(await call.load(models.costSums, priced.id, scopeOf(given))),
    }),
    costDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      args: used,
      resolve: async ({ priced }, given, call) =>
        (await call.load(models.costEntries, priced.id, scopeOf(given))) ?? [],
    }),
  }));
}

/** Lists of a project are short: the models that were called in it. */
function addTopModels({ builder, ref, TimeRange }: GraphqlTypes, models: ModelsService): void {
  builder.objectFields(ref(PROJECT), (t) => {
    const top = (by: "cost" | "tokens", description: string) =>
      t.field({
        type: [ref(GENERATIVE_MODEL)],
        description,
        args: { timeRange: t.arg({ type: TimeRange, required: true }) },
        resolve: async ({ id: projectId }, { timeRange }, call) => {
          const found = await models.listTopModels(call.context, { ...rangeOf(timeRange), projectId }, by);
          return found;
        },
      });
    return {
      topModelsByCost: top("cost", "Whose prices were used for calls of the period, by what these cost."),
      topModelsByTokenCount: top("tokens", "Whose prices were used for calls of the period, by their tokens."),
    };
  });
}

function modelInputs(types: GraphqlTypes, TokenKind: TokenKindRef) {
  const { builder } = types;
  const TierInput = builder.inputType("TokenPriceTierInput", {
    fields: (t) => ({
      abovePromptTokens: t.float({ required: true }),
      costPerMillionTokens: t.float({ required: true }),
    }),
  });
  const PriceInput = builder.inputType("TokenPriceInput", {
    fields: (t) => ({
      tokenType: t.string({ required: true }),
      costPerMillionTokens: t.float({ required: true, description: "USD, with six decimals at most." }),
      kind: t.field({ type: TokenKind, required: true }),
      tiers: t.field({ type: [TierInput], description: "Prices of longer prompts." }),
    }),
  });
  const CreateInput = builder.inputType("CreateModelMutationInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      provider: t.string(),
      namePattern: t.string({ required: true }),
      costs: t.field({ type: [PriceInput], required: true }),
      startTime: t.field({ type: "DateTime" }),
    }),
  });
  const UpdateInput = builder.inputType("UpdateModelMutationInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string({ required: true }),
      provider: t.string(),
      namePattern: t.string({ required: true }),
      costs: t.field({ type: [PriceInput], required: true }),
      startTime: t.field({ type: "DateTime" }),
    }),
  });
  const DeleteInput = builder.inputType("DeleteModelMutationInput", {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  return { CreateInput, UpdateInput, DeleteInput };
}

type GivenInput = ReturnType<typeof modelInputs>["CreateInput"]["$inferInput"];

function givenOf({ name, provider, namePattern, costs, startTime }: GivenInput): GivenModel {
  const prices = costs.map(({ tokenType, costPerMillionTokens, kind, tiers }) => ({
    tokenType,
    isPrompt: kind === "PROMPT",
    perMillion: costPerMillionTokens,
    tiers: (tiers ?? []).map((tier) => ({
      abovePromptTokens: tier.abovePromptTokens,
      perMillion: tier.costPerMillionTokens,
    })),
  }));
  return { name, provider: provider ?? null, namePattern, startUs: startTime ?? null, prices };
}

function addModelMutations(types: GraphqlTypes, models: ModelsService, TokenKind: TokenKindRef): void {
  const { builder } = types;
  const { CreateInput, UpdateInput, DeleteInput } = modelInputs(types, TokenKind);
  const changed = (name: string) =>
    types.payload<{ readonly model: GenerativeModel }>(name, (t) => ({
      model: t.field({ type: types.ref(GENERATIVE_MODEL), resolve: ({ model }) => model }),
    }));
  const Created = changed("CreateModelMutationPayload");
  const Updated = changed("UpdateModelMutationPayload");
  const Deleted = changed("DeleteModelMutationPayload");
  builder.mutationFields((t) => ({
    createModel: t.field({
      type: Created,
      description: "Calls that are received from now on cost its prices, at every server.",
      may: "models.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({ model: await models.createModel(call.context, givenOf(input)) }),
    }),
    updateModel: t.field({
      type: Updated,
      description: "Replaces everything.",
      may: "models.change",
      adds: true,
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        model: await models.updateModel(call.context, requireRowId(GENERATIVE_MODEL, input.id), givenOf(input)),
      }),
    }),
    deleteModel: t.field({
      type: Deleted,
      description: "Costs that were computed with it stay.",
      may: "models.change",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        model: await models.deleteModel(call.context, requireRowId(GENERATIVE_MODEL, input.id)),
      }),
    }),
  }));
}
