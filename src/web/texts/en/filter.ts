// Texts of the filter bar.

export const filter = {
  "filter.label": "Filter",
  "filter.placeholder": "Filter, or type words to search inputs and outputs",
  "filter.placeholder.plain": "Filter, e.g. num_traces > 3",
  "filter.suggestions": "Suggestions",
  "filter.clear": "Clear the filter",
  "filter.as.text": "Edit as text",
  "filter.as.chips": "Show as chips",
  "filter.recent": "Recent",
  "filter.remove": "Remove {name}",
  "filter.is": "is",
  "filter.is.not": "is not",
  "filter.contains": "contains",
  "filter.text.contains": "text contains",
  "filter.missing": "missing",
  "filter.or": " or ",
  "filter.keys.focus": "Focus the filter",
} as const;
