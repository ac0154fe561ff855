// A step of the graph: its figures, and the ways to what it was counted over.
import { literalOf, withPart } from "../../../domain/filter/chips.ts";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { LinkButton } from "../../../kit/Button.tsx";
import { useAddress } from "../../../lib/address.ts";
import { formatCost } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { text as shared, textsOf } from "../../../texts/texts.ts";
import type { DrawnNode } from "../graph/drawn-graph.ts";
import { figureWords } from "../graph/graph-words.ts";
import styles from "./ProjectGraphPage.module.css";
import { projectGraphTexts } from "./project-graph.late-texts.ts";

const text = textsOf(projectGraphTexts);
const RANGE = ["range", "from", "to"];

export function ChosenStep({ projectId, node }: { readonly projectId: string; readonly node: DrawnNode }) {
  const { parameters } = useAddress();
  const { key, kind, name, errorCount, cost } = node;
  const link = (list: "traces" | "spans", filter: string) => {
    const kept = [...parameters].filter(([parameter]) => RANGE.includes(parameter));
    return `${linkTo(list, { projectId })}?${new URLSearchParams([...kept, ["filter", filter]])}`;
  };
  // What names its node itself may have spans of other names.
  const isNamed = key !== `${kind}:${name}`;
  const ofSpan = (span: string) =>
    isNamed
      ? `${span}attributes['graph']['node']['id'] == ${literalOf(key)}`
      : `${span}span_kind == ${literalOf(kind)} and ${span}name == ${literalOf(name)}`;
  return (
    <section aria-label={text("project-graph.step")} className={styles.part}>
      <h2 className={styles.name}>
        <KindGlyph kind={kind} large />
        <bdi>{name}</bdi>
      </h2>
      <p className={styles.facts}>
        <span>{figureWords(node)}</span>
        {cost > 0 && <span>{formatCost(cost)}</span>}
        {errorCount > 0 && <b className={styles.bad}>{shared("trace.errors", { count: errorCount })}</b>}
      </p>
      <p className={styles.links}>
        {!isNamed && (
          <LinkButton
            to={link("traces", withPart(parameters.get("filter") ?? "", `any(${ofSpan("s.")} for s in spans)`))}
          >
            {text("project-graph.to-traces")}
          </LinkButton>
        )}
        <LinkButton to={link("spans", ofSpan(""))}>{text("project-graph.to-spans")}</LinkButton>
      </p>
    </section>
  );
}
