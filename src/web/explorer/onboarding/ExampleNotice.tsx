// Above the pages of the example project: that nothing in it is real, and how it goes away again.
import { useLocation } from "wouter";
import { Button } from "../../kit/Button.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { lastProjectPreference } from "../../lib/last-project.ts";
import { linkTo } from "../../lib/links.ts";
import { useChange } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { removeExample } from "./example.ts";

const changes = ["traces"] as const;

export function ExampleNotice({ projectId }: { readonly projectId: string }) {
  const [, navigate] = useLocation();
  const { mayAdminister } = useRights();
  const removing = useChange(removeExample, changes);
  const remove = () =>
    removing.mutate(projectId, {
      onSuccess() {
        if (lastProjectPreference.get() === projectId) lastProjectPreference.set(null);
        showToast(text("onboarding.example.removed"));
        navigate(linkTo("projects"));
      },
      onError: ({ message }) => showToast(message, "error"),
    });
  return (
    <Notice
      tone="accent"
      action={
        mayAdminister && (
          <Button disabled={removing.isPending} onClick={remove}>
            {text("onboarding.example.remove")}
          </Button>
        )
      }
    >
      {text("onboarding.example.notice")}
    </Notice>
  );
}
