// The settings of a project: what it is called, what is in it, and how to get rid of it.
import { useParams } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { ProjectPage } from "../../explorer/ProjectPage.tsx";
import { Sections } from "../../kit/Section.tsx";
import { Loaded } from "../../kit/States.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { AnnotationConfigs } from "./AnnotationConfigs.tsx";
import { Contents } from "./Contents.tsx";
import { DangerZone } from "./DangerZone.tsx";
import { General } from "./General.tsx";
import { projectSettings } from "./project-settings.queries.ts";
import { Retention } from "./Retention.tsx";

export default function ProjectSettingsPage() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const query = useGraphql(projectSettings, { id: projectId });
  const rights = useRights();
  return (
    <ProjectPage projectId={projectId} tab="config">
      <Sections>
        <Loaded query={query}>
          {(answer) => {
            const project = projectOf(answer);
            return (
              project && (
                <>
                  <General key={project.id} project={project} mayChange={rights.mayAdminister} />
                  <AnnotationConfigs project={project} mayChange={rights.mayWrite} />
                  <Retention project={project} mayChange={rights.mayAdminister} />
                  <Contents project={project} />
                  {rights.mayWrite && <DangerZone project={project} mayDelete={rights.mayAdminister} />}
                </>
              )
            );
          }}
        </Loaded>
      </Sections>
    </ProjectPage>
  );
}
