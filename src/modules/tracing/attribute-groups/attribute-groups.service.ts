// Amounts over time by the values of an attribute.
import { parseProjection } from "../../../filter/projection.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { beginOfBin, binsBetween, type TimeBins } from "../../../storage/time-bins.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import type { AttributeGroups, GroupMeasure } from "./attribute-groups.schema.ts";
import type { AttributeGroupsStore, GroupCell } from "./attribute-groups.store.ts";

interface AttributeGroupsRequest {
  readonly projectId: number;
  /** As conditions on spans spell it. */
  readonly attribute: string;
  readonly measure: GroupMeasure;
  readonly period: { readonly startUs: number; readonly endUs: number };
  /** On spans; of traces those count that hold one. */
  readonly condition: string | null;
  readonly bins: TimeBins;
  readonly limit: number;
}

export interface AttributeGroupsService {
  /** Microseconds, tokens, 10^-12 USD or counts. Throws `filter.invalid`, and kind `invalid` for too many bins. */
  list(context: CallContext, request: AttributeGroupsRequest): Promise<AttributeGroups>;
}

export function createAttributeGroupsService(
  store: AttributeGroupsStore,
  rollups: RollupsService,
): AttributeGroupsService {
  return {
    async list(context, { projectId, attribute, measure, period, condition, bins, limit }) {
      const { path } = parseProjection(attribute);
      const numbers = binsBetween(period.startUs, period.endUs, bins);
      const given = { ...period, spanCondition: condition, sessionCondition: null };
      const scope = await rollups.settledScope(context, [projectId], given);
      const cells = await store.list(context, { projectId, path, measure, bins, limit }, scope);
      const places = Map.groupBy(cells, ({ place }) => place);
      const amountsOf = (group: readonly GroupCell[]) => {
        const found = new Map(group.map(({ bin, amount }) => [bin, amount]));
        return numbers.map((bin) => found.get(bin) ?? null);
      };
      const others = places.get(limit + 1);
      return {
        beginsUs: numbers.map((bin) => beginOfBin(bin, bins)),
        groups: [...places]
          .filter(([place]) => place <= limit)
          .toSorted(([one], [other]) => one - other)
          .map(([, group]) => ({ value: group[0]!.value, amounts: amountsOf(group) })),
        others: others === undefined ? null : amountsOf(others),
      };
    },
  };
}
