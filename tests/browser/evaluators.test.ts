// The evaluators of a dataset in a browser: attached, tried before they are stored, changed and detached.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ANN, forAccountPages } from "../support/account-pages.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { startScriptedModels } from "../support/scripted-models.ts";

const models = await startScriptedModels();
afterAll(() => models.close());

async function seed(client: HttpClient): Promise<void> {
  await client.post("/v1/datasets/upload?sync=true", {
    json: {
      name: "capitals",
      action: "create",
      inputs: [{ question: "Capital of Norway?" }, { question: "Capital of Peru?" }],
      outputs: [{ answer: "Oslo" }, { answer: "Lima" }],
      metadata: [{ continent: "Europe" }, { continent: "America" }],
    },
  });
}

/** The address of the evaluators of the one dataset. */
async function evaluatorsOf(client: HttpClient): Promise<string> {
  const { data } = (await (await client.get("/v1/datasets")).json()) as { data: { id: string }[] };
  return `/datasets/${data[0]!.id}/evaluators`;
}

const row = (page: Page, words: string) => page.getByRole("row").filter({ hasText: words });
/** A model that chooses the label good. */
const GOOD = `calls-${JSON.stringify([
  { name: "quality", arguments: JSON.stringify({ explanation: "It is right.", label: "good" }) },
])}`;

forPages(
  "evaluators of a dataset",
  { seed, service: { env: { OPENAI_BASE_URL: models.openAi, OPENAI_API_KEY: "key" } } },
  (pages) => {
    test("none yet: the page says what they are", async () => {
      const page = await pages.open(await evaluatorsOf(pages.client()));
      await page.getByRole("heading", { name: "No evaluators yet" }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "evaluators-empty");
    });

    test("a built-in one is attached with paths of the examples, tried, changed and found again by its address", async () => {
      const page = await pages.open(await evaluatorsOf(pages.client()));
      await page.getByRole("button", { name: "Add evaluator" }).click();
      const dialog = page.getByRole("dialog", { name: "Add evaluator" });
      await dialog.getByLabel("Kind").selectOption({ label: "Built-in: exact_match" });
      expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("exact_match");
      expect(
        await dialog.locator("datalist option").evaluateAll((all) => all.map((each) => each.getAttribute("value"))),
      ).toContain("$.reference.answer");
      await dialog.getByLabel("Path of expected").fill("$.reference.answer");
      await dialog.getByLabel("Path of actual").fill("$.output.nothing");
      await dialog.getByRole("button", { name: "Try", exact: true }).click();
      await dialog.getByText("did not match any values").waitFor();
      await dialog.getByLabel("Path of actual").fill("$.output.answer");
      await dialog.getByRole("button", { name: "Try", exact: true }).click();
      await dialog.getByText("score 1", { exact: true }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, "evaluators-built-in");
      await dialog.getByLabel("Name", { exact: true }).fill("Same Answer");
      await dialog.getByRole("button", { name: "Add evaluator" }).click();
      await dialog.getByText("Use lower-case letters").waitFor();
      await dialog.getByLabel("Name", { exact: true }).fill("same-answer");
      await dialog.getByRole("button", { name: "Add evaluator" }).click();
      await page.getByText("same-answer is saved").waitFor();
      await row(page, "same-answer").getByText("expected ← $.reference.answer, actual ← $.output.answer").waitFor();
      await row(page, "same-answer").click();
      const edited = page.getByRole("dialog", { name: "Edit same-answer" });
      await edited.getByLabel("Value of case_sensitive").selectOption("No");
      await edited.getByRole("button", { name: "Save" }).click();
      await row(page, "same-answer").getByText("case_sensitive = false").waitFor();
      await row(page, "same-answer").click();
      await page.waitForURL(/evaluator=/);
      await page.reload();
      await page.getByRole("dialog", { name: "Edit same-answer" }).waitFor();
    });

    test("an LLM evaluator is tried with a model, attached with its prompt, changed and detached", async () => {
      const page = await pages.open(await evaluatorsOf(pages.client()));
      await page.getByRole("button", { name: "Add evaluator" }).click();
      const dialog = page.getByRole("dialog", { name: "Add evaluator" });
      await dialog.getByRole("button", { name: "Add evaluator" }).click();
      await dialog.getByText("Enter the name of the model").waitFor();
      await dialog.getByRole("combobox", { name: "Model" }).fill(GOOD);
      await dialog.getByLabel("Name", { exact: true }).fill("judge");
      await dialog.getByLabel("Path of input").fill("$.input.question");
      await dialog.getByRole("button", { name: "Try", exact: true }).click();
      await dialog.getByText("It is right.").waitFor();
      const asked = models.requests.at(-1)!;
      expect(asked.text).toContain(
        JSON.stringify('Is this answer good?\n\nQuestion: Capital of Norway?\nAnswer: {"answer":"Oslo"}').slice(1, -1),
      );
      expect(asked.body.tools).toHaveLength(1);
      await pages.expectAccessible(page);
      await pages.picture(page, "evaluators-llm");
      await dialog.getByRole("button", { name: "Add evaluator" }).click();
      await page.getByText("judge is saved").waitFor();
      await row(page, "judge").getByText("quality: good / bad").waitFor();
      await pages.picture(page, "evaluators");
      await page.getByRole("button", { name: "Edit judge" }).click();
      const edited = page.getByRole("dialog", { name: "Edit judge" });
      await edited.getByRole("button", { name: "Add label" }).click();
      await edited.getByLabel("Label 3", { exact: true }).fill("fair");
      await edited.getByLabel("Score of label 3").fill("0.5");
      await edited.getByRole("button", { name: "Save" }).click();
      await row(page, "judge").getByText("quality: good / bad / fair").waitFor();
      await page.getByRole("button", { name: "Detach judge" }).click();
      const question = page.getByRole("dialog", { name: "Detach judge?" });
      await question.getByText("Also delete the prompt").waitFor();
      await question.getByRole("button", { name: "Detach evaluator" }).click();
      await page.getByText("judge is detached").waitFor();
      await row(page, "judge").waitFor({ state: "detached" });
      await page.goto(`${pages.url()}/prompts`);
      await page.getByRole("heading", { name: "No prompts yet" }).waitFor();
    });

    test.each(["light", "dark"] as const)("on a phone, in %s", async (theme) => {
      const page = await pages.open(await evaluatorsOf(pages.client()), { width: "phone", theme });
      await page.getByText("same-answer").first().waitFor();
      await pages.picture(page, `evaluators-phone-${theme}`);
      await page.getByRole("button", { name: "Add evaluator" }).click();
      await page.getByRole("dialog", { name: "Add evaluator" }).getByLabel("Kind").waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `evaluators-new-phone-${theme}`);
    });
  },
);

forAccountPages("evaluators of a dataset, with accounts", (accounts) => {
  test("viewers read them, and nothing is offered that changes them", async () => {
    await seed(accounts.admin());
    const page = await accounts.openAs(ANN, await evaluatorsOf(accounts.admin()));
    await page.getByRole("heading", { name: "No evaluators yet" }).waitFor();
    expect(await page.getByRole("button", { name: "Add evaluator" }).count()).toBe(0);
  });
});
