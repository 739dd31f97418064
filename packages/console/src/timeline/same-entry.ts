import type { TimelineEntry } from '@turnkeeper/client/view/timeline';

/** Whether two entries show the same: they point at the view's own objects, which are replaced when they change. */
export const sameEntry = (a: TimelineEntry, b: TimelineEntry): boolean => {
  if (a.key !== b.key) return false;
  switch (a.kind) {
    case 'message':
      return b.kind === 'message' && a.item === b.item;
    case 'tool':
      return b.kind === 'tool' && a.tool === b.tool && a.action === b.action && a.abandoned === b.abandoned && a.input === b.input;
    case 'action':
      return b.kind === 'action' && a.action === b.action;
  }
};
