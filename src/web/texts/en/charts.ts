// Texts of charts over time.

export const charts = {
  "charts.waiting": "{title} are being counted",
  "charts.empty": "Nothing in this range",
  "charts.old": "These are the last figures received. {reason}",
  "charts.time": "Time",
  "charts.table.show": "Show as a table",
  "charts.table.hide": "Show as a chart",
  "charts.table.label": "{title} as a table",
  "charts.summary.bars": "{series}: {sum} in all, most at {at} ({highest}).",
  "charts.summary.lines": "{series}: highest at {at} ({highest}).",
  "charts.summary.none": "{series}: nothing.",
  "charts.keys": "Arrow keys walk through the values, with shift they select, Enter sets the range.",
} as const;
