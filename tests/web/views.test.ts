// Which saved view an address shows, and where one leads.
import { describe, expect, test } from "bun:test";
import type { SavedView } from "../../src/web/domain/views/views.queries.ts";
import { linkToView, shownView } from "../../src/web/domain/views/views.ts";

const view = (id: string, changes: Partial<SavedView> = {}): SavedView => ({
  id,
  name: id,
  tab: "traces",
  query: "",
  isShared: true,
  isOwn: true,
  isStart: false,
  ...changes,
});

describe("the view that an address shows", () => {
  const failed = view("failed", { query: "filter=error_count+%3E+0" });
  const slow = view("slow", { query: "sort=-latencyMs" });
  const calls = view("calls", { tab: "spans", query: "sort=-latencyMs" });
  const views = [failed, slow, calls];
  const shown = (address: string) => shownView(views, "traces", new URLSearchParams(address));

  test.each<[address: string, view: SavedView | null, changed: boolean]>([
    ["sort=-latencyMs", slow, false],
    ["sort=-latencyMs&selectedSpanNodeId=abc", slow, false],
    ["sort=-latencyMs&view=slow", slow, false],
    ["sort=-latencyMs&view=failed", slow, false],
    ["range=1d&view=failed", failed, true],
    ["range=1d", null, false],
    ["range=1d&view=calls", null, false],
    ["", null, false],
  ])("%p", (address, expected, changed) => {
    expect(shown(address)).toEqual(expected === null ? null : { view: expected, changed });
  });

  test("is the opened one of several that ask for the same", () => {
    const twin = view("twin", { query: slow.query });
    expect(shownView([slow, twin], "traces", new URLSearchParams("sort=-latencyMs&view=twin"))?.view).toBe(twin);
  });

  test("is found again by its link", () => {
    const link = linkToView("UHJvamVjdDox", failed);
    expect(link).toBe("/projects/UHJvamVjdDox/traces?filter=error_count+%3E+0&view=failed");
    expect(shown(link.split("?")[1]!)).toEqual({ view: failed, changed: false });
  });
});
