// Writes a new prompt, or the next version of one from any of its versions.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { draftOf, emptyDraft, type PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { readSpanDraft } from "../../../domain/prompts/editor/read-span-draft.ts";
import { useVersionContent } from "../../../domain/prompts/version-content.ts";
import type { PromptVersionContent } from "../../../domain/prompts/version-parts.ts";
import { EmptyState, Loaded } from "../../../kit/States.tsx";
import { useAddress } from "../../../lib/address.ts";
import type { PageFailure } from "../../../lib/failure.ts";
import { nodesOf } from "../../../lib/graphql.ts";
import { pathParameter } from "../../../lib/links.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { trailPart } from "../../../shell/navigation.ts";
import { Page } from "../../../shell/Page.tsx";
import { text } from "../../../texts/texts.ts";
import { type ListedVersion, promptById, promptOf, versionList, versionsOf } from "../prompts.queries.ts";
import { PromptEditor } from "./PromptEditor.tsx";
import type { KnownTag } from "./SaveFields.tsx";

const trail = [trailPart("prompts")];

export default function PromptEditorPage() {
  const { promptId, versionId } = useParams<{ promptId?: string; versionId?: string }>();
  const { mayWrite } = useRights();
  if (!mayWrite) {
    return (
      <Page title={text("prompts.editor.new")} trail={trail}>
        <EmptyState title={text("prompts.editor.forbidden")} />
      </Page>
    );
  }
  return promptId === undefined || versionId === undefined ? (
    <NewPrompt />
  ) : (
    <NextVersion promptId={pathParameter(promptId)} versionId={pathParameter(versionId)} />
  );
}

function NewPrompt() {
  const spanId = useAddress().get("span");
  const [start] = useState(emptyDraft);
  return spanId === null ? <PromptEditor start={start} edited={null} /> : <PromptOfSpan spanId={spanId} />;
}

function PromptOfSpan({ spanId }: { readonly spanId: string }) {
  const query = useQuery<PromptDraft, PageFailure>({
    queryKey: ["DraftOfSpan", spanId],
    queryFn: () => readSpanDraft(spanId),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shows: new Set() },
  });
  if (query.data !== undefined) return <PromptEditor start={query.data} begun edited={null} />;
  return (
    <Page title={text("prompts.editor.new")} trail={trail}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
}

/** Their tags are offered. */
const KNOWN_VERSIONS = 100;

interface NextVersionProps {
  readonly promptId: string;
  readonly versionId: string;
}

function NextVersion({ promptId, versionId }: NextVersionProps) {
  const prompt = useGraphql(promptById, { id: promptId });
  const versions = useGraphql(versionList, { id: promptId, first: KNOWN_VERSIONS, after: null });
  const version = useVersionContent(versionId);
  const loading = (
    <Page title={text("prompts.title")} trail={trail}>
      <Loaded query={prompt}>{() => <Loaded query={version}>{() => null}</Loaded>}</Loaded>
    </Page>
  );
  const found = prompt.data === undefined ? null : promptOf(prompt.data);
  if (prompt.data !== undefined && found === null) {
    return (
      <Page title={text("prompts.title")} trail={trail}>
        <EmptyState title={text("prompts.gone.title")}>{text("prompts.gone.text")}</EmptyState>
      </Page>
    );
  }
  if (found === null || version.data === undefined) return loading;
  return (
    <Edited
      key={versionId}
      promptId={promptId}
      name={found.name}
      content={version.data}
      knownTags={nodesOf((versions.data && versionsOf(versions.data)?.edges) ?? []).flatMap(tagsOf)}
    />
  );
}

function tagsOf({ sequenceNumber, tags }: ListedVersion): readonly KnownTag[] {
  return tags.map(({ id, name }) => ({ id, name, number: sequenceNumber }));
}

interface EditedProps {
  readonly promptId: string;
  readonly name: string;
  readonly content: PromptVersionContent;
  readonly knownTags: readonly KnownTag[];
}

function Edited({ promptId, name, content, knownTags }: EditedProps) {
  const [start] = useState(() => draftOf(content));
  return <PromptEditor start={start} edited={{ promptId, name, content }} knownTags={knownTags} />;
}
