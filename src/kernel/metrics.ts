// Counters, gauges and histograms of this process, and their text in the format that Prometheus reads
// (https://prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4). Opens no port.
import { fail } from "./failure.ts";

export type Labels<Name extends string> = Readonly<Record<Name, string>>;
/** Labels are required exactly when the metric was declared with some. */
type LabelArguments<Name extends string> = [Name] extends [never] ? [] : [labels: Labels<Name>];

interface Counter<Name extends string> {
  /** Counters only grow. */
  add(amount: number, ...labels: LabelArguments<Name>): void;
}

interface Gauge<Name extends string> {
  set(value: number, ...labels: LabelArguments<Name>): void;
}

interface Histogram<Name extends string> {
  observe(value: number, ...labels: LabelArguments<Name>): void;
}

/** Names are whole, with their unit, e.g. `spanlight_ingest_spans_total`. A name can be declared once. Values of labels must
 *  come from a small fixed set: every combination is kept for as long as the process lives. */
export interface Metrics {
  counter<const Name extends string = never>(name: string, help: string, labels?: readonly Name[]): Counter<Name>;
  gauge<const Name extends string = never>(name: string, help: string, labels?: readonly Name[]): Gauge<Name>;
  /** A gauge whose value is asked for when the text is made. */
  measuredGauge(name: string, help: string, measure: () => number): void;
  /** Counters that something else counts, set when the text is made. */
  measuredCounters<const Name extends string>(name: string, help: string, labels: readonly Name[]): Gauge<Name>;
  /** A counter that something else counts. */
  measuredCounter(name: string, help: string, measure: () => number): void;
  /** `bounds` are the inclusive upper bounds of the buckets, growing; the last bucket, without bound, is added. */
  histogram<const Name extends string = never>(
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly Name[],
  ): Histogram<Name>;
  /** All metrics in the order of their declaration. */
  text(): string;
}

type Kind = "counter" | "gauge" | "histogram";
type LabelValues = Readonly<Record<string, string>> | undefined;

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

export function createMetrics(): Metrics {
  const families = new Map<string, () => string>();

  function declare(name: string, help: string, kind: Kind, labels: readonly string[], samples: () => string): void {
    if (!METRIC_NAME.test(name)) throw fail("metrics.name", "internal", `"${name}" is not the name of a metric`);
    if (families.has(name)) throw fail("metrics.declared", "internal", `${name} is declared twice`);
    const wrong = labels.find((label) => !LABEL_NAME.test(label) || (kind === "histogram" && label === "le"));
    if (wrong !== undefined) throw fail("metrics.label", "internal", `${name} cannot have a label "${wrong}"`);
    families.set(name, () => `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${kind}\n${samples()}`);
  }

  /** The numbers of a metric by the text of its labels; one without labels is there from the start, as zero. */
  function seriesOf<Value>(labels: readonly string[], create: () => Value) {
    const series = new Map<string, Value>(labels.length === 0 ? [["", create()]] : []);
    const at = (values: LabelValues): Value => {
      const key = labels.map((label) => `${label}="${escapeLabel(values?.[label] ?? "")}"`).join(",");
      let value = series.get(key);
      if (value === undefined) {
        value = create();
        series.set(key, value);
      }
      return value;
    };
    return { series, at };
  }

  function declareNumbers(name: string, help: string, kind: "counter" | "gauge", labels: readonly string[]) {
    const { series, at } = seriesOf(labels, () => ({ value: 0 }));
    declare(name, help, kind, labels, () => [...series].map(([key, { value }]) => sample(name, key, value)).join(""));
    return at;
  }

  return {
    counter(name, help, labels = []) {
      const at = declareNumbers(name, help, "counter", labels);
      return {
        add(amount, ...[values]) {
          if (!(amount >= 0)) throw fail("metrics.amount", "internal", `${name} cannot grow by ${amount}`);
          at(values).value += amount;
        },
      };
    },
    gauge(name, help, labels = []) {
      const at = declareNumbers(name, help, "gauge", labels);
      return {
        set(value, ...[values]) {
          at(values).value = value;
        },
      };
    },
    measuredCounters(name, help, labels) {
      const at = declareNumbers(name, help, "counter", labels);
      return {
        set(value, ...[values]) {
          at(values).value = value;
        },
      };
    },
    measuredGauge(name, help, measure) {
      declare(name, help, "gauge", [], () => sample(name, "", measure()));
    },
    measuredCounter(name, help, measure) {
      declare(name, help, "counter", [], () => sample(name, "", measure()));
    },
    histogram(name, help, bounds, labels = []) {
      if (bounds.some((bound, position) => position > 0 && !(bound > bounds[position - 1]!))) {
        throw fail("metrics.bounds", "internal", `The bounds of ${name} do not grow`);
      }
      const { series, at } = seriesOf(labels, () => ({ counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }));
      declare(name, help, "histogram", labels, () =>
        [...series].map(([key, { counts, sum }]) => histogramSamples(name, key, bounds, counts, sum)).join(""),
      );
      return {
        observe(value, ...[values]) {
          const histogram = at(values);
          const bucket = bounds.findIndex((bound) => value <= bound);
          histogram.counts[bucket < 0 ? bounds.length : bucket]!++;
          histogram.sum += value;
        },
      };
    },
    text: () => [...families.values()].map((family) => family()).join(""),
  };
}

function histogramSamples(
  name: string,
  key: string,
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
): string {
  const prefix = key === "" ? "" : `${key},`;
  let below = 0;
  const buckets = counts.map((count, bucket) => {
    below += count;
    return sample(`${name}_bucket`, `${prefix}le="${numberText(bounds[bucket] ?? Infinity)}"`, below);
  });
  return `${buckets.join("")}${sample(`${name}_sum`, key, sum)}${sample(`${name}_count`, key, below)}`;
}

function sample(name: string, key: string, value: number): string {
  return `${name}${key === "" ? "" : `{${key}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replace(/"/g, '\\"');
}
