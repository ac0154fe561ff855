// A prompt begun from a call of a model, by the id of its span.
import { PageFailure } from "../../../lib/failure.ts";
import { askGraphql } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import { readWhole } from "../../trace/content/whole-text.ts";
import { readPayload } from "../../trace/payload/payload.ts";
import { calledSpan } from "../prompts.queries.ts";
import type { PromptDraft } from "./prompt-draft.ts";
import { draftOfSpan } from "./span-draft.ts";

/** Throws a PageFailure for what is gone, or is no span. */
export async function readSpanDraft(spanId: string, withImages = false): Promise<PromptDraft> {
  const { node } = await askGraphql(calledSpan, { id: spanId });
  if (node?.__typename !== "Span" || node.payload === null) {
    throw new PageFailure("not_found", text("prompts.editor.span.gone"));
  }
  return draftOfSpan(readPayload(node.payload), (excerpt) => readWhole(spanId, excerpt), withImages);
}
