// Many equal spans as one: how long they took, which of them failed, and which took longest; each leads to itself.
import { CircleAlert } from "lucide-react";
import { KindGlyph } from "../../../../domain/trace/KindGlyph.tsx";
import type { Repeats } from "../../../../domain/trace/shown-span.ts";
import type { TreeNode } from "../../../../domain/trace/tree.ts";
import { formatDuration } from "../../../../lib/format.ts";
import { text } from "../../../../texts/texts.ts";
import styles from "./SpanDetail.module.css";

const MOST_FAILED = 50;
const SLOWEST = 5;

interface RepeatsDetailProps {
  readonly repeats: Repeats;
  readonly traceStartUs: number;
  readonly onSelect: (key: string) => void;
}

export function RepeatsDetail({ repeats, traceStartUs, onSelect }: RepeatsDetailProps) {
  const { name, kind, times, p50Us, members, failed } = repeats;
  const isSequence = times < members.length;
  const byLength = members.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  const p95Us = lengthOf(byLength[Math.floor((byLength.length - 1) * 0.05)]!);
  const lists = [
    { title: text("trace.repeats.failed"), nodes: failed.slice(0, MOST_FAILED), more: failed.length - MOST_FAILED },
    { title: text("trace.repeats.slowest"), nodes: byLength.slice(0, SLOWEST), more: 0 },
  ];
  return (
    <>
      <header className={styles.head}>
        <KindGlyph kind={kind} large />
        <h3 title={name}>
          <bdi>{name}</bdi>
        </h3>
        <small className={styles.kind}>{text("trace.repeats", { count: times })}</small>
      </header>
      <div className={styles.facts}>
        <span>{text("trace.repeats.p50", { time: formatDuration(p50Us / 1000) })}</span>
        {!isSequence && <span>{text("trace.repeats.p95", { time: formatDuration(p95Us / 1000) })}</span>}
        {failed.length > 0 && <b className={styles.bad}>{text("trace.errors", { count: failed.length })}</b>}
      </div>
      <div className={styles.cards}>
        {lists.map(
          ({ title, nodes, more }) =>
            nodes.length > 0 && (
              <section key={title}>
                <h4 className={styles.listTitle}>{title}</h4>
                <ul className={styles.members}>
                  {nodes.map((node) => (
                    <li key={node.key}>
                      <Member node={node} named={isSequence} traceStartUs={traceStartUs} onSelect={onSelect} />
                    </li>
                  ))}
                </ul>
                {more > 0 && <p className={styles.faint}>{text("trace.repeats.more", { count: more })}</p>}
              </section>
            ),
        )}
      </div>
    </>
  );
}

interface MemberProps extends Pick<RepeatsDetailProps, "traceStartUs" | "onSelect"> {
  readonly node: TreeNode;
  /** Its name is shown, because they have several. */
  readonly named: boolean;
}

function Member({ node, named, traceStartUs, onSelect }: MemberProps) {
  const isFailed = node.span?.status === "ERROR";
  return (
    <button type="button" className={styles.member} onClick={() => onSelect(node.key)}>
      <b>{formatDuration(lengthOf(node) / 1000)}</b>
      {named && <bdi className={styles.memberName}>{node.span?.name}</bdi>}
      <span>{text("span.events.at", { time: formatDuration((node.startUs - traceStartUs) / 1000) })}</span>
      {isFailed && (
        <span className={styles.bad}>
          <CircleAlert aria-hidden="true" />
          <bdi>{node.span?.error ?? text("trace.status.error")}</bdi>
        </span>
      )}
    </button>
  );
}

function lengthOf({ startUs, endUs }: TreeNode): number {
  return endUs - startUs;
}
