import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Beside the title of a list: makes another one of these. */
export const NewButton = ({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) => (
  <Button size="sm" variant="primary" onClick={onClick}>
    <Plus aria-hidden className="size-4" /> {children}
  </Button>
);
