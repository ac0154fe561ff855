// The graph of the traces of a project.
export const projectGraphTexts = {
  "project-graph.traces": { one: "of {count} trace", other: "of {count} traces" },
  "project-graph.newest": "of the newest {count} traces",
  "project-graph.filter": "Filter, e.g. num_spans > 20",
  "project-graph.empty.title": "No traces",
  "project-graph.empty.text": "No trace starts in the range and matches the filter.",
  "project-graph.saving": "If a step took no time",
  "project-graph.saving.hint": "By how much these traces would be shorter, together.",
  "project-graph.saving.none": "No step alone makes these traces longer.",
  "project-graph.saves": "{time} · {share}",
  "project-graph.saving.traces": { one: "in {count} trace", other: "in {count} traces" },
  "project-graph.step": "Chosen step",
  "project-graph.to-traces": "Traces with this step",
  "project-graph.to-spans": "Spans of this step",
} as const;
