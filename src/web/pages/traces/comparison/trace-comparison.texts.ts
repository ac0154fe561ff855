// What leads to the comparison of two traces, and its keys; the rest comes with its page.
export const traceComparisonTexts = {
  "traces.compare": "Compare",
  "traces.compare.good": "Compare with the last good one",
  "traces.compare.good.none": "None of the 50 traces before it that did not fail begins with the same step.",
  "traces.compare.next": "Next difference",
  "traces.compare.down": "Next step",
  "traces.compare.up": "Previous step",
  "traces.compare.title": "Compare traces",
} as const;
