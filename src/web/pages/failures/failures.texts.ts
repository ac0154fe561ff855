// What the help of the keys needs of the failures; the rest comes with their pages.
export const failuresTexts = {
  "explorer.tab.failures": "Failures",
  "failures.resolve": "Resolve",
  "failures.ignore": "Ignore",
  "failures.merge": "Merge",
} as const;
