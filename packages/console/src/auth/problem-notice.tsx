import { formatClock } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/use-now.ts';
import type { SignInProblem } from './sign-in.ts';

export const ProblemNotice = ({ problem }: { readonly problem: SignInProblem }) => {
  const t = useText();
  const now = useNow();
  const left = problem.retryAt === undefined ? undefined : problem.retryAt - now;
  return (
    <Notice tone="danger">
      {t(problem.text)}
      {left === undefined ? null : (
        // Not announced anew with every second.
        <span aria-live="off" className="tabular-nums">
          {' '}
          {left > 0 ? t('retryIn', { time: formatClock(left) }) : t('retryNow')}
        </span>
      )}
    </Notice>
  );
};
