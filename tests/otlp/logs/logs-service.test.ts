// What the service says in its log about records that it drops.
import { expect, test } from "bun:test";
import type { DecodedLogs } from "../../../src/ingest/incoming-logs.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createLogsService } from "../../../src/otlp/logs/logs.service.ts";
import type { CallContext } from "../../../src/storage/storage.ts";

const request = { body: new Uint8Array(), format: "protobuf", encoding: null, projectOverride: null } as const;
const failure = new Error("nothing is stored here");
const refuse = () => Promise.reject(failure);

test("dropped records are summed up in a line a minute", async () => {
  const lines: string[] = [];
  let nowUs = 0;
  let count = 3;
  const decoded = (): DecodedLogs => ({
    spans: [],
    wanted: [],
    messages: [],
    rejections: { count, message: "neither" },
  });
  const { receiveLogs } = createLogsService({
    receiver: { decodeLogs: async () => decoded(), storeSpans: refuse },
    storage: { withTraces: refuse },
    turns: { listTurns: refuse, listShort: refuse, extendTurns: refuse },
    pending: { keep: refuse },
    context: () => ({}) as CallContext,
    clock: { now: () => nowUs },
    log: createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) }),
  });
  expect(await receiveLogs(request)).toEqual({ rejectedRecords: 3, message: "neither" });
  nowUs = 59_000_000;
  for (let time = 0; time < 4; time++) await receiveLogs(request);
  expect(lines).toHaveLength(1);
  nowUs = 61_000_000;
  await receiveLogs(request);
  count = 0;
  nowUs = 200_000_000;
  await receiveLogs(request);
  expect(lines.map((line) => /log records dropped rejected=(\d+) reason=neither/.exec(line)?.[1])).toEqual(["3", "15"]);
});
