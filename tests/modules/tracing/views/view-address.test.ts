// What a saved view keeps of an address.
import { describe, expect, test } from "bun:test";
import {
  MAX_VIEW_NAME_BYTES,
  MAX_VIEW_QUERY_BYTES,
  viewNameProblem,
  viewQuery,
  viewQueryProblem,
} from "../../../../src/modules/tracing/views/view-address.rules.ts";

const kept = (address: string) => viewQuery(new URLSearchParams(address));

describe("the parameters of a view", () => {
  test("are the same text in whichever order the address has them", () => {
    expect(kept("?range=1d&filter=span_kind == 'LLM'")).toBe("filter=span_kind+%3D%3D+%27LLM%27&range=1d");
    expect(kept("filter=span_kind%20==%20'LLM'&range=1d")).toBe(kept("range=1d&filter=span_kind+==+'LLM'"));
  });

  test("leave out what is empty, and what is open over the list", () => {
    expect(kept("search=&sort=-latencyMs&selectedSpanNodeId=U3Bhbjox&view=1")).toBe("sort=-latencyMs");
    expect(kept("")).toBe("");
  });

  test.each([
    ["filter=a&search=b&sort=c&range=1d&from=1&to=2", null],
    ["", null],
    [
      "https://elsewhere.example/?range=1d",
      '"https://elsewhere.example/?range" is not one of filter, search, sort, range, from, to',
    ],
    ["range=1d&returnUrl=//elsewhere.example", '"returnUrl" is not one of filter, search, sort, range, from, to'],
    [`filter=${"ä".repeat(MAX_VIEW_QUERY_BYTES / 2)}`, `must not be longer than ${MAX_VIEW_QUERY_BYTES} bytes`],
  ])("are checked: %p", (query, problem) => {
    expect(viewQueryProblem(query)).toBe(problem);
  });
});

test.each([
  ["Slow answers", null],
  [" \t", "must not be empty"],
  ["ä".repeat(MAX_VIEW_NAME_BYTES / 2), null],
  [`${"ä".repeat(MAX_VIEW_NAME_BYTES / 2)}b`, `must not be longer than ${MAX_VIEW_NAME_BYTES} bytes`],
])("the name of a view is checked: %p", (name, problem) => {
  expect(viewNameProblem(name)).toBe(problem);
});
