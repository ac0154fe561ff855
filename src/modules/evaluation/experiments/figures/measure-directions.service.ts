// Which values of a measure are the better ones: everybody's comparisons say "improved" and "regressed" by it.
import type { BetterDirection } from "../../../../model/annotation.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { AnnotationConfigsService } from "../../annotation-configs/annotation-configs.service.ts";
import {
  type DirectedMeasure,
  PLAIN_DIRECTION,
  type PlainMeasure,
  plainMeasures,
  SCORE_DIRECTION,
} from "./measure-directions.schema.ts";
import type { MeasureDirectionsStore } from "./measure-directions.store.ts";

interface MeasureDirectionsDependencies {
  readonly store: MeasureDirectionsStore;
  readonly configs: AnnotationConfigsService;
}

export interface MeasureDirectionsService {
  /** By name of the evaluation, each of them: as the annotation configuration of the name says, else as it is stored here. */
  findOfEvaluations(context: CallContext, names: readonly string[]): Promise<Map<string, BetterDirection>>;
  getPlain(context: CallContext): Promise<Readonly<Record<PlainMeasure, BetterDirection>>>;
  /** Of an evaluation in the annotation configuration of its name, where there is one. */
  setDirection(context: CallContext, measure: DirectedMeasure, direction: BetterDirection): Promise<void>;
}

export function createMeasureDirectionsService(dependencies: MeasureDirectionsDependencies): MeasureDirectionsService {
  const { store, configs } = dependencies;
  return {
    async findOfEvaluations(context, names) {
      const [configured, stored] = await Promise.all([
        configs.findDirections(context, names),
        store.findOfEvaluations(context, names),
      ]);
      // A configuration without a direction leaves it to the one stored here.
      const directionOf = (name: string) => {
        const direction = configured.get(name) ?? "NONE";
        return direction === "NONE" ? (stored.get(name) ?? SCORE_DIRECTION) : direction;
      };
      return new Map(names.map((name) => [name, directionOf(name)]));
    },

    async getPlain(context) {
      const stored = await store.listPlain(context);
      return Object.fromEntries(
        plainMeasures.map((measure) => [measure, stored.get(measure) ?? PLAIN_DIRECTION]),
      ) as Record<PlainMeasure, BetterDirection>;
    },

    async setDirection(context, measure, direction) {
      const configured =
        "evaluation" in measure && (await configs.setDirection(context, measure.evaluation, direction));
      if (!configured) await store.put(context, measure, direction);
    },
  };
}
