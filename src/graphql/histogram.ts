// Histograms in GraphQL: of latencies and tokens of traces, and of scores.
import type { HistogramBin } from "../kernel/histogram.ts";
import type { GraphqlTypes } from "./types.ts";

export function histogramBinType(types: GraphqlTypes) {
  return types.once("HistogramBin", () =>
    types.builder.objectRef<HistogramBin>("HistogramBin").implement({
      fields: (t) => ({
        min: t.exposeFloat("min", { description: "Included." }),
        max: t.exposeFloat("max", { description: "Excluded, but in the last bin." }),
        count: t.exposeInt("count"),
      }),
    }),
  );
}
