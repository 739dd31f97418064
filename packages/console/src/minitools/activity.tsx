import type { MinitoolResource } from '@turnkeeper/core/protocol/wire/minitools';
import { useText } from '../i18n/use-text.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

type Shown = {
  readonly text: 'activityStopped' | 'activityStarting' | 'activityRunning' | 'activityWaiting' | 'activityElsewhere' | 'activityMissing';
  readonly tone: BadgeTone;
};

const activities: Record<MinitoolResource['activity'], Shown> = {
  stopped: { text: 'activityStopped', tone: 'quiet' },
  starting: { text: 'activityStarting', tone: 'good' },
  running: { text: 'activityRunning', tone: 'good' },
  waiting: { text: 'activityWaiting', tone: 'warn' },
  elsewhere: { text: 'activityElsewhere', tone: 'good' },
  missing: { text: 'activityMissing', tone: 'danger' },
};

/** What somebody decided, and where that differs, what it does. */
export const ActivityBadges = ({ minitool: { status, activity } }: { readonly minitool: Pick<MinitoolResource, 'status' | 'activity'> }) => {
  const t = useText();
  if (status === 'broken') return <Badge tone="danger">{t('minitoolBroken')}</Badge>;
  if (status === 'disabled') return <Badge>{t('disabled')}</Badge>;
  const { text, tone } = activities[activity];
  return <Badge tone={tone}>{t(text)}</Badge>;
};
