// The default question about turns: whether the answer helped.
import type { Question } from "../../domain/annotations/verdicts.ts";

/** The configuration that every server has, also where the project does not ask it. */
export const feedback: Question = {
  ...{ name: "user_feedback", type: "CATEGORICAL", description: null, optimizationDirection: "MAXIMIZE" },
  values: [
    { label: "positive", score: 1 },
    { label: "negative", score: 0 },
  ],
};
