/** How a session's status looks and what it is called. */
export const statusTones = { idle: 'idle', running: 'running', requires_action: 'waiting' } as const;
export const statusTexts = { idle: 'statusIdle', running: 'statusRunning', requires_action: 'statusWaiting' } as const;
