// The addresses of pages: what the server knows, what the router shows, and what other parts of the program take.
import { describe, expect, test } from "bun:test";
import { addresses, type PageName } from "../../src/web/declared-pages.ts";
import { declaredModules } from "../support/declared-routes.ts";

const names = Object.keys(addresses) as PageName[];
const example = (path: string) => path.replace(/\{\w+\}/g, "some-id");
const fits = (pattern: string, path: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);

describe("addresses", () => {
  test("are found by the router in the order of the table: a general one never hides another", () => {
    const hidden = names.filter(
      (name) => names.find((each) => fits(addresses[each], example(addresses[name]))) !== name,
    );
    expect(hidden).toEqual([]);
  });

  test("are no addresses of the API, of its pages or of files", () => {
    const taken = declaredModules()
      .filter(({ name }) => name !== "pages")
      .flatMap(({ routes }) => routes.filter(({ method }) => method === "GET"))
      .map(({ path }) => path);
    expect(names.filter((name) => taken.some((path) => fits(path, example(addresses[name]))))).toEqual([]);
  });
});
