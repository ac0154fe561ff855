// The traces of a project as one graph of their agents, with the steps that cost most time beside it. Filter, range and step are in the
// address.
import { useMemo } from "react";
import { useParams } from "wouter";
import { FilterBar } from "../../../domain/filter/FilterBar.tsx";
import { ProjectPage } from "../../../explorer/ProjectPage.tsx";
import { RangeActions } from "../../../explorer/RangeActions.tsx";
import { useExplorerState } from "../../../explorer/use-explorer-state.ts";
import { useVocabulary } from "../../../explorer/use-vocabulary.ts";
import { classes } from "../../../kit/classes.ts";
import { EmptyState, Loaded, Skeleton } from "../../../kit/States.tsx";
import { useAddress } from "../../../lib/address.ts";
import { useGraphql, useRefresh } from "../../../lib/queries.ts";
import { LiveRange } from "../../../lib/time-range.ts";
import { textsOf } from "../../../texts/texts.ts";
import { AgentGraph } from "../graph/AgentGraph.tsx";
import { drawnGraphs, stepId } from "../graph/drawn-graph.ts";
import { ChosenStep } from "./ChosenStep.tsx";
import styles from "./ProjectGraphPage.module.css";
import { projectGraphTexts } from "./project-graph.late-texts.ts";
import { checkGraphed, graphVocabulary, projectGraph, type TraceAnalysis } from "./project-graph.queries.ts";
import { SavingSteps } from "./SavingSteps.tsx";

const text = textsOf(projectGraphTexts);
const shown = ["traces"] as const;
/** Parameters of the address. */
const LAYOUT = "layout";
const TABLE = "table";
const STEP = "step";

export default function ProjectGraphPage() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const { condition, setCondition, range, setRange } = useExplorerState();
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const query = useGraphql(projectGraph, { id: projectId, timeRange, condition }, { keepPrevious: true });
  const vocabulary = useGraphql(graphVocabulary, { id: projectId }).data?.node;
  const words = useVocabulary(vocabulary?.__typename === "Project" ? vocabulary.vocabulary : undefined);
  const refresh = useRefresh(shown);
  const node = query.data?.node;
  const analysis = node?.__typename === "Project" ? node.traceAnalysis : null;
  return (
    <ProjectPage
      projectId={projectId}
      tab="graph"
      actions={<RangeActions range={range} onRange={setRange} onRefresh={refresh} />}
    >
      <div className={styles.filter}>
        <FilterBar
          name="traces"
          condition={condition}
          onCondition={setCondition}
          vocabulary={words}
          placeholder={text("project-graph.filter")}
          check={{ document: checkGraphed, of: { id: projectId } }}
        />
      </div>
      <Loaded query={query} loading={<Skeleton lines={10} />}>
        {() =>
          analysis === null || analysis.traceCount === 0 ? (
            <EmptyState title={text("project-graph.empty.title")}>{text("project-graph.empty.text")}</EmptyState>
          ) : (
            <div className={classes(styles.sides, query.isPlaceholderData && styles.stale)}>
              <Sides projectId={projectId} analysis={analysis} />
            </div>
          )
        }
      </Loaded>
    </ProjectPage>
  );
}

function Sides({ projectId, analysis }: { readonly projectId: string; readonly analysis: TraceAnalysis }) {
  const { agentGraphs, instantSteps, traceCount, isComplete, durationMs } = analysis;
  const { get, set } = useAddress();
  const graphs = useMemo(() => drawnGraphs(agentGraphs), [agentGraphs]);
  const step = get(STEP);
  const chosen = graphs
    .flatMap((graph) => graph.nodes.map((each) => ({ graph, each })))
    .find(({ graph, each }) => stepId(graph, each) === step);
  return (
    <>
      <AgentGraph
        graphs={graphs}
        asTable={get(LAYOUT) === TABLE}
        onTable={(asTable) => set({ [LAYOUT]: asTable ? TABLE : null }, "replace")}
        chosen={new Set(step === null ? [] : [step])}
        onChoose={(graph, each) =>
          set({ [STEP]: stepId(graph, each) === step ? null : stepId(graph, each) }, "replace")
        }
      >
        <span role="status">
          {text(isComplete ? "project-graph.traces" : "project-graph.newest", { count: traceCount })}
        </span>
      </AgentGraph>
      <aside className={styles.aside}>
        {chosen !== undefined && <ChosenStep projectId={projectId} node={chosen.each} />}
        <SavingSteps steps={instantSteps} durationMs={durationMs} />
      </aside>
    </>
  );
}
