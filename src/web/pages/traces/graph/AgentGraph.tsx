// Graphs of agents: as a picture, or as a table. What is chosen, and how they are shown, is in the address of the page around it.
import { Network, Table2 } from "lucide-react";
import type { ReactNode } from "react";
import { Segmented } from "../../../kit/Field.tsx";
import { EmptyState } from "../../../kit/States.tsx";
import styles from "./AgentGraph.module.css";
import type { DrawnGraph, DrawnNode } from "./drawn-graph.ts";
import { GraphPicture } from "./GraphPicture.tsx";
import { GraphTable } from "./GraphTable.tsx";
import { graphText } from "./graph-text.ts";

interface AgentGraphProps {
  readonly graphs: readonly DrawnGraph[];
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
  /** Ids of steps. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (graph: DrawnGraph, node: DrawnNode) => void;
  /** Beside the switch. */
  readonly children?: ReactNode;
}

export function AgentGraph({ graphs, asTable, onTable, chosen, onChoose, children }: AgentGraphProps) {
  return (
    <div className={styles.graph}>
      <div className={styles.bar}>
        <Segmented
          label={graphText("graph.shown")}
          value={asTable ? "table" : "picture"}
          choices={[
            { value: "picture", label: graphText("graph.shown.picture"), icon: <Network /> },
            { value: "table", label: graphText("graph.shown.table"), icon: <Table2 /> },
          ]}
          onChange={(value) => onTable(value === "table")}
        />
        {children}
      </div>
      {graphs.length === 0 ? (
        <EmptyState title={graphText("graph.empty.title")}>{graphText("graph.empty.text")}</EmptyState>
      ) : asTable ? (
        <GraphTable graphs={graphs} chosen={chosen} onChoose={onChoose} />
      ) : (
        <GraphPicture graphs={graphs} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  );
}
