// The page of datasets of a server that has none yet: a file, traces and a program lead to the first one.
import { describe, expect, test } from "bun:test";
import { forPages } from "../support/pages.ts";

forPages("the first dataset", {}, (pages) => {
  describe.each(["desktop", "phone"] as const)("on a %s", (width) => {
    test.each(["light", "dark"] as const)("comes from a file, from traces or from a program, in %s", async (theme) => {
      const page = await pages.open("/datasets", { width, theme });
      await page.getByRole("heading", { name: "No datasets yet" }).waitFor();
      await page.getByText("datasets.create_dataset(").waitFor();
      expect(await page.getByRole("button", { name: "From a file" }).count()).toBeGreaterThan(0);
      await page.getByText("TypeScript", { exact: true }).click();
      await page.getByText("await createDataset({").waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `first-dataset-${theme}`);
      await page.getByRole("link", { name: "Choose traces" }).click();
      await page.waitForURL("**/projects");
    });
  });
});
