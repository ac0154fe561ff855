// Uploads: their rows are taken in parts, and become a version of a dataset in one last transaction, or nothing.
import type { JobContext } from "../../../../jobs/job.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { uploadGivenUp, uploadRefused } from "../datasets.errors.ts";
import type { DatasetChange } from "../datasets.schema.ts";
import type { UploadedDatasets } from "./upload-new-dataset.service.ts";
import type { UploadPart, UploadSource } from "./upload-parts.rules.ts";
import type { ApplyUpload } from "./upload-version.service.ts";
import { MANY_ROWS, MOST_UPLOAD_ROWS, type UploadRange, type UploadsStore } from "./uploads.store.ts";

interface UploadsDependencies {
  readonly storage: Pick<Storage, "transaction" | "dialect" | "refreshStatistics">;
  readonly store: UploadsStore;
  readonly apply: ApplyUpload;
  readonly uploadedDatasets: UploadedDatasets;
  readonly clock: Clock;
  /** Row ids of spans by their exporters' ids; of those that share one, the newest. */
  readonly findSpans: (context: CallContext, spanKeys: readonly string[]) => Promise<Map<string, number>>;
}

export interface DatasetUploadsService {
  /** Throws kind `conflict` for a name that is taken, `invalid` for rows that do not go together. Nothing is left of what fails. */
  upload(context: CallContext, source: UploadSource): Promise<DatasetChange>;
  /** Takes the rows in, and lets `work` make something of them in one transaction. Nothing is left when either fails. */
  staged<Result>(
    context: CallContext,
    next: () => Promise<UploadPart | null>,
    work: (inner: CallContext, range: UploadRange, count: number) => Promise<Result>,
  ): Promise<Result>;
  /** Removes what uploads have left that no server goes on with. Resolves to false when more is left. */
  sweep(job: JobContext): Promise<boolean>;
}

/** An upload of which nothing has come for so long is given up. */
const GIVEN_UP_US = 3_600_000_000;

export function createDatasetUploadsService(dependencies: UploadsDependencies): DatasetUploadsService {
  const { storage, store, apply, uploadedDatasets, clock, findSpans } = dependencies;

  async function stagePart(context: CallContext, range: UploadRange, part: UploadPart): Promise<void> {
    if (part.position + part.count > MOST_UPLOAD_ROWS) {
      throw uploadRefused(`An upload has at most ${MOST_UPLOAD_ROWS} examples`);
    }
    const keys = [...new Set(part.spanKeys.map(([, key]) => key))];
    const spans = keys.length === 0 ? new Map<string, number>() : await findSpans(context, keys);
    const linked = part.spanKeys.flatMap(([position, key]) => {
      const spanId = spans.get(key);
      return spanId === undefined ? [] : [[position, spanId] as const];
    });
    const kept = await storage.transaction(context, async (inner) => {
      const isStaged = await store.stage(inner, range, part, clock.now());
      if (isStaged) await store.link(inner, range, linked);
      return isStaged;
    });
    if (!kept) throw uploadGivenUp();
  }

  async function clear(context: CallContext, range: UploadRange): Promise<void> {
    await store.abandon(context, range);
    let isLeft = true;
    while (isLeft) isLeft = await storage.transaction(context, (inner) => store.clearSlice(inner, range));
  }

  const startedUs = clock.now();
  /** A SQLite file has one server: of uploads from before its start, it goes on with none. */
  const givenUpBefore = () =>
    Math.max(clock.now() - GIVEN_UP_US, storage.dialect.name === "sqlite" ? startedUs : Number.NEGATIVE_INFINITY);

  /** Takes the rows in, and lets `finish` make something of them and commit the upload. */
  async function takeIn<Result>(
    context: CallContext,
    next: () => Promise<UploadPart | null>,
    finish: (range: UploadRange, count: number) => Promise<Result>,
  ): Promise<Result> {
    const range = await store.begin(context, clock.now());
    try {
      let count = 0;
      for (let part = await next(); part !== null; ) {
        // The next rows are read while these are written.
        const [following] = await bothDone(next(), stagePart(context, range, part));
        count += part.count;
        part = following;
      }
      const result = await finish(range, count);
      // Until then PostgreSQL would read all examples for a page of them. Best effort: its errors do not fail the upload.
      if (count >= MANY_ROWS) await storage.refreshStatistics().catch(() => {});
      return result;
    } finally {
      // What cannot be cleared now is swept later: the upload itself is decided.
      await clear(context, range).catch(() => {});
    }
  }

  const atOnce = <Result>(
    context: CallContext,
    range: UploadRange,
    work: (inner: CallContext) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      const made = await work(inner);
      await store.commit(inner, range);
      return made;
    });

  return {
    staged: (context, next, work) =>
      takeIn(context, next, (range, count) => atOnce(context, range, (inner) => work(inner, range, count))),

    upload: (context, source) =>
      takeIn(
        context,
        () => source.next(),
        async (range, count) => {
          const facts = await source.facts();
          if (await uploadedDatasets.isLargeAndNew(context, facts, count))
            return uploadedDatasets.make(context, range, facts, count, () => clock.now());
          return atOnce(context, range, (inner) => apply(inner, range, facts, count, clock.now()));
        },
      ),

    async sweep({ context, goOn, attempt }) {
      for (const range of await store.listLeft(context(), givenUpBefore())) {
        if (!goOn()) return false;
        await attempt(`upload ${range.upload}`, () => clear(context(), range));
      }
      return true;
    },
  };
}

/** Waits for both, whatever becomes of either; then throws what the first that failed threw. */
async function bothDone<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
