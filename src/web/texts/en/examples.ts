// Texts of what changes the examples of a dataset.

export const examples = {
  "datasets.add": "Add example",
  "datasets.add.submit": "Add",
  "datasets.add.done": "The example is added",
  "datasets.edit.object": "An object is expected here, in braces.",
  "datasets.edit.as": "{part} as",
  "datasets.edit.text": "Text",
  "datasets.edit.json": "JSON",
  "datasets.edit.note": "Note of the version",
  "datasets.edit.note.hint": "Every change makes a version. What is written here stands beside it.",
} as const;
