// One trace: what is asked, and what stands in its place while it is not there. It stands over a list or fills the page, and knows
// nothing of what is beneath it.
import { useEffect } from "react";
import { type PanelNavigation, usePanelKeys } from "../../../explorer/panel-navigation.tsx";
import { Button } from "../../../kit/Button.tsx";
import { classes } from "../../../kit/classes.ts";
import { EmptyState, FailedState, Skeleton } from "../../../kit/States.tsx";
import { HoldKeys } from "../../../lib/held-keys.ts";
import { Late, late } from "../../../lib/late.tsx";
import { text } from "../../../texts/texts.ts";
import { traceWords } from "./panel-address.ts";
import styles from "./TracePanel.module.css";
import { useTrace } from "./use-trace.ts";

// Its script comes beside the answer that it draws.
const { Part: OpenedTrace, preload } = late(() => import("./OpenedTrace.tsx"));

interface TracePanelProps {
  readonly projectId: string;
  /** Of the exporter, or global. */
  readonly traceId: string;
  readonly navigation: PanelNavigation;
}

export function TracePanel({ projectId, traceId, navigation }: TracePanelProps) {
  const open = useTrace(projectId, traceId);
  const { view } = open;
  usePanelKeys(navigation, traceWords);
  useEffect(() => {
    // Drawing it tells what went wrong.
    preload().catch(() => undefined);
  }, []);
  return (
    // It takes the focus while its content is replaced by that of the next trace.
    <section
      tabIndex={-1}
      className={styles.panel}
      aria-label={text("trace.title")}
      aria-busy={view.status === "loading"}
    >
      {view.status === "loading" && <LoadingTrace />}
      {view.status === "failed" && view.failure !== null && (
        <FailedState failure={view.failure} onRetry={open.reload} />
      )}
      {view.status === "not_found" && <NoTrace onClose={navigation.onClose} />}
      {view.trace !== null && (
        <Late fallback={<LoadingTrace />}>
          <OpenedTrace key={view.trace.id} projectId={projectId} open={open} navigation={navigation} />
        </Late>
      )}
    </section>
  );
}

function NoTrace({ onClose }: { readonly onClose: (() => void) | null }) {
  return (
    <EmptyState
      title={text("trace.not.found")}
      action={onClose === null ? undefined : <Button onClick={onClose}>{text("trace.not.found.action")}</Button>}
    >
      {text("trace.not.found.text")}
    </EmptyState>
  );
}

/** In the layout of what comes. */
function LoadingTrace() {
  return (
    <div className={classes(styles.sides, styles.loading)}>
      {/* One may go on to the next without waiting for this one. */}
      <HoldKeys except="[ ]" />
      <div className={styles.left}>
        <Skeleton lines={12} />
      </div>
      <div className={styles.right}>
        <Skeleton lines={6} />
      </div>
    </div>
  );
}
