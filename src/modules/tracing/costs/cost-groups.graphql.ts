// `Project.costGroups`: what calls cost by model, by user or by kind of token. A field that exists here only.
import { argumentRefused } from "../../../graphql/connection.ts";
import { binsOf, requirePeriodOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { CostGroupsService } from "./cost-groups.service.ts";
import { dollarsOf } from "./cost-types.graphql.ts";
import { type CostGroup, type CostGroups, costDimensions } from "./costs.schema.ts";

const GROUPS = 8;
const MOST_GROUPS = 100;

function requireGroups(first: number): number {
  if (first < 1 || first > MOST_GROUPS) throw argumentRefused("first", `must be from 1 to ${MOST_GROUPS}`);
  return first;
}

export function addCostGroups(types: GraphqlTypes, groups: CostGroupsService): void {
  const { builder, ref, TimeRange, TimeBinConfig } = types;
  const Dimension = builder.enumType("CostDimension", {
    values: Object.fromEntries(costDimensions.map((each) => [each.toUpperCase(), { value: each }])),
  });
  const Group = builder.objectRef<CostGroup>("CostGroup").implement({
    fields: (t) => ({
      value: t.string({
        nullable: true,
        description: "Name of the model or id of the user, as sent, or the kind of token; null where none is named.",
        resolve: ({ key }) => key,
      }),
      tokens: t.exposeFloat("tokens", { nullable: true }),
      cost: t.float({
        nullable: true,
        description: "US dollars; null where no price is known.",
        resolve: ({ cost }) => dollarsOf(cost),
      }),
      unknownCount: t.exposeInt("unknown", {
        description: "Calls that are missing in the cost, because theirs is unknown.",
      }),
      costs: t.floatList({
        nullable: { list: false, items: true },
        description: "US dollars, for each timestamp.",
        resolve: async ({ costs }) => (await costs()).map(dollarsOf),
      }),
    }),
  });
  const Groups = builder.objectRef<CostGroups>("CostGroups").implement({
    fields: (t) => ({
      timestamps: t.field({ type: ["DateTime"], resolve: ({ beginsUs }) => [...beginsUs] }),
      groups: t.field({ type: [Group], resolve: (found) => [...found.groups] }),
      all: t.floatList({
        nullable: { list: false, items: true },
        description: "US dollars of all groups for each timestamp, also of those beyond `first`.",
        resolve: async ({ all }) => (await all()).map(dollarsOf),
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "costGroups", (t) =>
    t.field({
      type: Groups,
      description: "What costs most first, by the start of the calls. Kinds of tokens begin with `in ` or `out `.",
      args: {
        by: t.arg({ type: Dimension, required: true }),
        timeRange: t.arg({ type: TimeRange, required: true }),
        timeBinConfig: t.arg({ type: TimeBinConfig }),
        first: t.arg.int({ required: true, defaultValue: GROUPS }),
      },
      resolve: ({ id }, { by, timeRange, timeBinConfig, first }, call) =>
        call.readOnce(groups.listGroups, {
          projectId: id,
          period: requirePeriodOf(timeRange, call.nowUs),
          bins: binsOf(timeBinConfig, requirePeriodOf(timeRange, call.nowUs)),
          dimension: by,
          limit: requireGroups(first),
        }),
    }),
  );
}
