// The head of a span: what it is and how it ended.
import { Fingerprint, Link2, MessageSquarePlus, ScanSearch, SquareTerminal } from "lucide-react";
import { useLocation } from "wouter";
import { AddToDatasetButton } from "../../../../domain/datasets/AddToDatasetButton.tsx";
import { InDatasets } from "../../../../domain/datasets/InDatasets.tsx";
import { KindGlyph } from "../../../../domain/trace/KindGlyph.tsx";
import { kindLooks } from "../../../../domain/trace/kinds.ts";
import type { TraceSpan } from "../../../../domain/trace/trace-span.ts";
import { IconButton } from "../../../../kit/Button.tsx";
import { copyText } from "../../../../kit/CopyButton.tsx";
import { Badge } from "../../../../kit/States.tsx";
import { showToast } from "../../../../kit/Toast.tsx";
import { linkTo } from "../../../../lib/links.ts";
import { useRights } from "../../../../lib/viewer.ts";
import { text } from "../../../../texts/texts.ts";
import { SELECTED } from "../panel-address.ts";
import type { TimeView } from "../use-time-window.ts";
import styles from "./SpanDetail.module.css";

export function DetailHead({ span, time }: { readonly span: TraceSpan; readonly time: TimeView }) {
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const copy = (value: string) =>
    void copyText(value).then((done) =>
      showToast(text(done ? "trace.copied" : "trace.copy.failed"), done ? "plain" : "error"),
    );
  const link = () => {
    const address = new URL(location.href);
    address.searchParams.set(SELECTED, span.id);
    return address.href;
  };
  return (
    <header className={styles.head}>
      <div className={styles.what}>
        <KindGlyph kind={span.kind} large />
        <h3 title={span.name}>
          <bdi>{span.shownName || span.spanKey}</bdi>
        </h3>
        <small className={styles.kind}>{text(kindLooks[span.kind].label)}</small>
        {span.status === "ERROR" && <Badge tone="error">{text("trace.status.error")}</Badge>}
        <InDatasets spanId={span.id} />
      </div>
      <div className={styles.tools}>
        {span.kind === "LLM" && (
          <IconButton
            label={text("playground.open")}
            icon={<SquareTerminal />}
            onClick={() => navigate(linkTo("playgroundOfSpan", { spanId: span.id }))}
          />
        )}
        {span.kind === "LLM" && mayWrite && (
          <IconButton
            label={text("trace.span.prompt")}
            icon={<MessageSquarePlus />}
            onClick={() => navigate(`${linkTo("newPrompt")}?span=${encodeURIComponent(span.id)}`)}
          />
        )}
        <IconButton
          label={text("trace.zoom.span")}
          icon={<ScanSearch />}
          onClick={() => time.showSpan(span.startUs, span.endUs)}
        />
        <AddToDatasetButton label={text("addition.span")} kind="span" ids={[span.id]} matching={null} />
        <IconButton label={text("trace.copy.span")} icon={<Fingerprint />} onClick={() => copy(span.spanKey)} />
        <IconButton label={text("trace.copy.span.link")} icon={<Link2 />} onClick={() => copy(link())} />
      </div>
    </header>
  );
}
