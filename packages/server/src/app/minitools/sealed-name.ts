/** The name that a mini-tool's secret is sealed under: bound to it, so that none opens in another's place. */
export const sealedName = (minitoolId: string, name: string): string => `minitool:${minitoolId}:${name}`;
