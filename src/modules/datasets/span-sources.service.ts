// Examples out of the spans of a selection. They are read and stored in parts, and make one version.
import { countFitting } from "../../kernel/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import { targetKinds } from "../annotations/annotation-targets.rules.ts";
import type { AnnotationsService } from "../annotations/annotations.service.ts";
import type { SpanReadsService } from "../spans/span-reads.service.ts";
import type { SpanRecord } from "../spans/spans.schema.ts";
import type { DatasetChangesService } from "./dataset-changes.service.ts";
import { hashedContent } from "./dataset-content.rules.ts";
import { nothingChosen } from "./datasets.errors.ts";
import type { Dataset, DatasetChange, VersionWords } from "./datasets.schema.ts";
import { exampleOfSpan, type SpanExample } from "./span-example.rules.ts";
import type { SpanSelection, SpanSelections } from "./span-selections.service.ts";
import { type UploadPart, type UploadRow, uploadPart } from "./upload-parts.rules.ts";

interface SpanSourcesDependencies {
  readonly selections: SpanSelections;
  readonly spanReads: Pick<SpanReadsService, "findSpans" | "readPayloads">;
  readonly annotations: Pick<AnnotationsService, "listOf">;
  readonly changes: Pick<DatasetChangesService, "addParts">;
}

export interface SpanSourcesService {
  /** Adds an example for each of the spans, in one version. Throws kind `not_found` for spans, traces and sessions that are not
   *  there, `invalid` when nothing is chosen, and as a list of spans does for a condition. */
  addSpans(
    context: CallContext,
    dataset: Pick<Dataset, "id" | "name">,
    selection: SpanSelection,
    words: VersionWords,
    /** Names of the splits that the examples are put into; those that nobody has made yet are made. */
    splits?: readonly string[],
  ): Promise<DatasetChange>;
  /** What spans would be as examples, by row id. */
  findSpanExamples(context: CallContext, spanIds: readonly number[]): Promise<Map<number, SpanExample>>;
}

/** Of the texts of examples that are held at once. */
const PART_CHARACTERS = 2 * 1024 * 1024;

export function createSpanSourcesService(dependencies: SpanSourcesDependencies): SpanSourcesService {
  const { selections, spanReads, annotations, changes } = dependencies;

  async function examplesOf(context: CallContext, spans: readonly SpanRecord[]): Promise<Map<number, SpanExample>> {
    const ids = spans.map(({ id }) => id);
    // A context of its own: what one part holds is gone before the next.
    const [payloads, said] = await Promise.all([
      readInParts(spanReads, context, ids),
      annotations.listOf(context, targetKinds.span, ids),
    ]);
    return new Map(
      spans.flatMap(({ id, kind }) => {
        const attributes = payloads.get(id);
        return attributes === undefined ? [] : [[id, exampleOfSpan(kind, attributes, said.get(id) ?? [])] as const];
      }),
    );
  }

  async function* partsOf(
    context: CallContext,
    selection: SpanSelection,
    splits: readonly string[],
  ): AsyncGenerator<UploadPart> {
    let position = 0;
    for await (const spans of selections.chosen(context, selection)) {
      const found = await examplesOf(context, spans);
      const rows = spans.flatMap(({ id }): UploadRow[] => {
        const example = found.get(id);
        return example === undefined ? [] : [rowOf(id, example, splits)];
      });
      for (let at = 0; at < rows.length; ) {
        const rest = rows.slice(at);
        const part = rest.slice(0, countFitting(rest, PART_CHARACTERS, lengthOf));
        yield uploadPart(position, part);
        position += part.length;
        at += part.length;
      }
    }
    if (position === 0) throw nothingChosen();
  }

  return {
    addSpans(context, dataset, selection, words, splits = []) {
      const parts = partsOf(context, selection, splits);
      const next = async () => {
        const { done, value } = await parts.next();
        return done === true ? null : value;
      };
      return changes.addParts(context, dataset, next, words);
    },

    async findSpanExamples(context, spanIds) {
      const found = await spanReads.findSpans(context, spanIds);
      return examplesOf(context, [...found.values()]);
    },
  };
}

/** The attributes of spans. Each part is read in a context of its own, which bounds what it holds. */
async function readInParts(
  spanReads: Pick<SpanReadsService, "readPayloads">,
  context: CallContext,
  ids: readonly number[],
) {
  const found = new Map<
    number,
    Awaited<ReturnType<SpanReadsService["readPayloads"]>> extends Map<number, infer Payload>
      ? Payload extends { readonly attributes: infer Attributes }
        ? Attributes
        : never
      : never
  >();
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

function rowOf(spanId: number, { input, output, metadata }: SpanExample, splits: readonly string[]): UploadRow {
  const content = hashedContent(input, output, metadata);
  return { ...content, externalId: null, namedExample: null, spanKey: null, spanId, splits };
}

const lengthOf = ({ input, output, metadata }: UploadRow) => input.length + output.length + metadata.length;
