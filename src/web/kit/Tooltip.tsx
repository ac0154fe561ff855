// A short text that explains a control or gives the whole of what is cut off. Never the only place of something needed.
import { Tooltip as Primitive } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";
import { isRestoringFocus } from "./keep-focus.ts";
import { useLayer } from "./layer.ts";
import styles from "./Tooltip.module.css";

interface TooltipProps {
  readonly text: ReactNode;
  readonly children: ReactElement;
  readonly side?: "top" | "bottom" | "left" | "right";
}

export function Tooltip({ text, children, side = "bottom" }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={withoutSurprise}>
        {children}
      </Primitive.Trigger>
      <Primitive.Portal {...useLayer()}>
        <Primitive.Content side={side} sideOffset={6} collisionPadding={8} className={styles.tooltip}>
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A focus that was set by code shows no tooltip: the tooltip would take the next Escape for itself. */
function withoutSurprise(event: FocusEvent<HTMLElement>): void {
  if (isRestoringFocus() || !event.currentTarget.matches(":focus-visible")) event.preventDefault();
}

/** Once, around everything. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </Primitive.Provider>
  );
}
