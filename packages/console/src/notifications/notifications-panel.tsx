import { useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { type NotificationsWish, notifications } from '../preferences/notifications.ts';
import { useStored } from '../preferences/use-stored.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { askForNotifications, notificationStanding, type Standing } from './system-notifications.ts';

/** Why there are none; undefined where there may be some. */
const problemOf = (standing: Standing, wish: NotificationsWish): TextKey | undefined => {
  if (standing === 'missing' || wish === 'unable') return 'notificationsMissing';
  return standing === 'refused' ? 'notificationsRefused' : undefined;
};

/** Asked for by a click, for this browser. */
export const NotificationsPanel = () => {
  const t = useText();
  const wish = useStored(notifications);
  const [standing, setStanding] = useState(notificationStanding);
  const problem = problemOf(standing, wish);
  const isOn = wish === 'on' && standing === 'allowed';
  const turnOn = async (): Promise<void> => {
    const asked = await askForNotifications();
    setStanding(asked);
    if (asked === 'allowed') notifications.set('on');
  };
  return (
    <Panel title={t('notificationsTitle')} hint={t('notificationsHint')} action={isOn ? <Badge tone="good">{t('notificationsAreOn')}</Badge> : null}>
      {problem === undefined ? (
        <Button className="self-start" onClick={() => (isOn ? notifications.set('off') : void turnOn())}>
          {t(isOn ? 'turnOff' : 'turnOnHere')}
        </Button>
      ) : (
        <Notice tone="warn">{t(problem)}</Notice>
      )}
    </Panel>
  );
};
