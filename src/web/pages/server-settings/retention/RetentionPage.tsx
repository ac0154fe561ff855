// How long traces are kept: the policies, what each keeps and where, and what sweeps have deleted.
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { Facts, Section, Sections } from "../../../kit/Section.tsx";
import { Loaded } from "../../../kit/States.tsx";
import { Time } from "../../../kit/Time.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import { askGraphql, nodesOf } from "../../../lib/graphql.ts";
import { useGraphql, useGraphqlMutation } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { SettingsPage } from "../SettingsPage.tsx";
import { DatabaseContents } from "./DatabaseContents.tsx";
import { FailedWork } from "./FailedWork.tsx";
import { PolicyDialog } from "./PolicyDialog.tsx";
import { frequencyOf, halvesOf } from "./policy-form.ts";
import styles from "./Retention.module.css";
import { deletePolicy, type ListedPolicy, policyList, runPolicy, type Sweep } from "./retention.queries.ts";

export default function RetentionPage() {
  const [edited, setEdited] = useState<ListedPolicy | "new" | null>(null);
  const [deleted, setDeleted] = useState<ListedPolicy | null>(null);
  const query = useGraphql(policyList, {});
  const { mayAdminister } = useRights();
  const policies = nodesOf(query.data?.projectTraceRetentionPolicies.edges ?? []);
  const isDefault = (policy: ListedPolicy) => policy.id === policies[0]?.id;
  return (
    <SettingsPage
      tab="retentionSettings"
      actions={
        mayAdminister && (
          <Button look="main" icon={<Plus />} onClick={() => setEdited("new")}>
            {text("retention.new")}
          </Button>
        )
      }
    >
      <Sections>
        <Loaded query={query}>
          {() => (
            <>
              {policies.map((policy) => (
                <Section
                  key={policy.id}
                  title={policy.name}
                  {...(isDefault(policy) ? { hint: text("retention.default.hint") } : {})}
                >
                  <PolicyFacts policy={policy} />
                  {mayAdminister && (
                    <PolicyActions
                      policy={policy}
                      onEdit={() => setEdited(policy)}
                      onDelete={isDefault(policy) ? null : () => setDeleted(policy)}
                    />
                  )}
                </Section>
              ))}
              <Section title={text("retention.sweeps")} hint={text("retention.sweeps.hint")}>
                <Sweeps policies={policies} />
              </Section>
            </>
          )}
        </Loaded>
        <FailedWork />
        <DatabaseContents />
      </Sections>
      {edited !== null && (
        <PolicyDialog
          policy={edited === "new" ? null : edited}
          isDefault={edited !== "new" && isDefault(edited)}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted !== null && (
        <ConfirmDialog
          title={text("retention.delete.title", { name: deleted.name })}
          confirm={text("retention.delete")}
          send={() => askGraphql(deletePolicy, { input: { id: deleted.id } })}
          changes={["projectTraceRetentionPolicies"]}
          done={text("retention.deleted", { name: deleted.name })}
          onClose={() => setDeleted(null)}
        >
          <p>{text("retention.delete.text")}</p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  );
}

/** The names of so many projects are shown. */
const NAMED_PROJECTS = 20;

function PolicyFacts({ policy }: { readonly policy: ListedPolicy }) {
  const { keepsAnnotated, keepsDatasetSources, cronExpression: schedule } = policy;
  const names = nodesOf(policy.projects.edges).map(({ name }) => name);
  const spared = [
    ...(keepsAnnotated ? [text("retention.spared.annotated")] : []),
    ...(keepsDatasetSources ? [text("retention.spared.sources")] : []),
  ];
  const frequency = frequencyOf(schedule);
  const rest = names.length - NAMED_PROJECTS;
  return (
    <Facts
      facts={[
        { label: text("retention.keeps"), value: ruleText(policy) },
        { label: text("retention.spared"), value: spared.length === 0 ? null : spared.join(" · ") },
        {
          label: text("retention.when"),
          value: frequency === "other" ? <code>{schedule}</code> : text(`retention.when.${frequency}`),
        },
        { label: text("retention.next"), value: <Time at={policy.nextSweepAt} /> },
        {
          label: text("retention.projects"),
          value:
            names.length === 0
              ? text("retention.projects.none")
              : [
                  ...names.slice(0, NAMED_PROJECTS),
                  ...(rest > 0 ? [text("retention.projects.more", { count: rest })] : []),
                ].join(" · "),
        },
      ]}
    />
  );
}

function ruleText(policy: ListedPolicy): string {
  const { days, count } = halvesOf(policy);
  const { maxBytes } = policy;
  const parts = [
    ...(days ? [text("retention.keeps.days", { count: days })] : []),
    ...(count ? [text("retention.keeps.count", { count })] : []),
    ...(maxBytes ? [text("retention.keeps.size", { bytes: formatBytes(maxBytes) })] : []),
  ];
  return parts.length === 0 ? text("retention.keeps.everything") : parts.join(" · ");
}

interface PolicyActionsProps {
  readonly policy: ListedPolicy;
  readonly onEdit: () => void;
  /** Null where it stays. */
  readonly onDelete: (() => void) | null;
}

function PolicyActions({ policy, onEdit, onDelete }: PolicyActionsProps) {
  const run = useGraphqlMutation(runPolicy, ["projectTraceRetentionPolicies"]);
  const sweep = () =>
    run.mutate({ input: { id: policy.id } }, { onSuccess: () => showToast(text("retention.run.asked")) });
  return (
    <div className={styles.actions}>
      <Button onClick={onEdit} aria-label={text("retention.edit.of", { name: policy.name })}>
        {text("retention.edit")}
      </Button>
      {ruleText(policy) !== text("retention.keeps.everything") && (
        <Button onClick={sweep} disabled={run.isPending} aria-label={text("retention.run.of", { name: policy.name })}>
          {text("retention.run")}
        </Button>
      )}
      {onDelete !== null && (
        <Button look="danger" onClick={onDelete} aria-label={text("retention.delete.of", { name: policy.name })}>
          {text("retention.delete")}
        </Button>
      )}
    </div>
  );
}

const SHOWN_SWEEPS = 50;

function Sweeps({ policies }: { readonly policies: readonly ListedPolicy[] }) {
  const sweeps = policies
    .flatMap((policy) => policy.sweeps.map((sweep) => ({ policy, sweep })))
    .toSorted((one, other) => other.sweep.endedAt.localeCompare(one.sweep.endedAt))
    .slice(0, SHOWN_SWEEPS);
  if (sweeps.length === 0) return <p className={styles.note}>{text("retention.sweeps.none")}</p>;
  return (
    <ul className={styles.sweeps}>
      {sweeps.map(({ policy, sweep }) => (
        <li key={`${policy.id} ${sweep.startedAt} ${sweep.project?.id ?? ""}`} className={styles.sweep}>
          <span className={styles.when}>
            <Time at={sweep.startedAt} />
          </span>
          <span>
            {sweepText(policy, sweep)}
            {sweep.failure !== null && <span className={styles.failed}> {sweep.failure}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function sweepText(policy: ListedPolicy, sweep: Sweep): string {
  return text("retention.sweep", {
    policy: policy.name,
    project: sweep.project?.name ?? text("retention.sweep.gone"),
    traces: formatCount(sweep.traceCount),
    spans: formatCount(sweep.spanCount),
    bytes: formatBytes(sweep.byteCount),
    took: formatDuration(Date.parse(sweep.endedAt) - Date.parse(sweep.startedAt)),
  });
}
