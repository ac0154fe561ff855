// The drawn part of a chart: a canvas that is walked by pointer and by keys. Loaded on demand, because it brings the library.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { ChartTip, TIP_WIDTH, TipLine } from "./ChartTip.tsx";
import { type ChartKind, columnsOf, optionsOf } from "./drawing.ts";
import styles from "./Plot.module.css";
import { type Pointer, usePointed } from "./pointer.ts";
import { binAt, type ChartData, endOf, type Span, spanOf } from "./series.ts";
import { binText } from "./ticks.ts";

interface PlotProps {
  readonly name: string;
  readonly label: string;
  readonly describedBy: string;
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly height: number;
  readonly zone: string;
  readonly format: (value: number | null) => string;
  readonly axisFormat: (value: number) => string;
  readonly pointer: Pointer;
  readonly onSpan: (span: Span) => void;
}

/** Pixels between the place of the pointer and the box with its values. */
const TIP_GAP = 10;

export default function Plot(props: PlotProps) {
  const { name, label, describedBy, data, kind, height, zone, format, axisFormat, pointer, onSpan } = props;
  const host = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<uPlot | null>(null);
  /** Where a selection by keys began. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const pointed = usePointed(pointer);
  const colors = useThemeColors();
  const index = pointed === null || data.begins.length === 0 ? null : binAt(data, pointed.ms);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const options = optionsOf({
      data,
      kind,
      width: element.clientWidth,
      height,
      zone,
      axisFormat,
      colorOf: colors.of,
      onPoint: (at) => pointer.set(at === null ? null : { ms: data.begins[at] ?? 0, chart: name }),
      onSelect: (first, last) => latest.current.onSpan(spanOf(data, first, last)),
    });
    const drawn = new uPlot(options, columnsOf(data, kind), element);
    const resize = new ResizeObserver(() => {
      if (element.clientWidth !== drawn.width) drawn.setSize({ width: element.clientWidth, height });
    });
    resize.observe(element);
    setPlot(drawn);
    return () => {
      resize.disconnect();
      drawn.destroy();
      setPlot(null);
    };
  }, [data, kind, height, zone, axisFormat, pointer, name, colors]);

  // The line of another chart's pointer, and of keys.
  useEffect(() => {
    if (plot === null || (pointed?.chart === name && plot.cursor.event !== undefined)) return;
    const left = index === null ? -10 : plot.valToPos(middleOf(data, index), "x");
    plot.setCursor({ left, top: 0 }, false);
    delete plot.cursor.event;
  }, [plot, pointed, index, name, data]);

  useEffect(() => {
    // What the pointer selects is drawn by the library.
    if (plot === null || anchor === null || index === null) return;
    const { fromMs, toMs } = spanOf(data, anchor, index);
    const left = plot.valToPos(fromMs, "x");
    plot.setSelect({ left, top: 0, width: plot.valToPos(toMs, "x") - left, height: plot.over.clientHeight }, false);
    return () => plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }, [plot, anchor, index, data]);

  const last = data.begins.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const at = index ?? last;
    const to = { ArrowLeft: at - (index === null ? 0 : 1), ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = Math.min(last, Math.max(0, to));
      setAnchor(event.shiftKey ? (anchor ?? at) : null);
      pointer.set({ ms: data.begins[next] ?? 0, chart: name });
    } else if (event.key === "Enter" && index !== null) {
      event.preventDefault();
      setAnchor(null);
      onSpan(spanOf(data, anchor ?? index, index));
    } else if (event.key === "Escape" && (anchor !== null || pointed !== null)) {
      event.stopPropagation();
      setAnchor(null);
      pointer.set(null);
    }
  };

  const shown = index ?? last;
  const spanText = binText({ fromMs: data.begins[shown] ?? 0, toMs: endOf(data, shown) }, zone);
  const valuesText = data.series.map((each) => `${each.label} ${format(each.values[shown] ?? null)}`).join(", ");
  return (
    <div
      ref={host}
      className={styles.plot}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={`${spanText}: ${valuesText}`}
      onKeyDown={onKeyDown}
      onPointerLeave={() => pointer.set(null)}
      onBlur={() => {
        setAnchor(null);
        pointer.set(null);
      }}
    >
      {plot !== null && index !== null && pointed?.chart === name && (
        <Tip plot={plot} left={plot.valToPos(middleOf(data, index), "x")} title={spanText}>
          {data.series.map(({ key, label, color, values }) => (
            <TipLine key={key} {...{ label, color }} value={format(values[index] ?? null)} />
          ))}
        </Tip>
      )}
    </div>
  );
}

interface TipProps {
  readonly plot: uPlot;
  /** In the plot, in CSS pixels. */
  readonly left: number;
  readonly title: string;
  readonly children: React.ReactNode;
}

function Tip({ plot, left, title, children }: TipProps) {
  const origin = plot.over.offsetLeft + left;
  const beside = origin + TIP_GAP + TIP_WIDTH < plot.width ? origin + TIP_GAP : origin - TIP_GAP - TIP_WIDTH;
  return (
    <ChartTip title={title} style={{ left: Math.max(0, beside) }}>
      {children}
    </ChartTip>
  );
}

function middleOf(data: ChartData, index: number): number {
  return ((data.begins[index] ?? 0) + endOf(data, index)) / 2;
}

/** The colours of the tokens, read again with each theme: canvases do not follow style sheets by themselves. */
function useThemeColors() {
  const theme = useSyncExternalStore(subscribeToTheme, () => document.documentElement.dataset.theme ?? "");
  return useMemo(() => {
    const computed = getComputedStyle(document.documentElement);
    return { theme, of: (token: string) => computed.getPropertyValue(token).trim() };
  }, [theme]);
}

function subscribeToTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
