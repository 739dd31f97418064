/**
 * `ctx.ui`: toasts and dialogs in the consoles of those who may see the mini-tool.
 *
 * UD1 With nobody there, and when anything goes wrong, they resolve as dismissed: what a mini-tool shows never breaks what it does.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Logger } from '../context/logger.ts';
import type { ModalDialogHandle, ModalDialogResult, Ui } from '../context/ui.ts';
import { MinitoolError } from '../failure.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import { jsonValue } from './json-value.ts';

type Kind = 'toast' | 'confirm' | 'modal';

/** What is thrown by what a server does not have. */
export const notOnServer = (member: string): MinitoolError =>
  new MinitoolError('not_supported', `ctx.${member} is not available on a server: it has no desktop`);

const isText = (value: unknown): value is string => typeof value === 'string';

export const createUi = (host: Pick<ToolPeer, 'ask'>, logger: Logger): Ui => {
  const show = async (kind: Kind, options: unknown, signal?: AbortSignal): Promise<JsonObject> => {
    try {
      return await host.ask('ui.show', { kind, options: jsonValue(options, `What is shown as ${kind}`) as JsonObject }, signal);
    } catch (error) {
      if (!signal?.aborted) logger.warn(`A ${kind} could not be shown:`, error);
      return {};
    }
  };
  const showModalDialog: Ui['showModalDialog'] = (options) => {
    const closing = new AbortController();
    const closed = Promise.withResolvers<ModalDialogResult>();
    void show('modal', options, closing.signal).then(({ action, values }) => {
      closed.resolve({
        action: isText(action) ? action : 'dismissed',
        ...(values === undefined ? {} : { values: values as NonNullable<ModalDialogResult['values']> }),
      });
    });
    const close: ModalDialogHandle['close'] = async (action = 'dismissed') => {
      closed.resolve({ action });
      closing.abort();
    };
    return Object.assign(closed.promise, { close });
  };
  const notify: Ui['notify'] = (message, type = 'info') => void show('toast', { title: String(message), variant: type });
  return {
    createWebviewPanel: () => {
      throw notOnServer('ui.createWebviewPanel');
    },
    createCanvasWindow: () => {
      throw notOnServer('ui.createCanvasWindow');
    },
    showToast: async (options) => ({ action: (await show('toast', options))['action'] === 'action' ? 'action' : 'dismissed' }),
    showConfirmDialog: async (options) => ({ confirmed: (await show('confirm', options))['confirmed'] === true }),
    showModalDialog,
    notify,
    showMessage: notify,
  };
};
