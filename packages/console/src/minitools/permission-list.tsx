import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { Check, Minus, TriangleAlert } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { permissionLines } from './permission-texts.ts';

/** All that it may do and may not, each with who sees to it. */
export const PermissionList = ({ minitool }: { readonly minitool: Pick<MinitoolDetails, 'permissions' | 'permissionsInWords'> }) => {
  const t = useText();
  return (
    <ul aria-label={t('permissionsTitle')} className="flex flex-col gap-2 rounded-2xl border border-line bg-surface px-4 py-3">
      {permissionLines(minitool.permissions, minitool.permissionsInWords, t).map(({ permission, words, enforced, granted }) => (
        <li key={permission} className="flex gap-2.5 text-sm">
          {granted ? <Check aria-hidden className="mt-1 size-4 shrink-0 text-accent" /> : <Minus aria-hidden className="mt-1 size-4 shrink-0 text-ink-faint" />}
          <span className={granted ? '' : 'text-ink-soft'}>
            {words}
            {enforced ? null : (
              <span className="flex items-center gap-1.5 text-[13px] text-warn">
                <TriangleAlert aria-hidden className="size-3.5 shrink-0" /> {t('notEnforced')}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
};
