/** The browser's own notifications: whether there are any, and showing one. */

/** `missing`: there are none for this page, as without https. `unasked`: nobody has decided yet. */
export type Standing = 'missing' | 'unasked' | 'refused' | 'allowed';

const standings = { default: 'unasked', denied: 'refused', granted: 'allowed' } as const;

export const notificationStanding = (): Standing => (typeof Notification === 'undefined' || !isSecureContext ? 'missing' : standings[Notification.permission]);

/** To be called by a click: else browsers do not ask. */
export const askForNotifications = async (): Promise<Standing> => {
  if (notificationStanding() === 'unasked') await Notification.requestPermission();
  return notificationStanding();
};

/** `tag`: the same news of two pages is shown once. */
export type Shown = { readonly title: string; readonly body: string; readonly tag: string; readonly onClick: () => void };

/** False where the browser has them and shows none for pages, as on phones. */
export const showNotification = ({ title, body, tag, onClick }: Shown): boolean => {
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      shown.close();
      window.focus();
      onClick();
    };
    return true;
  } catch {
    return false;
  }
};
