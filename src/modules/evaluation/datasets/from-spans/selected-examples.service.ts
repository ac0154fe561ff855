// Spans as examples of a dataset: what each says, what it expects by a rule, and which corrections its annotations hold.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SpanReadsService } from "../../../tracing/spans/reading/span-reads.service.ts";
import type { SpanRecord } from "../../../tracing/spans/spans.schema.ts";
import type { AnnotationConfigsService } from "../../annotation-configs/annotation-configs.service.ts";
import { targetKinds } from "../../annotations/annotation-targets.rules.ts";
import type { AnnotationsService } from "../../annotations/annotations.service.ts";
import { correctionNames } from "./corrected-output.rules.ts";
import {
  type ExpectedOutput,
  type ExpectedOutputRule,
  expectedOutputOf,
  wholeOutput,
} from "./expected-output.rules.ts";
import { exampleOfSpan, type SpanExample } from "./span-example.rules.ts";

interface SelectedExamplesDependencies {
  readonly spanReads: SpanReadsService;
  readonly annotations: AnnotationsService;
  readonly configs: AnnotationConfigsService;
}

/** `output` is what is expected. */
export interface SelectedExample extends SpanExample, ExpectedOutput {
  readonly span: SpanRecord;
  /** What the span answered. */
  readonly answer: JsonObject;
  /** Names of annotations. */
  readonly corrections: readonly string[];
}

interface ExpectedOfSpans {
  readonly rule: ExpectedOutputRule;
  /** Each stands for its trace, also where its parent is missing. */
  readonly areRoots: boolean;
}

export interface SelectedExamplesService {
  /** By row id; spans that are gone are left out. */
  read(
    context: CallContext,
    spans: readonly SpanRecord[],
    expected?: ExpectedOfSpans,
  ): Promise<Map<number, SelectedExample>>;
}

export function createSelectedExamplesService(dependencies: SelectedExamplesDependencies): SelectedExamplesService {
  const { spanReads, annotations, configs } = dependencies;

  /** By the names of the annotations; nothing is read for rules that do not ask. */
  async function configsFor(
    context: CallContext,
    { takes }: ExpectedOutputRule,
    annotations: readonly { readonly name: string }[],
  ) {
    const names = takes === "OUTPUT_UNLESS_FAILED" ? [...new Set(annotations.map(({ name }) => name))] : [];
    const known = names.length > 0 ? await configs.findByNames(context, names) : [];
    return new Map(known.map((config) => [config.name, config]));
  }

  /** Annotations of the traces that the spans stand for, by row id of the trace. */
  async function ofTraces(context: CallContext, spans: readonly SpanRecord[], { rule, areRoots }: ExpectedOfSpans) {
    const isAsked = rule.takes === "OUTPUT_UNLESS_FAILED" || rule.takes === "CORRECTED_OUTPUT";
    const roots = isAsked ? spans.filter(({ parentKey }) => areRoots || parentKey === null) : [];
    const traceIds = [...new Set(roots.map(({ traceId }) => traceId))];
    const found = traceIds.length === 0 ? new Map() : await annotations.listOf(context, targetKinds.trace, traceIds);
    return new Map(roots.map(({ id, traceId }) => [id, found.get(traceId) ?? []]));
  }

  return {
    async read(context, spans, expected = { rule: wholeOutput, areRoots: false }) {
      const ids = spans.map(({ id }) => id);
      // A context of its own: what one part holds is gone before the next.
      const [payloads, ofSpans, ofRoots] = await Promise.all([
        readInParts(spanReads, context, ids),
        annotations.listOf(context, targetKinds.span, ids),
        ofTraces(context, spans, expected),
      ]);
      const byName = await configsFor(context, expected.rule, [...ofSpans.values(), ...ofRoots.values()].flat());
      return new Map(
        spans.flatMap((span) => {
          const attributes = payloads.get(span.id);
          if (attributes === undefined) return [];
          const own = ofSpans.get(span.id) ?? [];
          const example = exampleOfSpan(span.kind, attributes, own);
          const all = [...own, ...(ofRoots.get(span.id) ?? [])];
          const { status, statusMessage } = span;
          const judged = { status, statusMessage, answer: example.output, annotations: all };
          const decided = expectedOutputOf(expected.rule, judged, (name) => byName.get(name));
          const corrections = correctionNames(all);
          return [[span.id, { ...example, ...decided, span, answer: example.output, corrections }] as const];
        }),
      );
    },
  };
}

/** The attributes of spans. Each part is read in a context of its own, which bounds what it holds. */
async function readInParts(
  spanReads: SpanReadsService,
  context: CallContext,
  ids: readonly number[],
): Promise<Map<number, JsonObject>> {
  const found = new Map<number, JsonObject>();
  const read = async (part: readonly number[]): Promise<void> => {
    try {
      for (const [id, payload] of await spanReads.readPayloads({ ...context }, part)) found.set(id, payload.attributes);
    } catch (error) {
      // Too large together: each half has another chance, and a single span is read at any size.
      if (part.length === 1) throw error;
      const middle = Math.ceil(part.length / 2);
      await read(part.slice(0, middle));
      await read(part.slice(middle));
    }
  };
  if (ids.length > 0) await read(ids);
  return found;
}
