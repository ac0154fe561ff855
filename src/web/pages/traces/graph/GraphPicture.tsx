// The graphs as a picture: cards from left to right, edges behind them. Only the cards are read aloud; each says what follows it.
import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { IconButton } from "../../../kit/Button.tsx";
import { text } from "../../../texts/texts.ts";
import type { DrawnGraph, DrawnNode } from "./drawn-graph.ts";
import { GraphCardFace } from "./GraphCardFace.tsx";
import { GraphLines } from "./GraphLines.tsx";
import styles from "./GraphPicture.module.css";
import { type Frame, type GraphCard, HEAD_HEIGHT, layoutGraphs } from "./graph-layout.ts";
import { graphText } from "./graph-text.ts";
import { type GraphKey, graphKeys, walkGraph } from "./graph-walk.ts";
import { useGraphViewport } from "./use-graph-viewport.ts";

const ZOOM_STEP = 1.4;

interface GraphPictureProps {
  readonly graphs: readonly DrawnGraph[];
  /** Ids of steps. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (graph: DrawnGraph, node: DrawnNode) => void;
}

export function GraphPicture({ graphs, chosen, onChoose }: GraphPictureProps) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const layout = useMemo(() => layoutGraphs(graphs, turned), [graphs, turned]);
  const view = useRef<HTMLDivElement>(null);
  const { viewport, handlers, zoomBy, showAll, show } = useGraphViewport(view, layout);
  const [walked, setWalked] = useState<string | null>(null);
  const active =
    (layout.cards.find(({ id }) => id === walked) ?? layout.cards.find(({ step }) => chosen.has(step)))?.id ??
    layout.cards[0]?.id;
  const focusOn = (id: string) =>
    view.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  const onFocus = (card: GraphCard, byKeys: boolean) => {
    setWalked(card.id);
    if (byKeys) show(card.isOpen === true ? { ...card, height: HEAD_HEIGHT } : card);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "+" || event.key === "=") zoomBy(ZOOM_STEP);
    else if (event.key === "-") zoomBy(1 / ZOOM_STEP);
    else if (event.key === "0") showAll();
    else if (graphKeys.has(event.key) && active !== undefined) {
      const next = walkGraph(layout, active, event.key as GraphKey);
      if (next !== null) focusOn(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const toggle = (id: string) => {
    setWalked(id);
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  };
  const open = layout.cards.filter(({ isOpen }) => isOpen === true);
  const { x, y, scale } = viewport;
  return (
    <div className={styles.picture}>
      <div
        ref={view}
        role="group"
        aria-label={graphText("graph.label")}
        className={styles.view}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <div
          className={styles.plane}
          style={{
            transform: `translate(${x}px, ${y}px) scale(${scale})`,
            width: layout.width,
            height: layout.height,
          }}
        >
          {layout.titles.map(({ id, graph, hidden, ...frame }) => (
            <div key={id} className={styles.frame} style={placeOf(frame)}>
              <p className={styles.title}>
                <KindGlyph kind={graph.kind} />
                <bdi className={styles.word} title={graph.name}>
                  {graph.name}
                </bdi>
                <small>{graphText("graph.runs", { count: graph.runCount })}</small>
                {hidden > 0 && <small>{graphText("graph.hidden", { count: hidden })}</small>}
              </p>
            </div>
          ))}
          {open.map((card) => (
            <div key={card.id} className={styles.frame} style={placeOf(card)} />
          ))}
          <GraphLines layout={layout} />
          {layout.cards.map((card) => (
            <GraphCardFace
              key={card.id}
              card={card}
              active={card.id === active}
              chosen={chosen.has(card.step)}
              onFocus={onFocus}
              onChoose={onChoose}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
      <div className={styles.zoom}>
        <IconButton label={text("trace.zoom.out")} icon={<ZoomOut />} onClick={() => zoomBy(1 / ZOOM_STEP)} />
        <IconButton label={text("trace.zoom.in")} icon={<ZoomIn />} onClick={() => zoomBy(ZOOM_STEP)} />
        <IconButton label={graphText("graph.fit")} icon={<Maximize />} onClick={showAll} />
      </div>
    </div>
  );
}

export function placeOf({ x, y, width, height }: Frame) {
  return { left: x, top: y, width, height };
}
