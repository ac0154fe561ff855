// The playground: begins empty, with a version of a prompt, with a call of a model, or with what the browser stored of it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { emptyDraft } from "../../domain/prompts/editor/prompt-draft.ts";
import { Loaded } from "../../kit/States.tsx";
import { useAddress } from "../../lib/address.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { linkTo, pathParameter } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { beginningOf } from "./beginnings.ts";
import { newOverDataset } from "./dataset-run.ts";
import { NoProvider } from "./NoProvider.tsx";
import { Playground } from "./Playground.tsx";
import { playgroundProviders } from "./playground.queries.ts";
import { newPlayground, type PlaygroundDraft, withTarget } from "./playground-draft.ts";
import { clearRuns } from "./runs.ts";
import { findStoredDraft, removeDraft } from "./stored-drafts.ts";
import { firstTarget, targetsOf } from "./targets.ts";

export default function PlaygroundPage() {
  const { spanId } = useParams<{ spanId?: string }>();
  const versionId = useAddress().get("version");
  const span = spanId === undefined ? null : pathParameter(spanId);
  const origin = span !== null ? `span ${span}` : versionId !== null ? `version ${versionId}` : "";
  return <Begun key={origin} origin={origin} spanId={span} versionId={versionId} />;
}

interface BegunProps {
  readonly origin: string;
  readonly spanId: string | null;
  readonly versionId: string | null;
}

/** What was asked for once, or null for what the browser stored. */
interface Beginning {
  readonly draft: PlaygroundDraft | null;
}

/** The draft that answers on the screen belong to. */
let shownOrigin: string | null = null;

function Begun({ origin, spanId, versionId }: BegunProps) {
  const [, navigate] = useLocation();
  const [round, setRound] = useState(0);
  const [stored] = useState(() => findStoredDraft(origin));
  const providers = useGraphql(playgroundProviders, {});
  const isStored = stored !== null && round === 0;
  const beginning = useQuery<Beginning, PageFailure>({
    queryKey: ["PlaygroundBeginning", origin],
    queryFn: async () => ({ draft: await beginningOf({ spanId, versionId }) }),
    enabled: !isStored,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shows: new Set() },
  });
  const reset = () => {
    removeDraft(origin);
    clearRuns();
    if (origin === "" || isStored) setRound((before) => before + 1);
    else navigate(linkTo("playground"));
  };
  if (shownOrigin !== origin) {
    // Answers of another draft are no answers to this one.
    if (shownOrigin !== null) clearRuns();
    shownOrigin = origin;
  }
  const loading = (
    <Page title={text("playground.title")}>
      <Loaded query={providers}>{() => (isStored ? null : <Loaded query={beginning}>{() => null}</Loaded>)}</Loaded>
    </Page>
  );
  if (providers.data === undefined || (!isStored && beginning.data === undefined)) return loading;
  const begun = isStored ? stored : (beginning.data?.draft ?? null);
  return (
    <Shown
      key={round}
      origin={origin}
      spanId={spanId}
      begun={begun}
      isStored={isStored}
      providers={providers.data}
      onReset={reset}
    />
  );
}

interface ShownProps {
  readonly origin: string;
  readonly spanId: string | null;
  readonly begun: PlaygroundDraft | null;
  readonly isStored: boolean;
  readonly providers: Parameters<typeof targetsOf>[0];
  readonly onReset: () => void;
}

function Shown({ origin, spanId, begun, isStored, providers, onReset }: ShownProps) {
  const targets = targetsOf(providers);
  const datasetId = useAddress().get("dataset");
  const over = (draft: PlaygroundDraft): PlaygroundDraft =>
    datasetId === null || draft.over?.datasetId === datasetId ? draft : { ...draft, over: newOverDataset(datasetId) };
  const [begin, setBegin] = useState<PlaygroundDraft | null>(() => {
    if (begun !== null) return over(begun);
    const target = firstTarget(targets);
    if (target === null) return null;
    const { variants, ...rest } = newPlayground(emptyDraft());
    const [variant] = variants;
    const chosen = withTarget(variant!, target);
    const model = target.models[0] ?? "";
    return over({ ...rest, variants: [{ ...chosen, prompt: { ...chosen.prompt, model } }] });
  });
  if (begin === null) {
    return (
      <Page title={text("playground.title")}>
        <NoProvider
          onUse={(baseUrl, model) =>
            setBegin(over(newPlayground({ ...emptyDraft(), provider: "OLLAMA", model }, { baseUrl })))
          }
        />
      </Page>
    );
  }
  return (
    <Playground
      origin={origin}
      spanId={spanId}
      begin={begin}
      wasStored={isStored}
      targets={targets}
      onReset={onReset}
    />
  );
}
