// Above the spans: search, kinds and zoom.
import {
  ChevronDown,
  ChevronUp,
  CircleDollarSign,
  Filter,
  Fullscreen,
  Route,
  Search as SearchIcon,
  Workflow,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { kindLooks, shownKinds } from "../../../domain/trace/kinds.ts";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { Checkbox, TextField } from "../../../kit/Field.tsx";
import { Popover } from "../../../kit/Menu.tsx";
import { formatCount } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import type { GraphView } from "./analysis/use-graph-view.ts";
import type { OverlayChoice } from "./analysis/use-overlay.ts";
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
  readonly overlay: OverlayChoice;
  readonly graph: GraphView;
  readonly onHit: (key: string) => void;
  /** Escape: back to the row that had the keys. */
  readonly onLeave: () => void;
}

export function SpanBar({ tree, spans, time, field, nameWidth, overlay, graph, onHit, onLeave }: SpanBarProps) {
  const [typed, setTyped] = useTyped(spans);
  const { hits } = spans;
  const at = hits.findIndex(({ node }) => node === spans.selected);
  const go = (step: 1 | -1) => {
    const next = at < 0 ? (step === 1 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length;
    if (hits[next] !== undefined) onHit(hits[next].node.key);
  };
  // The field's own keys: the next hit, and Escape takes the words away and goes back to the rows.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setTyped("");
      spans.setWords("");
      onLeave();
    }
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
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
          value={typed}
          onChange={setTyped}
          onKeyDown={onKeyDown}
        />
      </div>
      {spans.words === "" ? (
        <KindChoice tree={tree} spans={spans} />
      ) : (
        <span className={styles.hits}>
          <IconButton
            small
            label={text("trace.find.previous")}
            icon={<ChevronUp />}
            disabled={hits.length === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            small
            label={text("trace.find.next")}
            icon={<ChevronDown />}
            disabled={hits.length === 0}
            onClick={() => go(1)}
          />
        </span>
      )}
      <span className={styles.note} role="status">
        {noteOf(spans, at)}
      </span>
      <div className={styles.zoom}>
        <IconButton small label={text("trace.graph")} icon={<Workflow />} onClick={() => graph.show(true)} />
        <IconButton
          small
          label={text("trace.overlay.path")}
          icon={<Route />}
          pressed={overlay.mode === "path"}
          onClick={() => overlay.toggle("path")}
        />
        <IconButton
          small
          label={text("trace.overlay.money")}
          icon={<CircleDollarSign />}
          pressed={overlay.mode === "money"}
          onClick={() => overlay.toggle("money")}
        />
      </div>
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

/** `3 of 17`, or what stands in the way of it. */
function noteOf({ words, search, hits }: SpanList, at: number): string {
  if (search.failure !== null) return text("trace.find.failed", { message: search.failure.message });
  if (search.running) return text("trace.find.running");
  if (words === "" || search.found === null) return "";
  return at < 0
    ? text("trace.find.found", { count: hits.length })
    : text("trace.find.at", { position: at + 1, count: hits.length });
}

/** Milliseconds after the last key before the rows follow. */
const PAUSE_MS = 120;

/** What is typed shows at once; the address and the rows follow when the typing pauses. */
function useTyped({ words, setWords }: SpanList) {
  const [typed, setTyped] = useState(words);
  const sent = useRef(words);
  if (words !== sent.current) {
    // Changed elsewhere, by a link or by the button that shows all.
    sent.current = words;
    setTyped(words);
  }
  const send = useRef(setWords);
  send.current = setWords;
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      send.current(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const set = (next: string) => setTyped(next);
  return [typed, set] as const;
}

function KindChoice({ tree, spans: { kinds, setKinds } }: { readonly tree: TraceTree; readonly spans: SpanList }) {
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
