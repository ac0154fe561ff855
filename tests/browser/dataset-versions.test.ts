// The versions of a dataset and how two of them differ, in a browser.
import { expect, test } from "bun:test";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";

async function seed(client: HttpClient): Promise<void> {
  const upload = (action: string, rows: readonly (readonly [id: string, question: string, answer: string])[]) =>
    client.post("/v1/datasets/upload?sync=true", {
      json: {
        name: "refunds",
        action,
        inputs: rows.map(([, question]) => ({ question })),
        outputs: rows.map(([, , answer]) => ({ answer })),
        example_ids: rows.map(([id]) => id),
      },
    });
  await upload("create", [
    ["one", "Where is it?", "Your parcel is on its way."],
    ["two", "Why so late?", "Rain."],
  ]);
  await upload("append", [["three", "Is it free?", "Yes."]]);
  await upload("update", [
    ["one", "Where is it?", "Your refund is on its way."],
    ["three", "Is it free?", "Yes."],
    ["four", "May I?", "You may."],
  ]);
  const json = { name: "only-one", action: "create", inputs: [{ a: 1 }], outputs: [{}] };
  await client.post("/v1/datasets/upload?sync=true", { json });
}

forPages("versions of a dataset", { seed }, (pages) => {
  const openVersions = async (name: string, options: Parameters<typeof pages.open>[1] = {}) => {
    const { data } = (await pages.client().get(`/v1/datasets?name=${name}`)).json<{ data: { id: string }[] }>();
    return pages.open(`/datasets/${data[0]!.id}/versions`, options);
  };

  test("the newest is held against the one before, kind by kind, and words that changed are marked", async () => {
    const page = await openVersions("refunds");
    const list = page.getByRole("region", { name: "Versions" });
    await list.getByRole("row", { name: /1 added, 1 changed, 1 removed/ }).waitFor();
    expect(await list.getByRole("row").count()).toBe(4);
    expect(await list.getByRole("link").allTextContents()).toEqual(["Version 3", "Version 2", "Version 1"]);
    const year = String(new Date().getUTCFullYear());
    for (const day of await list.locator("time").allTextContents()) expect(day).toContain(year);
    const difference = page.getByRole("region", { name: "What differs" });
    const changed = difference.getByRole("article", { name: "one" });
    await changed.getByRole("row", { name: /Expected\.answer/ }).waitFor();
    expect(await changed.locator("del").allTextContents()).toEqual(["parcel"]);
    expect(await changed.locator("ins").allTextContents()).toEqual(["refund"]);
    await difference.getByText("Added 1").click();
    const added = difference.getByRole("article", { name: "four" }).getByRole("region", { name: "Expected" });
    await added.getByText("You may.").waitFor();
    await difference.getByText("Removed 1").click();
    await difference.getByRole("article", { name: "two" }).getByText("Rain.").waitFor();
    // What is gone is read where it was.
    await difference.getByRole("link", { name: "two" }).click();
    await page
      .getByRole("region", { name: "Example", exact: true })
      .getByRole("heading", { name: "Why so late?" })
      .waitFor();
  });

  test("any two are compared, in both directions, and the address says which", async () => {
    const page = await openVersions("refunds");
    const list = page.getByRole("region", { name: "Versions" });
    const difference = page.getByRole("region", { name: "What differs" });
    await list
      .getByRole("radio", { name: /^Compare from/ })
      .nth(2)
      .click();
    await difference.getByText("Added 2").click();
    await difference.getByRole("article", { name: "three" }).waitFor();
    await page.reload();
    await difference.getByText("Added 2").waitFor();
    await list
      .getByRole("radio", { name: /^Compare to/ })
      .nth(2)
      .click();
    await page.getByText("Nothing differs").waitFor();
    await list
      .getByRole("radio", { name: /^Compare from/ })
      .nth(0)
      .click();
    await difference.getByText("Removed 2").waitFor();
  });

  test("of one alone nothing is compared", async () => {
    const page = await openVersions("only-one");
    await page.getByText("One version so far").waitFor();
    await page.getByRole("link", { name: "Examples" }).click();
    await page.getByText("1 example", { exact: true }).waitFor();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await openVersions("refunds", { theme, width });
        await page.locator("del").waitFor();
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `versions-${theme}`);
      });
    }
  }
});
