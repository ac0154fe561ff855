// What a card holds as plain text and as JSON: for its views and its copy button.
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import type { Card } from "./cards.ts";
import { scriptOf } from "./conversation.ts";
import type { Message } from "./messages.ts";
import { jsonText, plainText } from "./values.ts";

/** What a card holds as plain text: for its text view and its copy button. */
export function cardText(card: Card): string {
  switch (card.id) {
    case "error":
      return [
        card.message ?? "",
        ...card.exceptions.map(({ type, message, stackTrace }) =>
          [[type, message?.text].filter(Boolean).join(": "), stackTrace?.text ?? ""].filter(Boolean).join("\n"),
        ),
      ]
        .filter(Boolean)
        .join("\n\n");
    case "input":
    case "output":
      if (card.messages.length > 0) return scriptOf(card.messages);
      return card.prompts.length > 0 ? card.prompts.join("\n\n") : (card.value?.text ?? "");
    case "documents":
      return [
        ...card.lists.flatMap(({ documents }) => documents.map(({ content }) => content?.text ?? "")),
        ...card.embeddings.map(({ text }) => text?.text ?? ""),
      ]
        .filter(Boolean)
        .join("\n\n");
    case "metadata":
      return plainText(card.value);
    default:
      return jsonText(cardJson(card));
  }
}

/** What a card holds as JSON. */
export function cardJson(card: Card): Json {
  switch (card.id) {
    case "error":
      return card.exceptions.map(({ type, message, stackTrace }) => ({
        type,
        message: message?.text ?? null,
        stacktrace: stackTrace?.text ?? null,
      }));
    case "input":
    case "output":
      if (card.json !== undefined) return card.json;
      return card.messages.length > 0
        ? card.messages.map(messageJson)
        : card.prompts.length > 0
          ? [...card.prompts]
          : (card.value?.text ?? null);
    case "tools":
      return card.tools.map(({ source }) => source);
    case "documents":
      return [
        ...card.lists.flatMap(({ documents }) =>
          documents.map(({ id, score, content, metadata }) => ({
            id,
            score,
            content: content?.text ?? null,
            metadata: metadata ?? null,
          })),
        ),
        ...card.embeddings.map(({ text, vector }) => ({ text: text?.text ?? null, vector })),
      ];
    case "parameters":
      return card.template === null
        ? card.values
        : {
            ...card.values,
            prompt_template: { template: card.template.template, variables: card.template.variables ?? null },
          };
    case "metadata":
      return card.value;
    case "events":
      return card.events.map(({ name, attributes }) => ({ name, attributes: attributes ?? null }));
    case "attributes":
      return card.attributes;
  }
}

function messageJson({ role, name, parts, calls, answers }: Message): JsonObject {
  const content = parts.map((part): Json => {
    if (part.type === "other") return part.value;
    if ("url" in part) return { type: part.type, url: part.url };
    return { type: part.type, text: part.excerpt.text };
  });
  const only = parts.length === 1 && parts[0]!.type === "text" ? parts[0]!.excerpt.text : content;
  return {
    role,
    ...(name === null ? {} : { name }),
    content: only,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ id, name, given }) => ({ id, name, arguments: given })) }),
    ...(answers === null ? {} : { tool_call_id: answers }),
  };
}
