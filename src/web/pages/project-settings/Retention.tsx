// Which retention policy the project has.
import { Link } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Select } from "../../kit/Field.tsx";
import { Section } from "../../kit/Section.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { nodesOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlMutation } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectSettingsPage.module.css";
import { assignPolicy, policyOfProject, type SettingsOfProject } from "./project-settings.queries.ts";

interface RetentionProps {
  readonly project: SettingsOfProject;
  readonly mayChange: boolean;
}

export function Retention({ project, mayChange }: RetentionProps) {
  const { data, error } = useGraphql(policyOfProject, { id: project.id });
  const assign = useGraphqlMutation(assignPolicy, ["projectTraceRetentionPolicies"]);
  const policy = projectOf(data)?.traceRetentionPolicy;
  const policies = nodesOf(data?.projectTraceRetentionPolicies.edges ?? []);
  const failure = error ?? assign.error;
  // The default policy is where projects are that no other one has.
  const change = (id: string) => {
    const isDefault = id === policies[0]?.id;
    const input = isDefault ? { id: policy!.id, removeProjects: [project.id] } : { id, addProjects: [project.id] };
    assign.mutate({ input }, { onSuccess: () => showToast(text("config.saved")) });
  };
  return (
    <Section title={text("retention.project")} hint={text("retention.project.hint")}>
      {failure && <Notice tone="error">{failure.message}</Notice>}
      {policy !== undefined &&
        (mayChange ? (
          <Select
            label={text("retention.policy")}
            choices={policies.map(({ id, name }) => ({ value: id, label: name }))}
            value={policy.id}
            disabled={assign.isPending}
            onChange={change}
          />
        ) : (
          <p>{policy.name}</p>
        ))}
      <p>
        <Link className={styles.link} to={linkTo("retentionSettings")}>
          {text("retention.manage")}
        </Link>
      </p>
    </Section>
  );
}
