// What the example has besides its traces: verdicts, a dataset with an experiment, and a prompt. All of it is sent over REST.
import { EXAMPLE_SESSION, EXAMPLE_SPAN, EXAMPLE_TRACE } from "./known-ids.ts";

export const EXAMPLE_DATASET = "example-refunds";
export const EXAMPLE_PROMPT = "example-triage";

const verdict = (score: number, explanation: string) => ({
  name: "correctness",
  annotator_kind: "LLM",
  result: { label: score === 1 ? "correct" : "incorrect", score, explanation },
});

/** Bodies of the annotations, by the path that takes them. */
export const exampleAnnotations = {
  "/v1/span_annotations": [{ span_id: EXAMPLE_SPAN, ...verdict(1, "The right article came first.") }],
  "/v1/trace_annotations": [{ trace_id: EXAMPLE_TRACE, ...verdict(1, "What the help center says.") }],
  "/v1/session_annotations": [{ session_id: EXAMPLE_SESSION, ...verdict(0, "The customer asked twice.") }],
  "/v1/document_annotations": [{ span_id: EXAMPLE_SPAN, document_position: 0, ...verdict(1, "It has the answer.") }],
};

const answered = [
  { id: "refund-1", question: "When do I get my money back?", answer: "3 to 5 working days after the parcel arrived." },
  { id: "refund-2", question: "Who pays for the label?", answer: "The label is free." },
  { id: "refund-3", question: "How long can I send it back?", answer: "Within 30 days of delivery." },
];

export const exampleUpload = {
  action: "create",
  name: EXAMPLE_DATASET,
  description: "Made-up questions about refunds",
  inputs: answered.map(({ question }) => ({ question })),
  outputs: answered.map(({ answer }) => ({ answer })),
  example_ids: answered.map(({ id }) => id),
};

export const exampleExperiment = { name: "first answers", description: "Made-up answers of a model", repetitions: 1 };

/** What the experiment answered to the example at a place: right, but for the last one. */
export function exampleOutcome(position: number): { readonly output: string; readonly score: number } {
  const isRight = position < answered.length - 1;
  return { output: isRight ? answered[position]!.answer : "Within 14 days.", score: isRight ? 1 : 0 };
}

export const examplePrompt = {
  prompt: { name: EXAMPLE_PROMPT, description: "Sorts tickets" },
  version: {
    description: "first",
    model_provider: "OPENAI",
    model_name: "gpt-4o-mini",
    template_type: "CHAT",
    template_format: "MUSTACHE",
    template: { type: "chat", messages: [{ role: "user", content: "Sort this ticket: {{ticket}}" }] },
    invocation_parameters: { type: "openai", openai: { temperature: 0 } },
  },
};
