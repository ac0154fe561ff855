// What calls of models may cost, and who spent what.
import type { ActionRows } from "../../../access/policy.ts";
import { owned } from "../../../storage/owned-tables.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { modelsFeature } from "../../tracing/models/models.feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { createBudgetTargetsStore } from "./budget-targets.store.ts";
import { createBudgetsService } from "./budgets.service.ts";
import { createBudgetsStore } from "./budgets.store.ts";
import { createLedgerService, RENEWAL_MILLISECONDS } from "./ledger.service.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { spendingRoutes } from "./spending.routes.ts";

const actions = {
  /** Everybody sees those that apply to themselves; administrators see all. */
  budgets: { read: "read", change: "administer" },
  spending: { list: "oversee" },
} as const satisfies ActionRows;
type SpendingActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends SpendingActions {}
}

export const spendingFeature = feature(
  "spending",
  { actions, ownedTables: [owned("project", "budgets", "project_id")] },
  ({ storage, clock, log, ownContext, use }) => {
    const { models } = use(modelsFeature);
    const budgetsStore = createBudgetsStore(storage.dialect);
    const targets = createBudgetTargetsStore(storage.dialect);
    const ledgerStore = createLedgerStore(storage.dialect);
    const ledger = createLedgerService({
      budgets: budgetsStore,
      targets,
      store: ledgerStore,
      storage,
      models,
      ownContext,
      clock,
      log: log.named("spending"),
    });
    const budgets = createBudgetsService({
      store: budgetsStore,
      targets,
      ledger: ledgerStore,
      storage,
      onChange: ledger.forgetBudgets,
      clock,
      log: log.named("spending"),
    });
    return {
      service: { spending: ledger, budgets },
      routes: spendingRoutes(budgets),
      graphql: async () => {
        const { addSpendingTypes } = await import("./spending.graphql.ts");
        const services = { budgets, users: use(givenAccounts).users, projects: use(projectsFeature) };
        return (types) => addSpendingTypes(types, services);
      },
      jobs: [
        {
          name: "spending",
          changes: true,
          everyMilliseconds: RENEWAL_MILLISECONDS,
          async run({ context }) {
            await ledger.renew(context());
            return true;
          },
        },
      ],
      parts: [{ name: "spending", changes: true, stop: ledger.close }],
    };
  },
);
