// Which annotation configurations the project offers to those who judge its traces.
import { useEffect } from "react";
import { Link } from "wouter";
import { assignConfig, unassignConfig } from "../../domain/annotations/configs/config-changes.queries.ts";
import { configList } from "../../domain/annotations/configs/configs.queries.ts";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Checkbox } from "../../kit/Field.tsx";
import { Section } from "../../kit/Section.tsx";
import { Notice } from "../../kit/States.tsx";
import type { ResultOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlMutation, useGraphqlPages } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectSettingsPage.module.css";
import { assignedConfigs, type SettingsOfProject } from "./project-settings.queries.ts";

interface AnnotationConfigsProps {
  readonly project: SettingsOfProject;
  readonly mayChange: boolean;
}

const AT_ONCE = 200;
const configsOf = (answer: ResultOf<typeof configList>) => answer.annotationConfigs;

export function AnnotationConfigs({ project, mayChange }: AnnotationConfigsProps) {
  const { rows, error, loadMore } = useGraphqlPages(configList, { first: AT_ONCE }, configsOf);
  // All of them are to choose from.
  useEffect(() => loadMore?.(), [loadMore]);
  const query = useGraphql(assignedConfigs, { id: project.id });
  const add = useGraphqlMutation(assignConfig, ["annotationConfigs"]);
  const remove = useGraphqlMutation(unassignConfig, ["annotationConfigs"]);
  const assigned = projectOf(query.data)?.annotationConfigs.edges.map(({ node }) => node.name);
  const failure = error ?? query.error ?? add.error ?? remove.error;
  return (
    <Section title={text("config.annotations")} hint={text("config.annotations.hint")}>
      {failure && <Notice tone="error">{failure.message}</Notice>}
      {!mayChange && assigned !== undefined && (
        <p>{assigned.length === 0 ? text("config.annotations.none") : assigned.join(" · ")}</p>
      )}
      {mayChange && assigned !== undefined && rows !== undefined && (
        <div className={styles.checks}>
          {rows.map(({ id, name, description }) => (
            <Checkbox
              key={id}
              label={name}
              {...(description === null ? {} : { hint: description })}
              checked={assigned.includes(name)}
              disabled={add.isPending || remove.isPending}
              onChange={(checked) =>
                (checked ? add : remove).mutate({ pair: { projectId: project.id, annotationConfigId: id } })
              }
            />
          ))}
        </div>
      )}
      {mayChange && (
        <p>
          <Link className={styles.link} to={linkTo("annotationConfigs")}>
            {text("config.annotations.manage")}
          </Link>
        </p>
      )}
    </Section>
  );
}
