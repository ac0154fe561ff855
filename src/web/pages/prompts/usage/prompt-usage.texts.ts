// Texts of how the versions of a prompt fare.

export const promptUsageTexts = {
  "prompts.usage": "Usage",
  "prompts.usage.none": "No span of this period names v{number} or v{before}.",
  "prompts.usage.none.alone": "No span of this period names v{number}.",
  "prompts.usage.how": "A span names a version by its id in llm.prompt_template.version or prompt.id.",
  "prompts.usage.project": "Project",
  "prompts.usage.figure": "Figure",
  "prompts.usage.change": "Change",
  "prompts.usage.spans": "Spans",
  "prompts.usage.errors": "Errors",
  "prompts.usage.p50": "Latency P50",
  "prompts.usage.p95": "Latency P95",
  "prompts.usage.prompt": "Prompt tokens a span",
  "prompts.usage.completion": "Completion tokens a span",
  "prompts.usage.score": "{name} (mean)",
  "prompts.usage.open": "Spans of v{number}",
  "prompts.of.span": "{name} v{number}",
  "span.fact.prompt": "prompt",
} as const;
