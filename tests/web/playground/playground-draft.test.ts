// What is tried in the playground as data: variants and what they share, steps back, what is sent, and answers that come in pieces.
import { describe, expect, test } from "bun:test";
import { type messageDraft, newMessage } from "../../../src/web/domain/prompts/editor/prompt-draft.ts";
import { answerMessages } from "../../../src/web/pages/playground/answer-messages.ts";
import { type Answer, type AnswerEvent, noAnswer, withEvent } from "../../../src/web/pages/playground/answers.ts";
import { datasetRunBody, newOverDataset, overProblems, sumOf } from "../../../src/web/pages/playground/dataset-run.ts";
import { historyOf, redone, step, undone } from "../../../src/web/pages/playground/draft-history.ts";
import {
  namesOf,
  newPlayground,
  type PlaygroundDraft,
  promptOf,
  withMessages,
  withNewVariant,
  withoutVariant,
  withTarget,
  withVariant,
} from "../../../src/web/pages/playground/playground-draft.ts";
import { runBody, variantProblems } from "../../../src/web/pages/playground/run-request.ts";

const start = (): PlaygroundDraft => {
  const draft = newPlayground();
  const [variant] = draft.variants;
  const messages = [newMessage("system"), newMessage("user", "Hi {{name}}")];
  return withVariant(draft, { ...variant!, prompt: { ...variant!.prompt, model: "m", messages } });
};
const answered = (events: readonly AnswerEvent[]): Answer => events.reduce(withEvent, noAnswer);

describe("variants", () => {
  test("share the messages of the first until they have their own", () => {
    const two = withNewVariant(start());
    const [first, second] = two.variants;
    expect(promptOf(two, second!).messages).toBe(first!.prompt.messages);
    const continued = withMessages(two, second!.key, [newMessage("user", "and {{more}}")]);
    expect(continued.variants[0]!.prompt.messages).toHaveLength(2);
    expect(promptOf(continued, continued.variants[1]!).messages).toHaveLength(3);
    expect(namesOf(continued)).toEqual(["name", "more"]);
  });

  test("keep what they shared when the first is removed, and there is always one", () => {
    const two = withNewVariant(start());
    const left = withoutVariant(two, two.variants[0]!.key);
    expect(promptOf(left, left.variants[0]!).messages).toHaveLength(2);
    expect(withoutVariant(left, left.variants[0]!.key)).toBe(left);
  });

  test("take parameters along that another family knows, and the one that Anthropic demands", () => {
    const [variant] = start().variants;
    const parameters = { temperature: "0.5", seed: "3" };
    const changed = withTarget(
      { ...variant!, prompt: { ...variant!.prompt, parameters } },
      { provider: "ANTHROPIC", customProviderId: null },
    );
    expect(changed.prompt.parameters).toEqual({ temperature: "0.5", max_tokens: "2000" });
  });
});

test("steps are taken back and done again; what is typed in a row is one", () => {
  const draft = start();
  const typed = [1, 2, 3].reduce(
    (history, count) => step(history, { ...history.now, values: { name: "x".repeat(count) } }),
    historyOf(draft),
  );
  const added = step(typed, withNewVariant(typed.now));
  const back = undone(added)!;
  expect(back.now.values).toEqual({ name: "xxx" });
  expect(undone(back)!.now).toBe(draft);
  expect(undone(undone(back)!)).toBeNull();
  expect(redone(back)!.now.variants).toHaveLength(2);
});

