// docs/settings.md is generated; this test holds it against the definitions.
import { expect, test } from "bun:test";
import { settingsPage } from "../../scripts/write-settings-table.ts";
import { settingGroupsWith } from "../../src/config/catalogue.ts";
import { featureSettings } from "../../src/server/features.ts";

test("docs/settings.md is what scripts/write-settings-table.ts writes", async () => {
  expect(await Bun.file(new URL("../../docs/settings.md", import.meta.url)).text()).toBe(settingsPage());
});

test("every setting has a name of its own and a meaning", () => {
  const settings = settingGroupsWith(featureSettings).flatMap((group) => group.settings);
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
  for (const { meaning } of settings) expect(meaning).toEndWith(".");
});
