// What hangs below a span, page by page, against the same walk in memory, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { sendSpans } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { openForSuite } from "../support/suite.ts";

interface Link {
  readonly id: number;
  readonly parent: number | null;
  readonly startMs: number;
}

interface Page {
  readonly node: {
    readonly descendants: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly spanId: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
    };
  };
}

/** Below 1 more children than are read at once, below 2 and 3 a tree. Siblings arrive in another order than they start, some together. */
const TREE: Link[] = [
  { id: 1, parent: null, startMs: 0 },
  { id: 2, parent: 1, startMs: 50 },
  { id: 3, parent: 1, startMs: 10 },
  ...Array.from({ length: 1100 }, (_, at) => ({ id: 1000 + at, parent: 1, startMs: 20 + ((at * 7) % 40) })),
  ...Array.from({ length: 60 }, (_, at) => ({
    id: 100 + at,
    parent: [2, 3, 100, 101, 110][at % 5]!,
    startMs: 90 - at,
  })),
];
/** 201 to 203 lead to each other, 204 to itself; each has something else below. */
const CYCLES: Link[] = [
  ...[201, 202, 203].map((id) => ({ id, parent: id === 201 ? 203 : id - 1, startMs: id })),
  { id: 204, parent: 204, startMs: 0 },
  ...[201, 202, 204].map((parent) => ({ id: parent + 10, parent, startMs: 0 })),
];

forEachDriver("what is below a span", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const exportSpans = async (body: Uint8Array<ArrayBuffer>) => {
      await send(api.server, "POST /v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
    };
    await sendSpans(
      exportSpans,
      "below",
      [...TREE, ...CYCLES].map((link) => otlpSpan(link, TREE.includes(link))),
    );
    // The same keys in another trace, and an orphan.
    await sendSpans(exportSpans, "below", [otlpSpan({ id: 5, parent: 1, startMs: 0 }, false)]);
  });

  async function readPage(id: number, page: string): Promise<Page["node"]["descendants"]> {
    const { span } = await askData<{ span: { id: string } }>(
      api,
      `{ span: getSpanByOtelId(spanId: "${spanId(id)}") { id } }`,
    );
    const query = `{ node(id: "${span.id}") { ... on Span { descendants(${page}) {
      edges { cursor node { spanId } } pageInfo { hasNextPage hasPreviousPage } } } } }`;
    return (await askData<Page>(api, query)).node.descendants;
  }

  async function readAll(id: number, maxDepth: number, first: number): Promise<number[]> {
    const found: number[] = [];
    for (let after = ""; ; ) {
      const { edges, pageInfo } = await readPage(id, `maxDepth: ${maxDepth}, first: ${first}, after: "${after}"`);
      found.push(...edges.map(({ node }) => Number(node.spanId)));
      if (!pageInfo.hasNextPage) return found;
      after = edges.at(-1)!.cursor;
    }
  }

  test("every span comes once, level by level, siblings by start", async () => {
    for (const first of [5000, 1000, 333]) expect(await readAll(1, 0, first)).toEqual(walk(TREE, 1, 0));
    for (const maxDepth of [1, 2, 3]) expect(await readAll(1, maxDepth, 900)).toEqual(walk(TREE, 1, maxDepth));
    for (const id of [2, 3, 100, 1000]) expect(await readAll(id, 0, 7)).toEqual(walk(TREE, id, 0));
  });

  test("a page before a cursor, and the end of the list", async () => {
    const all = walk(TREE, 1, 0);
    const { edges } = await readPage(1, "maxDepth: 0, first: 1110");
    const before = await readPage(1, `maxDepth: 0, last: 20, before: "${edges[1105]!.cursor}"`);
    expect(before.edges.map(({ node }) => Number(node.spanId))).toEqual(all.slice(1085, 1105));
    expect(before.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: true });
    const last = await readPage(1, "maxDepth: 0, last: 3");
    expect(last.edges.map(({ node }) => Number(node.spanId))).toEqual(all.slice(-3));
    expect(last.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true });
  });

  test("parents that form a cycle end it", async () => {
    for (const id of [201, 202, 203, 204, 211]) {
      for (const first of [50, 1]) expect(await readAll(id, 0, first)).toEqual(walk(CYCLES, id, 0));
    }
  });
});

function spanId(id: number): string {
  return String(id).padStart(16, "0");
}

function otlpSpan({ id, parent, startMs }: Link, tree: boolean): OtlpSpan {
  const nanoseconds = BigInt(1_767_225_600_000 + startMs) * 1_000_000n;
  return {
    traceId: (tree ? "a" : id === 5 ? "b" : "c").repeat(32),
    spanId: spanId(id),
    ...(parent === null ? {} : { parentSpanId: spanId(parent) }),
    name: `span ${id}`,
    startTimeUnixNano: String(nanoseconds),
    endTimeUnixNano: String(nanoseconds + 1_000_000n),
    attributes: [],
  };
}

/** `links` in the order of their arrival, which decides between spans that start together. */
function walk(links: readonly Link[], top: number, maxDepth: number): number[] {
  const sorted = links.toSorted((one, other) => one.startMs - other.startMs);
  const found: number[] = [];
  let level = [top];
  for (let depth = 1; level.length > 0 && (maxDepth === 0 || depth <= maxDepth); depth++) {
    level = level
      .flatMap((parent) => sorted.filter((link) => link.parent === parent).map(({ id }) => id))
      .filter((id) => id !== top && !found.includes(id));
    found.push(...level);
  }
  return found;
}
