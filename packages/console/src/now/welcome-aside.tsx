import { FirstStepsCard } from './first-steps-card.tsx';
import { useFirstSteps } from './use-first-steps.ts';

/** Beside the Welcome session, where there is room for it: what is worth doing next. */
export const WelcomeAside = () => {
  const steps = useFirstSteps();
  if (!steps) return null;
  return (
    <div className="w-80 shrink-0 overflow-y-auto border-l border-line px-4 py-5 max-xl:hidden">
      <FirstStepsCard steps={steps} />
    </div>
  );
};
