/** How a person writes this program in their shell: what messages tell them to type works where they are. */
import { npmScript } from './io.ts';

/** npm says what it was told to run: in a checkout that has no `turnkeeper` on the PATH, `npx` finds it. */
export const nameFor = (npmScript: string | undefined): string => (/\bturnkeeper\b/.test(npmScript ?? '') ? 'npx turnkeeper' : 'turnkeeper');

export const programName = nameFor(npmScript);

/** How to start a server: from a checkout as its README says. */
export const startCommand = programName === 'turnkeeper' ? 'turnkeeper serve (in a checkout: npm start)' : 'npm start';
