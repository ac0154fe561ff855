// Texts of the editor of JSON and long texts.

export const editor = {
  "editor.json.empty": "JSON is expected here.",
  "editor.json.short": "Line {line}, column {column}: the text ends too early. A bracket, a quote or a value lacks.",
  "editor.json.broken":
    "Line {line}, column {column}: the text that begins here lacks its end, or holds what JSON writes otherwise.",
  "editor.json.wrong": "Line {line}, column {column}: “{character}” cannot stand here.",
  "editor.leave.title": "Leave without saving?",
  "editor.leave.text": "What you have written here is not saved.",
  "editor.leave.stay": "Keep editing",
  "editor.leave.go": "Discard",
} as const;
