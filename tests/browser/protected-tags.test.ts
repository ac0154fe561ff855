// Protected tags in a browser: members see why they may not move one, and nothing is changed.
import { expect, test } from "bun:test";
import { BOB, CARL, forAccountPages, PREFIX } from "../support/account-pages.ts";

const version = {
  model_provider: "OPENAI",
  model_name: "gpt-5",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: { type: "chat", messages: [{ role: "user", content: "Hi {{name}}" }] },
  invocation_parameters: { type: "openai", openai: {} },
};
const REFUSED = /The tag "production" is protected .* only administrators set or remove it/;

forAccountPages("protected tags of prompts", ({ admin, openAs }) => {
  const versionsOf = async () => {
    const answer = await admin().get(`${PREFIX}/v1/prompts/guarded/versions`);
    return answer.json<{ readonly data: readonly { readonly id: string }[] }>().data;
  };

  test("are moved by administrators, and a member sees it at the tag and in the editor", async () => {
    for (const text of ["one", "two"]) {
      const prompt = { name: "guarded", description: text };
      await admin().post(`${PREFIX}/v1/prompts`, { json: { prompt, version } });
    }
    const [, first] = await versionsOf();
    await admin().post(`${PREFIX}/v1/prompt_versions/${first!.id}/tags`, { json: { name: "production" } });

    const page = await openAs(CARL, "/prompts");
    await page.getByText("guarded", { exact: true }).first().click();
    await page.getByRole("button", { name: "Set a tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Set a tag on v2" });
    await dialog.getByLabel("Tag").fill("production");
    await dialog.getByRole("button", { name: "Set a tag" }).click();
    await dialog.getByText(REFUSED).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "production (v1)" }).click();
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText(REFUSED).waitFor();
    expect(await versionsOf()).toHaveLength(2);

    const other = await openAs(BOB, "/prompts");
    await other.getByText("guarded", { exact: true }).first().click();
    await other.getByRole("button", { name: "Set a tag" }).click();
    const asked = other.getByRole("dialog", { name: "Set a tag on v2" });
    await asked.getByRole("button", { name: "production (v1)" }).click();
    await asked.getByRole("button", { name: "Set a tag" }).click();
    await other.getByText("production points at v2").waitFor();
    const history = other.getByRole("region", { name: "Where tags pointed" });
    await history.getByText("by bob").waitFor();
  });
});
