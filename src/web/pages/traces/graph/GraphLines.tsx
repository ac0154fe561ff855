// The edges of the graphs: as wide as they have calls, with the count where there are several; those that lead back are drawn below the cards.
import { memo } from "react";
import { classes } from "../../../kit/classes.ts";
import styles from "./GraphPicture.module.css";
import { type GraphLayout, START_RADIUS } from "./graph-layout.ts";
import { graphText } from "./graph-text.ts";

export const GraphLines = memo(function GraphLines({ layout }: { readonly layout: GraphLayout }) {
  return (
    <svg className={styles.lines} width={layout.width} height={layout.height} aria-hidden="true">
      {layout.starts.map(({ id, x, y }) => (
        <circle key={id} className={styles.start} cx={x} cy={y} r={START_RADIUS} />
      ))}
      {layout.lines.map(({ id, edge, path, head, stroke }) => (
        <g key={id} className={classes(styles.line, edge.isBack && styles.back)}>
          <path d={path} strokeWidth={stroke} />
          <path d={head} className={styles.arrow} />
        </g>
      ))}
      {layout.lines.map(
        ({ id, edge, labelX, labelY }) =>
          (edge.times > 1 || edge.isBack) && (
            <text key={id} x={labelX} y={labelY} className={classes(styles.times, edge.isBack && styles.back)}>
              {graphText("graph.times", { count: edge.times })}
            </text>
          ),
      )}
    </svg>
  );
});
