// Stored costs that are recomputed: how far it is and what changed, and the dialog that starts it.
import { useEffect } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { fromZonedFields, zonedFields } from "../../../kit/zoned-fields.ts";
import { formatCost, formatCount, formatShare } from "../../../lib/format.ts";
import { askGraphql, nodesOf } from "../../../lib/graphql.ts";
import { useGraphql, useGraphqlMutation } from "../../../lib/queries.ts";
import { useTimeZone } from "../../../lib/time-zone.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { cancelRecomputation, pricedProjects, recomputationNow, startRecomputation } from "./models.queries.ts";
import styles from "./Unpriced.module.css";

/** Milliseconds between two looks while it runs. */
const LOOK_MS = 1500;
/** How long its result is shown. */
const SHOWN_MS = 3_600_000;

/** The newest, as long as it matters. */
export function RecomputationLine() {
  const { data, refetch } = useGraphql(recomputationNow, {});
  const cancel = useGraphqlMutation(cancelRecomputation, ["costRecomputation", "traces"]);
  const { mayAdminister } = useRights();
  const newest = data?.costRecomputation ?? null;
  const isRunning = newest?.status === "RUNNING";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  if (newest === null || (!isRunning && Date.now() - Date.parse(newest.updatedAt) > SHOWN_MS)) return null;
  const { status, progress, examinedSpans, changedSpans, oldCost, newCost, failure, failedSpans } = newest;
  return (
    <div className={styles.recomputed} role="status">
      <span>{text(`models.recompute.${status}`, { share: formatShare(progress) })}</span>
      <span>
        {text("models.recompute.changed", {
          examined: formatCount(examinedSpans),
          changed: formatCount(changedSpans),
          before: formatCost(oldCost),
          after: formatCost(newCost),
        })}
      </span>
      {failure !== null && (
        <span>
          {failedSpans === 0
            ? text("models.recompute.failure", { reason: failure })
            : text("models.recompute.failed", { count: formatCount(failedSpans), reason: failure })}
        </span>
      )}
      {isRunning && mayAdminister && (
        <Button onClick={() => cancel.mutate({})} disabled={cancel.isPending}>
          {text("models.recompute.cancel")}
        </Button>
      )}
    </div>
  );
}

const MONTH_MS = 30 * 86_400_000;

export function RecomputeDialog({ onClose }: { readonly onClose: () => void }) {
  const zone = useTimeZone();
  const { data } = useGraphql(pricedProjects, {});
  const projects = nodesOf(data?.projects.edges ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const form = useForm(
    { from: zonedFields(new Date(Date.now() - MONTH_MS).toISOString(), zone), project: "", model: "" },
    {
      send({ from, project, model }) {
        const name = model.trim();
        const timeRange = { start: fromZonedFields(from, zone), end: null };
        const input = { timeRange, projectId: project === "" ? null : project, modelName: name === "" ? null : name };
        return askGraphql(startRecomputation, { input });
      },
      changes: ["costRecomputation", "traces"],
      check: ({ from }) => ({ from: fromZonedFields(from, zone) === null && text("models.recompute.from.missing") }),
      onClose,
    },
  );
  return (
    <FormDialog open form={form} title={text("models.recompute")} submit={text("models.recompute.start")}>
      <TextField label={text("models.recompute.from")} type="datetime-local" step={1} {...form.field("from")} />
      <Select
        label={text("models.recompute.project")}
        choices={[{ value: "", label: text("models.recompute.project.all") }, ...projects]}
        {...form.field("project")}
      />
      <TextField
        mono
        label={text("models.recompute.model")}
        hint={text("models.recompute.model.hint")}
        note={text("kit.optional")}
        {...form.field("model")}
      />
      <p>{text("models.recompute.text")}</p>
    </FormDialog>
  );
}
