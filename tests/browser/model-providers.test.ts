// Providers of models in a browser: read, added, tested, changed without their secrets, and deleted.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ANN, BOB, CARL, forAccountPages } from "../support/account-pages.ts";
import { CANARIES, CREATE, configs } from "../support/custom-providers.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { BAD_KEY, startScriptedModels } from "../support/scripted-models.ts";

const models = await startScriptedModels();
afterAll(() => models.close());

const PROMPT = `mutation ($id: ID!) { createChatPrompt(input: {name: "triage", promptVersion: {
  templateFormat: NONE, template: {messages: [{role: USER, content: [{text: {text: "hi"}}]}]},
  invocationParameters: {openai: {}}, modelProvider: OPENAI, modelName: "m", customProviderId: $id}}) { id } }`;

async function seed(client: HttpClient): Promise<void> {
  const ask = async (query: string, variables: object) =>
    (await client.post("/graphql", { json: { query, variables } })).json();
  const made = async (name: string, clientConfig: object) => {
    const answer = (await ask(CREATE, { input: { name, provider: "in-house", clientConfig } })) as {
      data: { createGenerativeModelCustomProvider: { provider: { id: string } } };
    };
    return answer.data.createGenerativeModelCustomProvider.provider.id;
  };
  const all = configs(models.address);
  await made("Azure of the office", all.azureApplication);
  await made("Bedrock", all.bedrock);
  await ask(PROMPT, { id: await made("Gateway", all.openai) });
}

const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page, words: string | RegExp) => page.getByRole("row").filter({ hasText: words });
/** What the page has received and shows. */
const content = (page: Page) => page.content();

const env = {
  OPENAI_API_KEY: CANARIES.key,
  DEEPSEEK_BASE_URL: "ftp://deepseek.example",
  OLLAMA_BASE_URL: models.openAi,
};

