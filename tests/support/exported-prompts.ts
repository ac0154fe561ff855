// Versions of prompts with everything that an export must carry over, and texts that would break code written carelessly.
import type { VersionContent } from "../../src/web/pages/prompts/code/provider-requests.ts";

export const HOSTILE = `Say "hi", \`code\`, \${not} \\n \\u0041 'single' { } %s # // \u2028 \u0007 😀 \ttab\r\nlast`;

const parameters = { type: "object", properties: { number: { type: "string" } }, required: ["number"] };

type Exported = VersionContent & { readonly description: string };

export const forOpenAi: Exported = {
  description: 'with "quotes"',
  model_provider: "OPENAI",
  model_name: "gpt-4.1",
  template_format: "MUSTACHE",
  template: {
    type: "chat",
    messages: [
      { role: "system", content: "Answer in {{language}}.\nNever promise `refunds` above {{the limit}} EUR." },
      { role: "user", content: [{ type: "text", text: "{{question}}" }] },
      {
        role: "assistant",
        content: [
          {
            type: "tool_call",
            tool_call_id: "call_1",
            tool_call: { type: "function", name: "find_order", arguments: '{"number":"7"}' },
          },
        ],
      },
      { role: "tool", content: [{ type: "tool_result", tool_call_id: "call_1", tool_result: { state: "sent" } }] },
      { role: "user", content: HOSTILE },
    ],
  },
  invocation_parameters: { type: "openai", openai: { temperature: 0.2, max_tokens: 300, seed: 7, stop: ["END"] } },
  tools: {
    type: "tools",
    tools: [{ type: "function", function: { name: "find_order", description: "Finds an order.", parameters } }],
    tool_choice: { type: "zero_or_more" },
    disable_parallel_tool_calls: true,
  },
  response_format: {
    type: "json_schema",
    json_schema: {
      name: "answer",
      schema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
      strict: true,
    },
  },
};

const { response_format: _format, ...withoutFormat } = forOpenAi;
export const forAnthropic: Exported = {
  ...withoutFormat,
  model_provider: "ANTHROPIC",
  model_name: "claude-haiku-4-5",
  template_format: "F_STRING",
  template: {
    type: "chat",
    messages: [
      { role: "system", content: "Answer in {language}, as {{json}}." },
      { role: "user", content: [{ type: "text", text: "{question}" }] },
    ],
  },
  invocation_parameters: {
    type: "anthropic",
    anthropic: { max_tokens: 500, temperature: 0.5, stop_sequences: ["END"] },
  },
};
