// The rows of directions: which values of a measure are the better ones, where a user has set it.
import { sql } from "kysely";
import type { BetterDirection } from "../../../../model/annotation.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { DirectedMeasure, PlainMeasure } from "./measure-directions.schema.ts";

export type MeasureDirectionsStore = ReturnType<typeof createMeasureDirectionsStore>;

/** Of a row that is about an evaluation. */
const SCORE = "SCORE";
/** Of a row that is about none. */
const NO_EVALUATION = "";

export function createMeasureDirectionsStore(dialect: Dialect) {
  const directions = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("measure_directions")
      .select(["measure", "evaluation", "direction"]);

  return {
    /** By name of the evaluation; evaluations without a direction are left out. */
    async findOfEvaluations(context: CallContext, names: readonly string[]): Promise<Map<string, BetterDirection>> {
      const rows = await directions(context)
        .where("measure", "=", SCORE)
        .where(dialect.inList(sql.ref("evaluation"), names))
        .execute();
      return new Map(rows.map(({ evaluation, direction }) => [evaluation, direction]));
    },

    /** The same of what is no evaluation. */
    async listPlain(context: CallContext): Promise<Map<PlainMeasure, BetterDirection>> {
      const rows = await directions(context).where("measure", "<>", SCORE).execute();
      return new Map(rows.map(({ measure, direction }) => [measure as PlainMeasure, direction]));
    },

    async put(context: CallContext, directed: DirectedMeasure, direction: BetterDirection): Promise<void> {
      const row =
        "evaluation" in directed
          ? { measure: SCORE, evaluation: directed.evaluation }
          : { measure: directed.measure, evaluation: NO_EVALUATION };
      await context.database
        .write(context)
        .insertInto("measure_directions")
        .values({ ...row, direction })
        .onConflict((conflict) => conflict.columns(["measure", "evaluation"]).doUpdateSet({ direction }))
        .execute();
    },
  };
}
