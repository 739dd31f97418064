import type { ToolEntry } from '@turnkeeper/client/view/timeline';
import type { TextKey } from '../i18n/en.ts';

export type ToolTone = 'quiet' | 'active' | 'waiting' | 'ok' | 'failed';
export type ToolStanding = { readonly text: TextKey; readonly tone: ToolTone };

/** What a card says about its call. */
export const toolStanding = ({ tool, abandoned }: Pick<ToolEntry, 'tool' | 'abandoned'>): ToolStanding => {
  if (!tool) return abandoned ? { text: 'toolAbandoned', tone: 'quiet' } : { text: 'toolWriting', tone: 'active' };
  switch (tool.status) {
    case 'requested':
      return { text: 'toolRequested', tone: 'active' };
    case 'waiting':
      return { text: 'toolWaiting', tone: 'waiting' };
    case 'running':
      return { text: 'toolRunning', tone: 'active' };
    case 'success':
      return { text: 'toolSuccess', tone: 'ok' };
    case 'error':
      return { text: 'toolError', tone: 'failed' };
    case 'denied':
      return { text: 'toolDenied', tone: 'failed' };
    case 'cancelled':
      return { text: 'toolCancelled', tone: 'quiet' };
    case 'unknown':
      return { text: 'toolUnknown', tone: 'waiting' };
  }
};
