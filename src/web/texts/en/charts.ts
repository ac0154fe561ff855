// Texts of charts over time.

export const charts = {
  "charts.waiting": "Loading {title}",
  "charts.empty": "Nothing in this range",
  "charts.old": "These are the last figures received. {reason}",
  "charts.time": "Time",
  "charts.bin": "{from} to {to}",
  "charts.bin.count": "{series} {count}",
  "charts.bin.most": "Most between {bin}: {count}.",
  "charts.bin.keys": "Use the arrow keys to move through the values.",
  "charts.bin.keys.open": "Use the arrow keys to move through the values, and Enter to open what is counted.",
  "charts.table.show": "Show as a table",
  "charts.table.hide": "Show as a chart",
  "charts.table.label": "{title} as a table",
  "charts.summary.bars": "{series}: {sum} in all, most at {at} ({highest}).",
  "charts.summary.lines": "{series}: highest at {at} ({highest}).",
  "charts.summary.none": "{series}: nothing.",
  "charts.keys": "Use the arrow keys to move through the values, Shift to select, and Enter to set the range.",
  "charts.change.up": "More than before,",
  "charts.change.down": "Less than before,",
  "charts.change.same": "As before",
  "charts.change.before": "{before} in the period before",
} as const;
