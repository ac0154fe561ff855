// A form outside of a dialog. It is sent by a script alone: what is typed must never stand in an address.
import type { ReactNode } from "react";

interface PlainFormProps {
  readonly label?: string;
  readonly className: string | undefined;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function PlainForm({ label, className, onSubmit, children }: PlainFormProps) {
  return (
    <form
      noValidate
      method="post"
      aria-label={label}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