forPages("model providers", { seed, service: { env } }, (pages) => {
  test("are listed with where their keys come from and where they are called", async () => {
    const page = await pages.open("/settings/providers");
    await row(page, "Gateway").getByText("OpenAI · Chat Completions").waitFor();
    await row(page, "Gateway").getByText("ends with abcd").waitFor();
    await row(page, "Azure of the office").getByText("Application").waitFor();
    await row(page, /^OpenAIBuilt in/)
      .getByText("Environment")
      .waitFor();
    await row(page, "Ollama").getByText("None needed").waitFor();
    await row(page, "DeepSeek").getByText("DEEPSEEK_BASE_URL cannot be used").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "providers");
    for (const canary of Object.values(CANARIES)) expect(await content(page)).not.toContain(canary);
    await page.getByRole("group", { name: "Show" }).getByText("Custom").click();
    await page.waitForURL(/show=custom/);
    expect(await page.locator("[role=row][data-index]").count()).toBe(3);
    await page.getByPlaceholder("Search providers").fill("eu-central");
    await page.getByText("No provider found").waitFor();
    await page.getByPlaceholder("Search providers").fill("bedrock");
    await row(page, "Bedrock").waitFor();
  });

  test("say everything about one, and what models its endpoint lists", async () => {
    const page = await pages.open("/settings/providers");
    await row(page, "Gateway").click();
    await dialog(page).getByText("triage").waitFor();
    await dialog(page).getByText("x-gateway").waitFor();
    await dialog(page).getByRole("button", { name: "List its models" }).click();
    await dialog(page).getByText("2 models").waitFor();
    expect(models.requests.at(-1)!.headers.authorization).toBe(`Bearer ${CANARIES.key}`);
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-details");
    for (const canary of Object.values(CANARIES)) expect(await content(page)).not.toContain(canary);
    await page.keyboard.press("Escape");
    await row(page, "Groq").click();
    await dialog(page).getByRole("button", { name: "List its models" }).click();
    await dialog(page).getByText("An API key is required for Groq models").waitFor();
    await pages.picture(page, "providers-built-in");
    await dialog(page).getByRole("button", { name: "Store GROQ_API_KEY as a secret" }).click();
    await page.getByRole("dialog", { name: "Store GROQ_API_KEY" }).getByLabel("Value", { exact: true }).fill("gsk-key");
    await page.keyboard.press("Enter");
    await row(page, "Groq").getByText("Secret").waitFor();
  });

  test("are added by the keyboard alone, with errors shown, and tested before", async () => {
    const page = await pages.open("/settings/providers?show=custom");
    await page.getByRole("button", { name: "Add a provider" }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Add a provider" });
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.getByText("Enter a name").waitFor();
    await form.getByText("Enter the key").waitFor();
    await pages.picture(page, "providers-new-problems");
    await form.getByRole("button", { name: "Ollama" }).press("Enter");
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Ollama");
    await form.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await form.getByRole("button", { name: "Test the connection" }).press("Enter");
    await form.getByText("127.0.0.1:9 refused the connection").waitFor();
    await form.getByLabel("Address").fill(models.openAi);
    // A result counts for the input of its time only.
    await form.getByText("refused the connection").waitFor({ state: "detached" });
    await form.getByLabel("API key", { exact: true }).fill(BAD_KEY);
    await form.getByRole("button", { name: "Test the connection" }).press("Enter");
    await form.getByText("The provider answered 401: bad key [REDACTED]").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-test-failed");
    await form.getByLabel("API key", { exact: true }).fill("ollama");
    await form.getByRole("button", { name: "Test the connection" }).press("Enter");
    await form.getByText("The provider accepts the credentials").waitFor();
    await pages.picture(page, "providers-new");
    await form.getByRole("button", { name: "Add a header" }).press("Enter");
    await form.getByLabel("Name of a header").fill("Host");
    await form.getByLabel("Value of Host").fill("elsewhere");
    await page.keyboard.press("Enter");
    await form.getByText('"Host" cannot be set').waitFor();
    await form.getByRole("button", { name: "Remove Host" }).press("Enter");
    await form.getByLabel("Name", { exact: true }).fill("Gateway");
    await page.keyboard.press("Enter");
    await form.getByText("Provider with name 'Gateway' already exists").waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Laptop");
    await page.keyboard.press("Enter");
    await page.getByText("Laptop is saved").waitFor();
    await row(page, "Laptop").getByText(models.openAi).waitFor();
  });

  test("keep their secrets in a change, but for another address", async () => {
    const page = await pages.open("/settings/providers?show=custom");
    await page.getByRole("button", { name: "Edit Gateway" }).click();
    const form = page.getByRole("dialog", { name: "Edit Gateway" });
    await form.getByText("Stored, ends with abcd. Leave it empty to keep it.").waitFor();
    expect(await form.getByLabel("API key", { exact: true }).inputValue()).toBe("");
    await form.getByLabel("Description").fill("LiteLLM in the office");
    await form.getByRole("button", { name: "Test the connection" }).click();
    await form.getByText("The provider accepts the credentials").waitFor();
    expect(models.requests.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${CANARIES.key}`,
      "x-gateway": CANARIES.header,
    });
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-edit");
    await form.getByLabel("Address").fill("http://elsewhere.example/v1");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("API key must be entered again: the address changes").waitFor();
    await form.getByLabel("Address").fill(models.openAi);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Gateway is saved").waitFor();
    await row(page, "Gateway").click();
    await dialog(page).getByText("LiteLLM in the office").waitFor();
  });

  test("of every kind have their own fields", async () => {
    const page = await pages.open("/settings/providers?show=custom");
    await page.getByRole("button", { name: "Add a provider" }).click();
    const form = page.getByRole("dialog", { name: "Add a provider" });
    const kind = form.getByRole("combobox", { name: "Kind" });
    await kind.selectOption("AZURE_OPENAI");
    await form.getByRole("combobox", { name: "Credentials" }).selectOption("application");
    await form.getByLabel("Client secret", { exact: true }).waitFor();
    await pages.picture(page, "providers-azure");
    await kind.selectOption("AWS_BEDROCK");
    await form.getByLabel("Region").fill("eu-central-1");
    await form.getByRole("combobox", { name: "Credentials" }).selectOption("server");
    await form.getByRole("button", { name: "Test the connection" }).click();
    await form.getByText("The server has no credentials of AWS").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-bedrock");
  });

  test("fit a phone, and the dark", async () => {
    const page = await pages.open("/settings/providers", { width: "phone", theme: "dark" });
    await page.getByText("Gateway").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-phone");
    await page.getByText("Gateway").click();
    await dialog(page).getByRole("button", { name: "List its models" }).click();
    await dialog(page).getByText("2 models").waitFor();
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-details-phone");
    await dialog(page).getByRole("button", { name: "Edit" }).click();
    await pages.picture(page, "providers-edit-phone");
    await dialog(page).getByRole("button", { name: "Test the connection" }).click();
    await dialog(page).getByText("The provider accepts the credentials").waitFor();
    // At its end no field is half below the buttons.
    await dialog(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await pages.expectAccessible(page);
    await pages.picture(page, "providers-edit-end-phone");
    const wide = await pages.open("/settings/providers", { theme: "dark" });
    await row(wide, "Gateway").waitFor();
    await pages.expectAccessible(wide);
    await pages.picture(wide, "providers-dark");
  });

  test("are deleted after the page lists what loses them", async () => {
    const page = await pages.open("/settings/providers?show=custom");
    await page.getByRole("button", { name: "Delete Gateway" }).click();
    await dialog(page).getByText("1 prompt has versions for it").waitFor();
    await dialog(page).getByText("triage").waitFor();
    await pages.picture(page, "providers-delete");
    await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Gateway is deleted").waitFor();
    for (const name of ["Azure of the office", "Bedrock", "Laptop"]) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText(`${name} is deleted`).waitFor();
    }
    await page.getByText("No custom providers").waitFor();
    await pages.picture(page, "providers-none");
    await page.getByRole("button", { name: "Add Ollama on this machine" }).click();
    expect(await dialog(page).getByLabel("Address").inputValue()).toBe("http://127.0.0.1:11434/v1");
  });
});

forAccountPages("model providers by role", (accounts) => {
  test("are changed by administrators, listed by members, and read by viewers", async () => {
    const page = await accounts.openAs(BOB, "/settings/providers?show=custom");
    await page.getByRole("button", { name: "Add Ollama on this machine" }).click();
    await dialog(page).getByLabel("Address").fill(models.openAi);
    await dialog(page).getByRole("button", { name: "Test the connection" }).click();
    // With authentication, private addresses need the setting.
    await dialog(page).getByText("SERVICE_ALLOW_PRIVATE_PROVIDERS").waitFor();
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await row(page, "Ollama").first().waitFor();
    for (const [person, lists] of [
      [CARL, true],
      [ANN, false],
    ] as const) {
      const other = await accounts.openAs(person, "/settings/providers?show=custom");
      await row(other, "Ollama").first().waitFor();
      for (const name of ["Add a provider", "Edit Ollama", "Delete Ollama"]) {
        expect(await other.getByRole("button", { name }).count()).toBe(0);
      }
      await row(other, "Ollama").first().click();
      await dialog(other).getByText("Created by").waitFor();
      expect(await dialog(other).getByRole("button", { name: "List its models" }).count()).toBe(lists ? 1 : 0);
      expect(await dialog(other).getByRole("button", { name: "Edit" }).count()).toBe(0);
      await accounts.pages.expectAccessible(other);
    }
  });
});
