// Annotation configurations in a browser: made with a look at the control that they make, changed, deleted.
import { expect, test } from "bun:test";
import { forPages } from "../support/pages.ts";

forPages("annotation configurations", {}, (pages) => {
  const open = () => pages.open("/settings/annotations");

  test("are made of labels that the preview chooses by digits, edited and deleted", async () => {
    const page = await open();
    await page.getByRole("row", { name: /user_feedback/ }).waitFor();
    await page.getByRole("button", { name: "New configuration" }).click();
    const dialog = page.getByRole("dialog", { name: "New configuration" });
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Type a name.").waitFor();
    await dialog.getByLabel("Name").fill("correctness");
    await dialog.getByLabel("Label 1", { exact: true }).fill("right");
    await dialog.getByLabel("Label 2", { exact: true }).fill("right");
    await dialog.getByText("Two labels are the same.").waitFor();
    await dialog.getByLabel("Label 2", { exact: true }).fill("wrong");
    const preview = dialog.getByRole("region", { name: "Preview" });
    const wrong = preview.getByRole("radio", { name: /wrong/ });
    await preview.getByRole("radio", { name: /right/ }).focus();
    await page.keyboard.press("2");
    expect(await wrong.isChecked()).toBe(true);
    await page.keyboard.press("2");
    expect(await wrong.isChecked()).toBe(false);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("correctness is saved").waitFor();
    await page.getByRole("row", { name: /correctness.*right · wrong/ }).waitFor();

    await page.getByRole("button", { name: "Edit correctness" }).click();
    const edit = page.getByRole("dialog", { name: "Edit correctness" });
    await edit.getByText("Score", { exact: true }).first().click();
    await edit.getByLabel("Lowest score").fill("1");
    await edit.getByLabel("Highest score").fill("5");
    const slider = edit.getByRole("slider", { name: /correctness/ });
    await slider.press("ArrowRight");
    expect(await slider.getAttribute("aria-valuetext")).toBe("3.01");
    await slider.press("End");
    expect(await slider.getAttribute("aria-valuetext")).toBe("5");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /correctness.*1 to 5/ }).waitFor();

    await page.getByRole("button", { name: "Delete correctness" }).click();
    const asked = page.getByRole("dialog", { name: "Delete correctness?" });
    await asked.getByRole("button", { name: "Delete" }).click();
    await page.getByText("correctness is deleted").waitFor();
    await page.getByRole("row", { name: /correctness/ }).waitFor({ state: "detached" });
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`are accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await pages.open("/settings/annotations", { theme, width });
        await page.getByText("user_feedback").first().waitFor();
        await pages.expectAccessible(page);
        await pages.picture(page, `annotation-configs-${theme}`);
        await page.getByRole("button", { name: "Edit user_feedback" }).click();
        const dialog = page.getByRole("dialog", { name: "Edit user_feedback" });
        await dialog.getByRole("radio", { name: /positive/ }).focus();
        await page.keyboard.press("1");
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await pages.picture(page, `annotation-config-labels-${theme}`);
        await dialog.getByText("Score", { exact: true }).first().click();
        await dialog.getByRole("slider").press("ArrowRight");
        await pages.expectAccessible(page);
        await pages.picture(page, `annotation-config-score-${theme}`);
      });
    }
  }
});
