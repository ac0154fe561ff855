// Labels that people put on datasets and prompts.

export const labels = {
  "labels.title": "Labels",
  "labels.all": "All labels",
  "labels.none": "There are no labels yet.",
  "labels.new": "New label",
} as const;
