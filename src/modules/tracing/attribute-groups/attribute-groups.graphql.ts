// `Project.attributeGroups`: amounts over time by the values of an attribute. A field that exists here only.
import { argumentRefused } from "../../../graphql/connection.ts";
import { requireSeriesOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { type AttributeGroups, type GroupMeasure, groupMeasures } from "./attribute-groups.schema.ts";
import type { AttributeGroupsService } from "./attribute-groups.service.ts";

const GROUPS = 6;
const MOST_GROUPS = 50;
/** What an amount of the store is in the unit of the field: milliseconds, and US dollars. */
const units: Readonly<Partial<Record<GroupMeasure, number>>> = { latency: 1000, cost: 1e12 };

type Shown = AttributeGroups & { readonly unit: number };
type ShownGroup = AttributeGroups["groups"][number] & { readonly unit: number };

const inUnit = (amounts: readonly (number | null)[], unit: number) =>
  amounts.map((amount) => (amount === null ? null : amount / unit));

export function addAttributeGroups(types: GraphqlTypes, service: AttributeGroupsService): void {
  const { builder, ref, TimeRange, TimeBinConfig } = types;
  const Measure = builder.enumType("AttributeGroupMeasure", {
    description:
      "Of traces: their number, the latency that 95 % do not exceed in milliseconds, tokens, US dollars. Or the number of spans.",
    values: Object.fromEntries(groupMeasures.map((each) => [each.toUpperCase(), { value: each }])),
  });
  const Group = builder.objectRef<ShownGroup>("AttributeGroup").implement({
    fields: (t) => ({
      value: t.exposeString("value", {
        nullable: true,
        description: "Its first 200 characters; null for what has no such attribute.",
      }),
      amounts: t.floatList({
        nullable: { list: false, items: true },
        description: "For each timestamp; null where there is nothing.",
        resolve: ({ amounts, unit }) => inUnit(amounts, unit),
      }),
    }),
  });
  const Groups = builder.objectRef<Shown>("AttributeGroups").implement({
    fields: (t) => ({
      timestamps: t.field({ type: ["DateTime"], resolve: ({ beginsUs }) => [...beginsUs] }),
      groups: t.field({
        type: [Group],
        description: "Those with most first; of latencies those of most traces.",
        resolve: ({ groups, unit }) => groups.map((group) => ({ ...group, unit })),
      }),
      others: t.floatList({
        nullable: { list: true, items: true },
        description: "All values beyond `first` together; null where there are none.",
        resolve: ({ others, unit }) => (others === null ? null : inUnit(others, unit)),
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "attributeGroups", (t) =>
    t.field({
      type: Groups,
      description: "Of traces by the attribute of the span that represents them, of spans by their own.",
      args: {
        attribute: t.arg.string({
          required: true,
          description: "As conditions on spans spell it: `metadata['region']`.",
        }),
        measure: t.arg({ type: Measure, required: true }),
        timeRange: t.arg({ type: TimeRange, required: true }),
        timeBinConfig: t.arg({ type: TimeBinConfig }),
        filterCondition: t.arg.string({ description: "On spans; of traces those count that hold one." }),
        first: t.arg.int({ required: true, defaultValue: GROUPS }),
      },
      resolve: async ({ id }, { attribute, measure, filterCondition, first, ...given }, call) => {
        if (first < 1 || first > MOST_GROUPS) throw argumentRefused("first", `must be from 1 to ${MOST_GROUPS}`);
        const [period, bins] = requireSeriesOf(given, call.nowUs);
        const found = await call.readOnce(service.list, {
          ...{ projectId: id, attribute, measure, period, bins },
          condition: filterCondition?.trim() || null,
          limit: first,
        });
        return { ...found, unit: units[measure] ?? 1 };
      },
    }),
  );
}
