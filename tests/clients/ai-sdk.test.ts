// The newest AI SDK as a program that sends to the real service: with the telemetry that it brings along, in both of its forms, and
// through the processor that writes OpenInference.
import { beforeAll, describe, expect, test } from "bun:test";
import { createClient, type PhoenixClient } from "@arizeai/phoenix-client";
import { getSpans } from "@arizeai/phoenix-client/spans";
import { forEachService } from "../support/services.ts";

const PROGRAM = "tests/otlp/recorded/programs/ai-sdk.mjs";
const forms = [
  ["its conventions of OpenTelemetry", ["newest"]],
  ["its own names", ["legacy"]],
  ["OpenInference, from its conventions", ["newest", "openinference"]],
  ["OpenInference, from its own names", ["legacy", "openinference"]],
] as const;

interface Kept {
  readonly name: string;
  readonly span_kind: string;
  readonly attributes?: Record<string, unknown>;
}

forEachService("the AI SDK", (service) => {
  for (const [form, words] of forms) {
    describe(form, () => {
      let spans: readonly Kept[];
      const project = words.join(" ");
      const first = (kind: string) => spans.find(({ span_kind }) => span_kind === kind)?.attributes ?? {};
      const usage = async () => {
        const query = `{ projects { edges { node { name tokenCountPrompt tokenCountCompletion } } } }`;
        const answer = await fetch(`${service.running.url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query }),
        });
        const { data } = (await answer.json()) as {
          data: {
            projects: { edges: { node: { name: string; tokenCountPrompt: number; tokenCountCompletion: number } }[] };
          };
        };
        return data.projects.edges.map(({ node }) => node).find(({ name }) => name === project);
      };

      beforeAll(async () => {
        const program = Bun.spawn([process.execPath, PROGRAM, ...words], {
          env: {
            ...process.env,
            COLLECTOR_URL: service.running.url,
            OTEL_EXPORTER_OTLP_HEADERS: `x-project-name=${encodeURIComponent(project)}`,
          },
          stdout: "ignore",
          stderr: "ignore",
        });
        expect(await program.exited).toBe(0);
        const client: PhoenixClient = createClient({ options: { baseUrl: service.running.url } });
        const found = await getSpans({ client, project: { projectName: project }, limit: 100 });
        spans = found.spans as unknown as readonly Kept[];
      });

      test("calls of models, agents, tools and embeddings are what they are", () => {
        const kinds = spans.map(({ span_kind }) => span_kind);
        expect(kinds.filter((kind) => kind === "LLM")).toHaveLength(4);
        expect(kinds).toContain("AGENT");
        expect(kinds.filter((kind) => kind === "TOOL")).toHaveLength(1);
        expect(kinds).toContain("EMBEDDING");
        expect(first("TOOL")["tool.name"]).toBe("weather");
        expect(first("LLM")["llm.model_name"]).toBe("example-1");
      });

      test("questions and answers are messages", () => {
        const texts = spans
          .filter(({ span_kind }) => span_kind === "LLM")
          .map(({ attributes }) => JSON.stringify(attributes));
        expect(
          texts.some((text) => text.includes('"llm.input_messages') && text.includes("How is the weather in Malmö?")),
        ).toBe(true);
        expect(texts.some((text) => text.includes('"llm.output_messages') && text.includes("It rains in Malmö."))).toBe(
          true,
        );
      });

      test("each call is counted once", async () => {
        expect(await usage()).toMatchObject({ tokenCountPrompt: 80, tokenCountCompletion: 28 });
      });
    });
  }
});
