// Texts of the metrics of a project.

export const metrics = {
  "metrics.traces": "Traces",
  "metrics.latency": "Latency of traces",
  "metrics.tokens": "Tokens",
  "metrics.spans": "Spans",
  "metrics.model-calls": "Model calls",
  "metrics.tool-calls": "Tool calls",
  "metrics.failed": "With errors",
  "metrics.fine": "Without errors",
  "metrics.prompt": "Prompt",
  "metrics.completion": "Completion",
  "metrics.traces.hint": "Show the traces",
  "metrics.unnamed": "No name",
  "metrics.top.models": "Models by calls",
  "metrics.top.models.none": "No span names a model",
  "metrics.top.failing": "Steps that failed most",
  "metrics.top.failing.none": "Nothing failed in this range",
  "metrics.top.slow": "Slow steps",
  "metrics.top.slow.from": "Slow steps, {from} and more",
  "metrics.top.slow.none": "Nothing in this range",
} as const;