describe("what is sent", () => {
  test("has the values of the variables, and no system message that nobody wrote", () => {
    const draft = { ...start(), values: { name: "Ada", other: "unused" } };
    expect(runBody(draft, draft.variants)).toEqual({
      repetitions: 1,
      variants: [
        {
          model_provider: "OPENAI",
          model_name: "m",
          template_format: "MUSTACHE",
          messages: [{ role: "user", content: "Hi {{name}}" }],
          variables: { name: "Ada" },
          invocation_parameters: { type: "openai", openai: {} },
          tools: null,
          response_format: null,
        },
      ],
    });
  });

  test("is refused with what is wrong at its place", () => {
    const draft = start();
    const [variant] = draft.variants;
    const prompt = { ...variant!.prompt, model: " ", tools: "[]" };
    const wrong = withVariant(draft, { ...variant!, prompt });
    expect([...variantProblems(wrong, wrong.variants[0]!).keys()].sort()).toEqual(["model", "tools"]);
    expect(variantProblems(draft, variant!).size).toBe(0);
  });

  test("names the version only while it is what runs, and over a dataset no value", () => {
    const draft = start();
    const [variant] = draft.variants;
    const loaded = { promptId: "p", name: "triage", versionId: "v", number: 1, prompt: variant!.prompt };
    const same = withVariant(draft, { ...variant!, loaded });
    const over = newOverDataset("d");
    expect(datasetRunBody(same, over, same.variants[0]!, "A")).toMatchObject({
      dataset_id: "d",
      prompt_version_id: "v",
      template_variables_path: "input",
      max_concurrency: 10,
      name: "triage · m",
    });
    const edited = withMessages(same, variant!.key, [newMessage("user", "more")]);
    expect(datasetRunBody(edited, over, edited.variants[0]!, "A")).not.toHaveProperty("prompt_version_id");
    expect(Object.keys(overProblems({ ...over, concurrency: "0", maxCost: "x" }))).toEqual(["concurrency", "maxCost"]);
  });

  test("is priced together, unless one price is not known", () => {
    const one = {
      calls: 2,
      prompt_tokens: 10,
      completion_tokens: 5,
      cost: 0.5,
      max_cost: 1,
      examples: 2,
      runs: 2,
      failing_examples: 0,
      problem: null,
    };
    expect(sumOf([one, one])).toMatchObject({ calls: 4, cost: 1, max_cost: 2 });
    expect(sumOf([one, { ...one, cost: null }]).cost).toBeNull();
  });
});

describe("an answer", () => {
  test("is joined from pieces, call by call, and begins again after a retry", () => {
    const call = { type: "tool_call", index: 1, id: "c", name: "find", arguments: "" } as const;
    const answer = answered([
      { type: "text", text: "lost" },
      { type: "retry", reason: "500" },
      { type: "text", text: "Wait" },
      { type: "text", text: "." },
      call,
      { ...call, name: "", arguments: '{"a"' },
      { ...call, index: 2, id: "", name: "other", arguments: "{}" },
      { ...call, name: "", arguments: ": 1}" },
    ]);
    expect(answer).toMatchObject({
      text: "Wait.",
      retry: "500",
      calls: [
        { id: "c", name: "find", arguments: '{"a": 1}' },
        { name: "other", arguments: "{}" },
      ],
    });
  });

  test("goes on as messages, with the results of tools that are known", () => {
    const answer = answered([
      { type: "tool_call", index: 0, id: "c", name: "find", arguments: "{}" },
      { type: "tool_call", index: 1, id: "", name: "other", arguments: "{}" },
    ]);
    const shape = (messages: readonly ReturnType<typeof messageDraft>[]) =>
      messages.map(({ role, parts }) => [
        role,
        ...parts.map(({ kind, callId = "", source }) => [kind, callId, source]),
      ]);
    expect(shape(answerMessages(answer, { find: "found" })).slice(1)).toEqual([
      ["tool", ["result", "c", "found"]],
      ["tool", ["result", "call_1", ""]],
    ]);
  });

  test("goes on with what the model thought before what it wrote", () => {
    const thought = { type: "thinking", thinking: "So …", signature: "c2ln" } as const;
    const result = {
      message: { content: [thought, { type: "text", text: "Yes" }] },
      trace_id: null,
      span_id: null,
      finish_reason: "stop",
      usage: null,
      cost_usd: null,
      latency_ms: null,
      time_to_first_token_ms: null,
      error: null,
    };
    const answer = answered([
      { type: "text", text: "Yes" },
      { type: "result", ...result },
    ]);
    const [message] = answerMessages(answer);
    expect(message?.parts.map(({ kind, source }) => (kind === "json" ? JSON.parse(source) : source))).toEqual([
      thought,
      "Yes",
    ]);
  });
});
