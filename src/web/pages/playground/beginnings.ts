// What the playground begins with when its address names a span or a version of a prompt.
import { draftOf } from "../../domain/prompts/editor/prompt-draft.ts";
import { readSpanDraft } from "../../domain/prompts/editor/read-span-draft.ts";
import { fetchVersion } from "../../domain/prompts/version-content.ts";
import { PageFailure } from "../../lib/failure.ts";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { versionPlace } from "./playground.queries.ts";
import { newPlayground, type PlaygroundDraft } from "./playground-draft.ts";

interface Named {
  readonly spanId: string | null;
  readonly versionId: string | null;
}

/** Null where nothing is named. Throws a PageFailure for what is gone. */
export async function beginningOf({ spanId, versionId }: Named): Promise<PlaygroundDraft | null> {
  if (spanId !== null) return newPlayground(await readSpanDraft(spanId, true));
  return versionId === null ? null : draftOfVersion(versionId);
}

async function draftOfVersion(versionId: string): Promise<PlaygroundDraft> {
  const [{ node }, content] = await Promise.all([askGraphql(versionPlace, { id: versionId }), fetchVersion(versionId)]);
  if (node?.__typename !== "PromptVersion" || node.prompt === null) {
    throw new PageFailure("not_found", text("playground.gone.version"));
  }
  const { prompt: owner, sequenceNumber: number, customProvider } = node;
  const prompt = draftOf(content);
  return newPlayground(prompt, {
    customProviderId: customProvider?.id ?? null,
    loaded: { promptId: owner.id, name: owner.name, versionId, number, prompt },
  });
}
