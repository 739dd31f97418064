/** What a new session is for, as it stands in the address: `agent:<id>`, `team:<id>`, `workflow:<id>`. Nothing is made before its first message. */
export type NewTarget = { readonly type: 'agent' | 'team' | 'workflow'; readonly id: string };

const types = ['agent', 'team', 'workflow'] as const;

export const printTarget = ({ type, id }: NewTarget): string => `${type}:${id}`;

/** Undefined: none is named, or none that there could be. */
export const parseTarget = (text: string | undefined): NewTarget | undefined => {
  const [name = '', ...rest] = (text ?? '').split(':');
  const type = types.find((known) => known === name);
  const id = rest.join(':');
  return type === undefined || id === '' ? undefined : { type, id };
};

/** Where its draft and its files are kept. Whichever agent is chosen, what was written stays. */
export const draftPlace = (target: NewTarget | undefined): string => (target === undefined || target.type === 'agent' ? 'new' : `new.${printTarget(target)}`);
