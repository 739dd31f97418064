import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest } from './testing/console-test.ts';

const stage = consoleTest();
const asking = { definition: { tools: [{ type: 'builtin', name: 'time', permission: 'always_ask' }] }, title: 'Asks' };

/** Something of each kind on each page, as far as it is cheap. */
const furnish = async (): Promise<string> => {
  const admin = stage.admin();
  await stage.scripted([[{ error: { retryable: false, message: 'Out of order' } }]], { title: 'Breaks' });
  const text = `# Title\n\nSome \`code\`, a [link](https://example.com).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\n${'wide '.repeat(80)}\n\`\`\``;
  const id = await stage.scripted([[{ text }, { tool: { name: 'time', input: {} } }]], asking);
  await admin.tokens.create({ name: 'program' });
  await expect.poll(async () => (await admin.sessions.get(id)).status).toBe('requires_action');
  return id;
};

test('axe finds nothing serious on any page, light and dark', async () => {
  const id = await furnish();
  const turn = (await stage.admin().turns.list(id)).items[0]?.id ?? '';
  const places = [
    '/now',
    `/?session=${id}`,
    '/?new',
    '/sessions?status=all&since=7',
    '/approvals',
    `/turn?session=${id}&turn=${turn}`,
    `/checkpoints?session=${id}`,
    '/minitools',
    '/deliveries',
    '/usage',
    '/targets',
    '/settings',
    '/settings?tab=tokens',
    '/settings?tab=server',
  ];
  const faults: string[] = [];
  const page = await stage.page('/now');
  const look = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Only colours are others in the dark.
      const found = await axeFaults(page, colorScheme === 'dark' ? 'color-contrast' : undefined);
      faults.push(...found.map((fault) => `${colorScheme} ${name}: ${fault}`));
    }
  };
  for (const place of places) {
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, place);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // What is read for the page is there: signs of loading are gone.
    await page.waitForFunction(() => document.querySelector('main .animate-late') === null);
    await look(place);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to or do' }).waitFor();
  await look('palette');
  expect(faults).toEqual([]);
}, 240_000);
