// Budgets and spending in GraphQL.
import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import { pageConnection, readStart, requireBounded } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { unitsOfUsd } from "./budget-bodies.schema.ts";
import { budgetTargetId, ownerId } from "./budget-target.rules.ts";
import type { BudgetsService } from "./budgets.service.ts";
import {
  BUDGET,
  type BudgetLeft,
  type BudgetRemainder,
  type BudgetScope,
  type BudgetUse,
  budgetPeriods,
  budgetScopes,
  type CallPurpose,
  callPurposes,
  type ShownBudget,
  type SpendingRow,
} from "./spending.schema.ts";

interface SpendingServices {
  readonly budgets: BudgetsService;
  readonly users: Pick<UsersService, "findUsers">;
  readonly projects: Pick<ProjectsService, "findProjects">;
}

/** Names the order in cursors. */
const ORDER = "arrivalDesc";
const usd = (units: bigint) => Number(units) / UNITS_PER_USD;

const upper = <Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word.toUpperCase(), { value: word }])) as Record<string, { value: Word }>;

export function addSpendingTypes(types: GraphqlTypes, services: SpendingServices): void {
  addBudgets(types, services);
  addSpending(types, services);
}

function addBudgets(types: GraphqlTypes, { budgets, users, projects }: SpendingServices): void {
  const { builder } = types;
  const Scope = builder.enumType("BudgetScope", {
    description: "Whose calls of models count together.",
    values: upper(budgetScopes),
  });
  const Period = budgetPeriod(types);
  const Use = builder.objectRef<BudgetUse>("BudgetUse").implement({
    description: "What was spent in the period that runs, and what calls that run may still spend.",
    fields: (t) => ({
      cost: t.float({ description: "USD.", resolve: ({ cost }) => usd(cost) }),
      tokens: t.float({ resolve: ({ tokens }) => Number(tokens) }),
      reservedCost: t.float({ description: "USD.", resolve: ({ reservedCost }) => usd(reservedCost) }),
      reservedTokens: t.float({ resolve: ({ reservedTokens }) => Number(reservedTokens) }),
    }),
  });
  const targetOf = ({ scope, targetId }: ShownBudget, wanted: BudgetScope) => (scope === wanted ? targetId : null);
  const Budget = builder.objectRef<ShownBudget>("Budget").implement({
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => globalId(BUDGET, id) }),
      scope: t.field({ type: Scope, resolve: ({ scope }) => scope }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Null: each account.",
        resolve: (budget, _given, call) => {
          const id = targetOf(budget, "user");
          return id === null ? null : call.load(users.findUsers, id, null);
        },
      }),
      apiKeyId: t.id({
        nullable: true,
        description: "Null: each key.",
        resolve: async (budget, _given, call) => {
          const id = targetOf(budget, "api_key");
          if (id === null) return null;
          const isSystemKey = await call.load(budgets.findSystemKeys, id, null);
          return ownerId("api_key", id, { has: () => isSystemKey === true });
        },
      }),
      project: t.field({
        type: types.ref(PROJECT),
        nullable: true,
        description: "Null: each project.",
        resolve: (budget, _given, call) => {
          const id = targetOf(budget, "project");
          return id === null ? null : call.load(projects.findProjects, id, null);
        },
      }),
      period: t.field({ type: Period, resolve: ({ period }) => period }),
      maxCost: t.float({
        nullable: true,
        description: "USD.",
        resolve: ({ maxCost }) => (maxCost === null ? null : usd(maxCost)),
      }),
      maxTokens: t.float({ nullable: true, resolve: ({ maxTokens }) => maxTokens }),
      use: t.field({ type: Use, nullable: true, resolve: ({ use }) => use }),
      startsAt: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endsAt: t.field({ type: "DateTime", resolve: ({ endUs }) => endUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
    }),
  });
  builder.queryField("budgets", (t) =>
    t.field({
      type: [Budget],
      description: "Administrators see all; everybody else those that apply to them, with what they have used.",
      may: "budgets.read",
      resolve: (_root, _given, call) => call.readOnce(budgets.listBudgets),
    }),
  );
  addBudgetLeft(types, budgets, Period);
  const Input = builder.inputType("SetBudgetInput", {
    description: "Of the ids at most that of the scope; without it the budget is that of each.",
    fields: (t) => ({
      scope: t.field({ type: Scope, required: true }),
      userId: t.id(),
      apiKeyId: t.id(),
      projectId: t.id(),
      period: t.field({ type: Period, required: true }),
      maxCost: t.float({ description: "USD." }),
      maxTokens: t.float(),
    }),
  });
  const SetPayload = types.payload<ShownBudget>("SetBudgetPayload", (t) => ({
    budget: t.field({ type: Budget, resolve: (budget) => budget }),
  }));
  const DeletePayload = types.payload<object>("DeleteBudgetPayload", () => ({}));
  builder.mutationFields((t) => ({
    setBudget: t.field({
      type: SetPayload,
      description: "In the place of the one for the same target and period.",
      may: "budgets.change",
      adds: false,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_root, { input }, call) => {
        const { scope, period, maxCost, maxTokens } = input;
        const limits = { maxCost: maxCost == null ? null : unitsOfUsd(maxCost), maxTokens: maxTokens ?? null };
        const targetId = budgetTargetId(scope, {
          user: { member: "userId", id: input.userId },
          api_key: { member: "apiKeyId", id: input.apiKeyId },
          project: { member: "projectId", id: input.projectId },
        });
        return budgets.setBudget(call.context, { scope, period, targetId }, limits);
      },
    }),
    deleteBudget: t.field({
      type: DeletePayload,
      may: "budgets.change",
      adds: false,
      args: { budgetId: t.arg.id({ required: true }) },
      resolve: async (_root, { budgetId }, call) => {
        await budgets.deleteBudget(call.context, requireRowId(BUDGET, budgetId));
        return {};
      },
    }),
  }));
}

