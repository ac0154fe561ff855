// Two traces side by side, step by step. Which traces, and which step, is in the address.
import { useMemo } from "react";
import { useParams } from "wouter";
import { EmptyState, Loaded } from "../../../kit/States.tsx";
import { useAddress } from "../../../lib/address.ts";
import { linkToProject, pathParameter } from "../../../lib/links.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { trailPart } from "../../../shell/navigation.ts";
import { Page } from "../../../shell/Page.tsx";
import { text as pageText, textsOf } from "../../../texts/texts.ts";
import { ComparedSides } from "./ComparedSides.tsx";
import { ComparedSteps } from "./ComparedSteps.tsx";
import { traceComparison } from "./comparison.queries.ts";
import styles from "./TraceComparisonPage.module.css";
import { comparisonTexts } from "./trace-comparison.late-texts.ts";

const text = textsOf(comparisonTexts);

export default function TraceComparisonPage() {
  const parameters = useParams<{ projectId: string; traceId: string }>();
  const [projectId, first] = [pathParameter(parameters.projectId ?? ""), pathParameter(parameters.traceId ?? "")];
  const second = useAddress().get("with") ?? "";
  const query = useGraphql(traceComparison, second === "" ? null : { first, second }, { fixed: true });
  const node = query.data?.node;
  const comparison = node?.__typename === "Trace" ? node.comparison : null;
  const project = comparison?.first.project.name ?? pageText("explorer.tab.traces");
  const trail = useMemo(
    () => [trailPart("projects"), { label: project, to: linkToProject(projectId) }],
    [project, projectId],
  );
  const isGone = second === "" || (query.data !== undefined && comparison == null);
  return (
    <Page title={pageText("traces.compare.title")} trail={trail}>
      {isGone ? (
        <EmptyState title={text("traces.compare.gone.title")}>{text("traces.compare.gone.text")}</EmptyState>
      ) : (
        <Loaded query={query}>
          {() =>
            comparison != null && (
              <div className={styles.page}>
                <ComparedSides comparison={comparison} />
                <ComparedSteps comparison={comparison} />
              </div>
            )
          }
        </Loaded>
      )}
    </Page>
  );
}
