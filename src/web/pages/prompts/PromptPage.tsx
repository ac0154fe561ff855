// A prompt: its versions at the left, and what the chosen one says. The version stands in the address.
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { EmptyState, Loaded, Skeleton } from "../../kit/States.tsx";
import { useAddress } from "../../lib/address.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo, pathParameter } from "../../lib/links.ts";
import { useGraphql, useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { trailPart } from "../../shell/navigation.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { About } from "./About.tsx";
import { type PromptAction, PromptActions, PromptDialogs } from "./PromptActions.tsx";
import styles from "./PromptPage.module.css";
import { promptById, promptOf, type ShownPrompt, versionList, versionsOf } from "./prompts.queries.ts";
import { VersionHeader } from "./VersionHeader.tsx";
import { VersionList } from "./VersionList.tsx";
import { VersionView } from "./VersionView.tsx";

const { Part: UsageSection } = late(() => import("./usage/UsageSection.tsx"));
const { Part: TagHistory } = late(() => import("./TagHistory.tsx"));
const { Part: VersionComparison } = late(() => import("./VersionComparison.tsx"));

const trail = [trailPart("prompts")];

export default function PromptPage() {
  const { promptId = "" } = useParams<{ promptId: string }>();
  const query = useGraphql(promptById, { id: pathParameter(promptId) });
  const [action, setAction] = useState<PromptAction | null>(null);
  const { mayWrite } = useRights();
  const prompt = query.data === undefined ? undefined : promptOf(query.data);
  return (
    <Page
      title={prompt?.name ?? text("prompts.title")}
      trail={trail}
      actions={prompt && mayWrite && <PromptActions prompt={prompt} onChoose={setAction} />}
    >
      {prompt === null || query.error?.kind === "not_found" ? (
        <NoPrompt />
      ) : (
        <Loaded query={query}>{() => prompt && <Versions prompt={prompt} />}</Loaded>
      )}
      {prompt && action !== null && <PromptDialogs prompt={prompt} action={action} onClose={() => setAction(null)} />}
    </Page>
  );
}

const AT_ONCE = 100;

function Versions({ prompt }: { readonly prompt: ShownPrompt }) {
  const [, navigate] = useLocation();
  const { versionId } = useParams<{ versionId?: string }>();
  const list = useGraphqlPages(versionList, { id: prompt.id, first: AT_ONCE }, versionsOf);
  const address = useAddress();
  const comparedId = address.get("compare") ?? "";
  const chosenId = versionId === undefined ? list.rows?.[0]?.id : pathParameter(versionId);
  const chosen = list.rows?.find(({ id }) => id === chosenId);
  // Newest first; without a choice the one before it.
  const before = list.rows?.find(({ id, sequenceNumber }) =>
    comparedId === "" ? sequenceNumber === (chosen?.sequenceNumber ?? 0) - 1 : id === comparedId,
  );
  return (
    <div className={styles.columns}>
      <VersionList
        list={list}
        chosenId={chosenId}
        onChoose={(id) => navigate(linkTo("promptVersion", { promptId: prompt.id, versionId: id }))}
      />
      <div className={styles.content}>
        {chosenId !== undefined && (
          <>
            <VersionHeader
              prompt={prompt}
              version={chosen}
              versions={list.rows ?? []}
              comparedId={comparedId}
              onCompare={(compare) => address.set({ compare })}
            />
            {comparedId === "" ? (
              <VersionView versionId={chosenId} />
            ) : (
              <Late fallback={<Skeleton />}>
                <VersionComparison beforeId={comparedId} afterId={chosenId} versions={list.rows ?? []} />
              </Late>
            )}
          </>
        )}
        {chosen !== undefined && (
          <Late fallback={<Skeleton />}>
            <UsageSection version={chosen} before={before} />
          </Late>
        )}
        <Late>
          <TagHistory promptId={prompt.id} />
        </Late>
        <About prompt={prompt} />
      </div>
    </div>
  );
}

function NoPrompt() {
  return <EmptyState title={text("prompts.gone.title")}>{text("prompts.gone.text")}</EmptyState>;
}