function budgetPeriod({ builder }: GraphqlTypes) {
  return builder.enumType("BudgetPeriod", { description: "Of UTC.", values: upper(budgetPeriods) });
}

function addBudgetLeft(
  { builder }: GraphqlTypes,
  budgets: BudgetsService,
  Period: ReturnType<typeof budgetPeriod>,
): void {
  const Remainder = builder
    .objectRef<Omit<BudgetRemainder, "left"> & { readonly left: number }>("BudgetRemainder")
    .implement({
      description: "Of the budget that leaves the least.",
      fields: (t) => ({
        left: t.exposeFloat("left"),
        period: t.field({ type: Period, resolve: ({ period }) => period }),
        endsAt: t.field({ type: "DateTime", description: "Then it begins again.", resolve: ({ endUs }) => endUs }),
      }),
    });
  const Left = builder.objectRef<BudgetLeft>("BudgetLeft").implement({
    description: "What calls of models may still take; null for what no budget limits.",
    fields: (t) => ({
      cost: t.field({
        type: Remainder,
        nullable: true,
        description: "USD.",
        resolve: ({ cost }) => cost && { ...cost, left: usd(cost.left) },
      }),
      tokens: t.field({
        type: Remainder,
        nullable: true,
        resolve: ({ tokens }) => tokens && { ...tokens, left: Number(tokens.left) },
      }),
    }),
  });
  builder.queryField("budgetLeft", (t) =>
    t.field({
      type: Left,
      description:
        "Of the caller, by the budgets of the server, the account and the API key; not by those of projects.",
      may: "budgets.read",
      resolve: (_root, _given, call) => call.readOnce(budgets.findLeft),
    }),
  );
}

function addSpending(types: GraphqlTypes, { budgets, users, projects }: SpendingServices): void {
  const { builder } = types;
  const Purpose = builder.enumType("CallPurpose", { values: upper<CallPurpose>(callPurposes) });
  const Row = builder.objectRef<SpendingRow>("Spending").implement({
    description: "The calls of a day, together for an account, key, project, purpose and model.",
    fields: (t) => ({
      day: t.field({ type: "DateTime", description: "Its beginning, UTC.", resolve: ({ dayUs }) => dayUs }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      project: t.field({
        type: types.ref(PROJECT),
        nullable: true,
        resolve: ({ projectId }, _given, call) =>
          projectId === null ? null : call.load(projects.findProjects, projectId, null),
      }),
      purpose: t.field({ type: Purpose, resolve: ({ purpose }) => purpose }),
      provider: t.exposeString("provider"),
      model: t.exposeString("model"),
      calls: t.exposeInt("calls"),
      failedCalls: t.exposeInt("failedCalls"),
      promptTokens: t.float({ resolve: ({ promptTokens }) => promptTokens }),
      completionTokens: t.float({ resolve: ({ completionTokens }) => completionTokens }),
      cost: t.float({ description: "USD.", resolve: ({ cost }) => usd(cost) }),
      unpricedCalls: t.exposeInt("unpricedCalls"),
      estimatedCalls: t.exposeInt("estimatedCalls"),
      lostCalls: t.exposeInt("lostCalls"),
    }),
  });
  const Edge = builder.objectRef<{ readonly cursor: string; readonly node: SpendingRow }>("SpendingEdge").implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      node: t.field({ type: Row, resolve: ({ node }) => node }),
    }),
  });
  const Connection = builder.objectRef<ReturnType<typeof pageConnection<SpendingRow>>>("SpendingConnection").implement({
    fields: (t) => ({
      edges: t.field({ type: [Edge], resolve: ({ edges }) => [...edges] }),
      pageInfo: t.field({ type: types.PageInfo, resolve: ({ pageInfo }) => pageInfo }),
    }),
  });
  builder.queryField("spending", (t) =>
    t.field({
      type: Connection,
      description: "Who spent what; what was begun last first.",
      may: "spending.list",
      args: { ...types.boundedArguments(), timeRange: t.arg({ type: types.TimeRange }) },
      resolve: async (_root, { timeRange, ...page }, call, info) => {
        const range = { startUs: timeRange?.start ?? null, endUs: timeRange?.end ?? null };
        const request = { start: readStart(ORDER, page.after), limit: requireBounded(page) };
        return pageConnection({ call, info }, await budgets.listSpendingFrom(call.context, range, request), ORDER);
      },
    }),
  );
}
