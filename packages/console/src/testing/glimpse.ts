import type { Page } from 'playwright-core';

/**
 * Resolves once something that fits the selector has been there, however short: the page itself looks, at every frame. Begin with it
 * before what brings that about. `text`: all that it says.
 */
export const glimpse = async (page: Page, selector: string, text?: string): Promise<void> => {
  await page.waitForFunction(([wanted, says]) => [...document.querySelectorAll(wanted)].some(({ textContent }) => says === undefined || textContent === says), [
    selector,
    text,
  ] as const);
};

/** A button that copies has said that it did. */
export const copied = (page: Page): Promise<void> => glimpse(page, 'button [aria-live]', 'Copied');
