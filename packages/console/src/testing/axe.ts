/** What axe finds on a page, in the words of its rules. Only what keeps people out: `serious` and `critical`. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Found = { readonly violations: readonly Violation[] };
type Violation = {
  readonly id: string;
  readonly impact?: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
};

const grave = ['serious', 'critical'];

const inWords = ({ id, help, nodes }: Violation): string =>
  `${id}: ${help}\n${nodes.map(({ target, failureSummary = '' }) => `  ${target.join(' ')} ${failureSummary.replaceAll(/\s+/g, ' ')}`).join('\n')}`;

/** Empty where all is well. Colours are judged as they are when nothing moves any more. `rule`: this one alone. */
export const axeFaults = async (page: Page, rule?: string): Promise<readonly string[]> => {
  await page.evaluate(async () => {
    // What comes in while axe looks, or changes its colour then, does so at once, and is not half transparent for a moment.
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after, ::backdrop { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets = [still];
    // Endless ones (a dot that breathes, a spinner) never finish: they are no text.
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  // By the debugger and not by a script element: the page's content security policy refuses those.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rule === undefined ? {} : { runOnly: [rule] }) };
  const { violations } = await page.evaluate<Found>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.filter(({ impact }) => grave.includes(impact ?? '')).map(inWords);
};
