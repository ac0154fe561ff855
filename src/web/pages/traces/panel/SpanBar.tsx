// Above the spans: search, kinds and zoom.
import { Filter, Fullscreen, Search as SearchIcon, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { kindLooks, shownKinds } from "../../../domain/trace/kinds.ts";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { Checkbox, TextField } from "../../../kit/Field.tsx";
import { Popover } from "../../../kit/Menu.tsx";
import { formatCount } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./SpanBar.module.css";
import type { SpanList } from "./use-spans.ts";
import type { TimeView } from "./use-time-window.ts";

const ZOOM_STEP = 0.5;

interface SpanBarProps {
  readonly tree: TraceTree;
  readonly spans: SpanList;
  readonly time: TimeView;
  readonly field: RefObject<HTMLDivElement | null>;
  readonly nameWidth: number;
}

export function SpanBar({ tree, spans, time, field, nameWidth }: SpanBarProps) {
  const { search } = spans;
  // The field's own keys: the next hit, and Escape takes the words away.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && spans.words !== "") {
      event.stopPropagation();
      spans.setWords("");
    }
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    nextFound(spans, event.shiftKey ? -1 : 1);
  };
  return (
    <div className={styles.bar}>
      <div ref={field} className={styles.search} style={{ width: nameWidth }}>
        <TextField
          label={text("trace.find")}
          labelHidden
          type="search"
          placeholder={text("trace.find")}
          title={text("trace.find.hint")}
          icon={<SearchIcon />}
          value={spans.words}
          onChange={spans.setWords}
          onKeyDown={onKeyDown}
        />
      </div>
      <KindChoice tree={tree} spans={spans} />
      <span className={styles.note} role="status">
        {search.failure !== null && text("trace.find.failed", { message: search.failure.message })}
        {search.failure === null && search.running && text("trace.find.running")}
      </span>
      <div className={styles.zoom}>
        <IconButton
          small
          label={text("trace.zoom.out")}
          icon={<ZoomOut />}
          disabled={!time.zoomed}
          onClick={() => time.zoomBy(1 / ZOOM_STEP)}
        />
        <IconButton small label={text("trace.zoom.in")} icon={<ZoomIn />} onClick={() => time.zoomBy(ZOOM_STEP)} />
        <IconButton
          small
          label={text("trace.zoom.fit")}
          icon={<Fullscreen />}
          disabled={!time.zoomed}
          onClick={time.showAll}
        />
      </div>
    </div>
  );
}

/** Selects the next row that was searched for. */
function nextFound({ rows, selected, select }: SpanList, direction: 1 | -1): void {
  const at = rows.findIndex(({ node }) => node === selected);
  for (let by = 1; by <= rows.length; by++) {
    const row = rows[(at + direction * by + rows.length * 2) % rows.length];
    if (row === undefined || row.context || row.node.span === null) continue;
    select(row.node.key);
    return;
  }
}

function KindChoice({ tree, spans: { kinds, setKinds } }: { readonly tree: TraceTree; readonly spans: SpanList }) {
  const [open, setOpen] = useState(false);
  const counts = new Map<SpanKind, number>();
  for (const { span } of tree.byKey.values())
    if (span !== null) counts.set(span.kind, (counts.get(span.kind) ?? 0) + 1);
  const offered = shownKinds.filter((kind) => counts.has(kind) || kinds?.has(kind) === true);
  const change = (kind: SpanKind, chosen: boolean) => {
    const next = new Set(kinds ?? []);
    if (chosen) next.add(kind);
    else next.delete(kind);
    setKinds(next.size === 0 ? null : next);
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="start"
      label={text("trace.kinds")}
      trigger={
        <Button look={kinds === null ? "quiet" : "plain"} pressed={kinds !== null} icon={<Filter />}>
          {kinds === null ? text("trace.kinds") : text("trace.kinds.some", { count: kinds.size })}
        </Button>
      }
    >
      <div className={styles.kinds}>
        {offered.map((kind) => (
          <div key={kind} className={styles.kind}>
            <Checkbox
              label={text(kindLooks[kind].label)}
              checked={kinds?.has(kind) === true}
              onChange={(chosen) => change(kind, chosen)}
            />
            <KindGlyph kind={kind} />
            <span className={styles.count}>{formatCount(counts.get(kind) ?? 0)}</span>
          </div>
        ))}
        {kinds !== null && (
          <Button look="quiet" onClick={() => setKinds(null)}>
            {text("trace.kinds.all")}
          </Button>
        )}
      </div>
    </Popover>
  );
}
