// A bulk annotation as it goes on: how far it is, what stopped it, and the ways on from there.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isTouched } from "../../lib/entities.ts";
import { failureOf } from "../../lib/failure.ts";
import { type Bulk, type BulkState, batchesOf, bulkBegin, type NextBatch, takeBack } from "./bulk.ts";

export interface BulkRun {
  readonly bulk: Bulk;
  readonly state: BulkState;
  readonly phase: "running" | "stopped" | "done" | "undoing" | "undone";
  /** Why it stopped by itself. */
  readonly failure: string | null;
}

export function useBulk() {
  const client = useQueryClient();
  const [run, setRun] = useState<BulkRun | null>(null);
  const batches = useRef<NextBatch | null>(null);
  const stopped = useRef(false);
  // Its progress is not visible any more.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const showNew = () => client.invalidateQueries({ predicate: ({ meta }) => isTouched(meta?.shows, ["annotations"]) });

  const goOn = async (bulk: Bulk, from: BulkState, next: NextBatch) => {
    stopped.current = false;
    let state = from;
    let failure: string | null = null;
    setRun({ bulk, state, phase: "running", failure });
    try {
      while (state.next !== null && !stopped.current) {
        state = await next(state);
        setRun({ bulk, state, phase: "running", failure });
      }
    } catch (error) {
      failure = failureOf(error).message;
    }
    setRun({ bulk, state, phase: state.next === null ? "done" : "stopped", failure });
    void showNew();
  };
  return {
    run,
    begin(bulk: Bulk) {
      batches.current = batchesOf(bulk);
      void goOn(bulk, bulkBegin, batches.current);
    },
    /** After the batch that is on its way. */
    stop() {
      stopped.current = true;
    },
    /** Where it stopped. */
    resume() {
      if (run !== null && batches.current !== null) void goOn(run.bulk, run.state, batches.current);
    },
    async undo() {
      if (run === null) return;
      setRun({ ...run, phase: "undoing", failure: null });
      try {
        await takeBack(run.bulk);
        setRun({ ...run, phase: "undone", failure: null });
      } catch (error) {
        setRun({ ...run, failure: failureOf(error).message });
      }
      void showNew();
    },
  };
}
