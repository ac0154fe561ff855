// What Langfuse's SDK exports becomes OpenInference.
import { expect, test } from "bun:test";
import { addedTo, readRecorded } from "../../support/recorded.ts";

const readings = Object.fromEntries((await readRecorded("langfuse")).map((each) => [each.name, each]));

test("a generation has messages, model, tokens and costs", () => {
  const { span, added } = readings.ask!;
  expect(span).toMatchObject({
    kind: "LLM",
    promptTokens: 20,
    completionTokens: 7,
    model: "example-1",
    sessionKey: "session-1",
  });
  expect(added).toMatchObject({
    "llm.input_messages.0.message.content": "Be brief.",
    "llm.input_messages.1.message.role": "user",
    "llm.output_messages.0.message.content": "Rain.",
    "llm.invocation_parameters": '{"temperature": 0.5}',
    "llm.token_count.total": 27,
    "llm.token_count.prompt_details.cache_read": 5,
    "llm.cost.prompt": 0.001,
    "llm.cost.completion": 0.002,
    "llm.cost.total": 0.003,
    "metadata.tier": "gold",
    "metadata.try": 1,
    "tag.tags": ["guide"],
  });
});

test("other observations have their kind, input and output", () => {
  expect(readings.answer!.added).toMatchObject({ "openinference.span.kind": "AGENT", "output.value": "Rain." });
  expect(readings.weather!.added).toMatchObject({
    "openinference.span.kind": "TOOL",
    "input.mime_type": "application/json",
    "output.value": '{"weather": "rain"}',
  });
  expect(readings.find!.added).toMatchObject({
    "openinference.span.kind": "RETRIEVER",
    "retrieval.documents.0.document.content": "It rains.",
    "retrieval.documents.0.document.score": 0.5,
  });
  expect(readings.embed!.added).toMatchObject({
    "embedding.model_name": "example-embed",
    "llm.token_count.prompt": 3,
  });
});

test("what cannot be read is text, or nothing", () => {
  expect(
    addedTo({
      "langfuse.observation.type": "generation",
      "langfuse.observation.input": '[{"role":"user","con',
      "langfuse.observation.usage_details": "many",
      "langfuse.observation.cost_details": '{"total":"much"}',
      "langfuse.session.id": "s",
    }),
  ).toEqual({
    "openinference.span.kind": "LLM",
    "input.value": '[{"role":"user","con',
    "input.mime_type": "text/plain",
    "session.id": "s",
  });
  expect(addedTo({ "langfuse.observation.type": "event" })).toEqual({});
});
