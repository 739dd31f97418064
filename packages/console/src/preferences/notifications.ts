import { createStoredValue } from './stored-value.ts';

/** Of this browser. `unable`: it said yes and then could not. */
export type NotificationsWish = 'off' | 'on' | 'unable';

const wishes: readonly NotificationsWish[] = ['on', 'unable'];

export const notifications = createStoredValue<NotificationsWish>(
  'turnkeeper.notifications',
  (text) => wishes.find((wish) => wish === text) ?? 'off',
  (wish) => (wish === 'off' ? undefined : wish),
);
